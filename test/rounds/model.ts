import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestApp } from '../support/app.ts'
import type { Answer, Client } from '../support/diwan.ts'

/** The maximum in a run. */
export const COMMANDS = 30

/** The rules in plain code: what each project, list and task should look like after each command. */
interface Task {
  id: string
  title: string
  completed_at: string | null
  time_spent_minutes: number | null
  comments: Comment[]
}
interface Comment {
  id: number
  content: string
}
interface List {
  id: string
  title: string
  tasks: Task[]
  comments: Comment[]
}
interface Project {
  id: string
  archived: boolean
  lists: List[]
}
interface Real {
  api: Client
}
type Model = { projects: Project[] }

const lists = ({ projects }: Model) => projects.flatMap(project => project.lists.map(list => ({ project, list })))
const tasks = (model: Model) =>
  lists(model).flatMap(({ project, list }) => list.tasks.map(task => ({ project, list, task })))
const at = <T>(from: T[], n: number): T | undefined => from[n % Math.max(from.length, 1)]

function shownList({ id, title, tasks: all }: List) {
  const done = all.filter(({ completed_at }) => completed_at !== null)
  const completed = all.length > 0 && done.length === all.length
  const last =
    done
      .map(({ completed_at }) => completed_at as string)
      .sort()
      .at(-1) ?? null
  const counts = { tasks_count: all.length, completed_tasks_count: done.length }
  return { id, title, ...counts, completed, completed_at: completed ? last : null }
}

function shownTask({ comments: _, ...task }: Task) {
  return { ...task, completed: task.completed_at !== null }
}

/** Carries out a command on the API and the model. Afterwards the projects and their lists must match the model. */
type Step = (model: Model, api: Client) => Promise<void>

class Command implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly name: string,
    readonly step: Step,
  ) {}
  check = () => true
  async run(model: Model, { api }: Real) {
    await this.step(model, api)
    for (const project of model.projects) {
      const { data, meta } = (await api.get(`/projects/${project.id}/lists?limit=100`)).body
      expect([meta.total, data]).toMatchObject([project.lists.length, project.lists.map(shownList)])
    }
  }
  toString = () => this.name
}

/** A write below a project gets 403 while that is archived, otherwise the given status; only then does the model change. */
function settle(answer: Answer, frozen: boolean, status: number, change: () => void) {
  expect([answer.status, answer.body.error]).toEqual(frozen ? [403, expect.anything()] : [status, undefined])
  if (!frozen) change()
}

const onTask = (
  name: string,
  act: (found: NonNullable<ReturnType<typeof find>>, model: Model, api: Client) => Promise<void>,
  n: number,
) =>
  new Command(`${name} #${n}`, async (model, api) => {
    const found = find(model, n)
    if (found) await act(found, model, api)
  })
const find = (model: Model, n: number) => at(tasks(model), n)

const n = fc.nat({ max: 20 })
const title = fc.constantFrom('Plan', 'plan!', 'خطة', 'Other')

const commands = [
  fc.tuple(n, title).map(
    ([p, name]) =>
      new Command(`create list in ${p}`, async (model, api) => {
        const project = at(model.projects, p) as Project
        const answer = await api.post(`/projects/${project.id}/lists`, { title: name })
        settle(answer, project.archived, 201, () =>
          project.lists.push({ id: answer.body.data.id, title: name, tasks: [], comments: [] }),
        )
      }),
  ),
  fc.tuple(n, title).map(
    ([l, name]) =>
      new Command(`rename list ${l} to ${name}`, async (model, api) => {
        const found = at(lists(model), l)
        if (!found) return
        const answer = await api.patch(`/lists/${found.list.id}`, { title: name })
        settle(answer, found.project.archived, 200, () => {
          found.list.title = name
        })
      }),
  ),
  n.map(
    l =>
      new Command(`delete list ${l}`, async (model, api) => {
        const found = at(lists(model), l)
        if (!found) return
        const answer = await api.delete(`/lists/${found.list.id}`)
        settle(answer, found.project.archived, 200, () => {
          expect(answer.body.data.deleted_tasks).toBe(found.list.tasks.length)
          found.project.lists = found.project.lists.filter(list => list !== found.list)
        })
      }),
  ),
  ...Array.from({ length: 3 }, () =>
    fc.tuple(n, title).map(
      ([l, name]) =>
        new Command(`create task in list ${l}`, async (model, api) => {
          const found = at(lists(model), l)
          if (!found) return
          const answer = await api.post(`/lists/${found.list.id}/tasks`, { title: name })
          const task = { title: name, completed_at: null, time_spent_minutes: null, comments: [] }
          settle(answer, found.project.archived, 201, () => found.list.tasks.push({ id: answer.body.data.id, ...task }))
        }),
    ),
  ),
  n.map(t =>
    onTask(
      'complete',
      async ({ project, task }, _, api) => {
        const answer = await api.post(`/tasks/${task.id}/complete`)
        settle(answer, project.archived, 200, () => {
          task.completed_at ??= answer.body.data.completed_at
          expect(answer.body.data.completed_at).toBe(task.completed_at)
        })
      },
      t,
    ),
  ),
  n.map(t =>
    onTask(
      'reopen',
      async ({ project, task }, _, api) => {
        settle(await api.post(`/tasks/${task.id}/incomplete`), project.archived, 200, () => {
          task.completed_at = null
        })
      },
      t,
    ),
  ),
  fc.tuple(n, n).map(([t, l]) =>
    onTask(
      `move to list ${l}`,
      async ({ project, list, task }, model, api) => {
        const target = at(lists(model), l) as NonNullable<ReturnType<typeof lists>[number]>
        const answer = await api.post(`/tasks/${task.id}/move`, { list_id: target.list.id })
        settle(answer, project.archived || target.project.archived, 200, () => {
          list.tasks = list.tasks.filter(each => each !== task)
          target.list.tasks.push(task)
        })
      },
      t,
    ),
  ),
  n.map(t =>
    onTask(
      'delete',
      async ({ project, list, task }, _, api) => {
        const answer = await api.delete(`/tasks/${task.id}`)
        settle(answer, project.archived, 200, () => {
          list.tasks = list.tasks.filter(each => each !== task)
        })
      },
      t,
    ),
  ),
  fc
    .tuple(n, fc.constantFrom(['1:30', 90], ['1.5', 90], ['٤٥', 45], ['', null], ['0', undefined]))
    .map(([t, [text, minutes]]) =>
      onTask(
        `time ${text}`,
        async ({ project, task }, _, api) => {
          const answer = await api.post(`/tasks/${task.id}/time`, { time_spent: text })
          if (minutes === undefined) expect(answer.status).toBe(project.archived ? 403 : 422)
          else
            settle(answer, project.archived, 200, () => {
              task.time_spent_minutes = minutes as number | null
            })
        },
        t,
      ),
    ),
  fc.tuple(n, title).map(([t, name]) =>
    onTask(
      `rename to ${name}`,
      async ({ project, task }, _, api) => {
        settle(await api.patch(`/tasks/${task.id}`, { title: name }), project.archived, 200, () => {
          task.title = name
        })
      },
      t,
    ),
  ),
  n.map(t =>
    onTask(
      'comment',
      async ({ project, list, task }, _, api) => {
        const [address, comments] = t % 2 ? [`/tasks/${task.id}`, task.comments] : [`/lists/${list.id}`, list.comments]
        const content = `Comment ${comments.length}`
        const answer = await api.post(`${address}/comments`, { content })
        settle(answer, project.archived, 201, () => comments.push({ id: answer.body.data.id, content }))
      },
      t,
    ),
  ),
  n.map(t =>
    onTask(
      'edit a comment',
      async ({ project, list, task }, _, api) => {
        const [address, comments] = t % 2 ? [`/tasks/${task.id}`, task.comments] : [`/lists/${list.id}`, list.comments]
        const comment = at(comments, t)
        if (!comment) return
        const content = `${comment.content}, edited`
        settle(await api.patch(`${address}/comments/${comment.id}`, { content }), project.archived, 200, () => {
          comment.content = content
        })
      },
      t,
    ),
  ),
  fc.tuple(n, fc.constantFrom('archive', 'unarchive', 'unarchive')).map(
    ([p, action]) =>
      new Command(`${action} ${p}`, async (model, api) => {
        const project = at(model.projects, p) as Project
        expect((await api.post(`/projects/${project.id}/${action}`)).status).toBe(200)
        project.archived = action === 'archive'
      }),
  ),
]

/** Compares everything at the end: projects, tasks in any order, comments. */
async function expectTheSame({ projects }: Model, api: Client) {
  const commentsOn = async (address: string): Promise<Comment[]> =>
    (await api.get(`${address}/comments?limit=100`)).body.data.map(({ id, content }: Comment) => ({ id, content }))
  for (const { id, archived, lists: all } of projects) {
    const counts = { task_lists_count: all.length, tasks_count: all.flatMap(list => list.tasks).length }
    expect((await api.get(`/projects/${id}`)).body.data).toMatchObject({ archived, ...counts })
    for (const list of all) {
      const { data } = (await api.get(`/lists/${list.id}/tasks?limit=100`)).body
      const byId = (records: { id: string }[]) => [...records].sort((a, b) => (a.id < b.id ? -1 : 1))
      expect(byId(data)).toMatchObject(byId(list.tasks.map(shownTask)))
      expect(await commentsOn(`/lists/${list.id}`)).toEqual(list.comments)
      for (const task of list.tasks) expect(await commentsOn(`/tasks/${task.id}`)).toEqual(task.comments)
    }
  }
}

export async function expectTheModelToAgree(app: TestApp, runs: number): Promise<void> {
  const company = await app.diwan.company()
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS, size: 'max' }), async sequence => {
    const model: Model = { projects: [] }
    for (let count = 0; count < 2; count++)
      model.projects.push({ id: (await app.diwan.project(company)).id, archived: false, lists: [] })
    const { api } = company
    await fc.asyncModelRun(() => ({ model, real: { api } }), sequence)
    await expectTheSame(model, api)
  })
  await fc.assert(property, { numRuns: runs, endOnFailure: true })
}
