import { expect } from 'vitest'
import type { Answer } from '../../support/diwan.ts'
import { addressOfList } from './lists.ts'
import {
  type Act,
  at,
  type Choices,
  frozen,
  type List,
  lists,
  type Model,
  members,
  type Project,
  type Refusal,
  remove,
  settle,
  type Task,
  taken,
  tasks,
} from './state.ts'

type Found = ReturnType<typeof tasks>[number]

export const addressOfTask = (found: Found, isNested: boolean) =>
  isNested ? `${addressOfList(found, true)}/tasks/${found.task.id}` : `/tasks/${found.task.id}`

const TIMES = [
  ['1:30', 90],
  ['1.5', 90],
  ['٤٥', 45],
  ['', null],
  ['0', undefined],
] as const

const newTask = (id: string, title: string): Task => ({
  id,
  title,
  external_id: null,
  completed_at: null,
  time_spent_minutes: null,
  assignee: null,
  comments: [],
})

/** A task cannot be assigned to somebody outside of its project; whoever has it may keep it. */
const outsider = (model: Model, project: Project, person: string | null, task?: Task): Refusal =>
  person === null || person === task?.assignee || members(model, project).includes(person) ? undefined : 422

const onTask =
  (act: (found: Found, ...given: [...Parameters<Act>]) => Promise<void>): Act =>
  async (model, api, choices) => {
    const found = at(tasks(model), choices.n)
    if (found) await act(found, model, api, choices)
  }

const immovable = (model: Model, { project, task }: Found, target: { project: Project }): Refusal =>
  frozen(project, target.project) ??
  (project === target.project ? undefined : outsider(model, target.project, task.assignee))

function moveTo({ list, task }: Found, target: { list: List }): void {
  remove(list.tasks, task)
  target.list.tasks.push(task)
}

function complete(task: Task, shown: Answer['body']): void {
  task.completed_at ??= shown.completed_at
  expect(shown.completed_at).toBe(task.completed_at)
}

const personOf = ({ people }: Model, { n, isOther }: Choices) => (isOther ? people.other : n % 2 ? people.signer : null)

export const ON_TASKS: Record<string, Act> = {
  async createTask(model, api, { m, text: title, external_id: id, isNested, isOther }) {
    const found = at(lists(model), m)
    if (!found) return
    const external_id = isOther ? id : null
    const answer = await api.post(`${addressOfList(found, isNested)}/tasks`, { title, external_id })
    const known = tasks(model).map(({ task }) => task)
    settle(answer, frozen(found.project) ?? taken(known, external_id), 201, () =>
      found.list.tasks.push({ ...newTask(answer.body.data.id, title), external_id }),
    )
  },

  async createTasks(model, api, choices) {
    const { m, text: title, isNested } = choices
    const found = at(lists(model), m)
    if (!found) return
    const assignee = personOf(model, choices)
    const sent = [{ title }, { title, assignee_email: assignee }]
    const answer = await api.post(`${addressOfList(found, isNested)}/tasks/batch`, { tasks: sent })
    settle(answer, frozen(found.project) ?? outsider(model, found.project, assignee), 201, () => {
      const [first, second] = answer.body.data.map(({ id }: { id: string }) => newTask(id, title))
      found.list.tasks.push(first, { ...second, assignee })
    })
  },

  updateTask: onTask(async (found, model, api, choices) => {
    const { project, task } = found
    const { text: title, isNested } = choices
    const assignee = personOf(model, choices)
    const answer = await api.patch(addressOfTask(found, isNested), { title, assignee_email: assignee })
    settle(answer, frozen(project) ?? outsider(model, project, assignee, task), 200, () =>
      Object.assign(task, { title, assignee }),
    )
  }),

  async upsertTask(model, api, { m, external_id, text: title }) {
    const here = at(lists(model), m)
    if (!here) return
    const known = tasks(model).find(({ task }) => task.external_id === external_id)
    const answer = await api.put(`/lists/${here.list.id}/tasks/ext:${external_id}`, { title })
    settle(answer, frozen(here.project, ...(known ? [known.project] : [])), known ? 200 : 201, () => {
      if (known) known.task.title = title
      else here.list.tasks.push({ ...newTask(answer.body.data.id, title), external_id })
    })
  },

  deleteTask: onTask(async (found, _model, api, { isNested }) => {
    settle(await api.delete(addressOfTask(found, isNested)), frozen(found.project), 200, () =>
      remove(found.list.tasks, found.task),
    )
  }),

  completeTask: onTask(async (found, _model, api, { isNested }) => {
    const answer = await api.post(`${addressOfTask(found, isNested)}/complete`)
    settle(answer, frozen(found.project), 200, () => complete(found.task, answer.body.data))
  }),

  reopenTask: onTask(async (found, _model, api, { isNested }) => {
    settle(await api.post(`${addressOfTask(found, isNested)}/incomplete`), frozen(found.project), 200, () => {
      found.task.completed_at = null
    })
  }),

  moveTask: onTask(async (found, model, api, { m, isNested }) => {
    const target = at(lists(model), m) as ReturnType<typeof lists>[number]
    const answer = await api.post(`${addressOfTask(found, isNested)}/move`, { list_id: target.list.id })
    settle(answer, immovable(model, found, target), 200, () => moveTo(found, target))
  }),

  setTaskTime: onTask(async (found, _model, api, { m, isNested }) => {
    const [time_spent, minutes] = TIMES[m % TIMES.length] as (typeof TIMES)[number]
    const answer = await api.post(`${addressOfTask(found, isNested)}/time`, { time_spent })
    settle(answer, frozen(found.project) ?? (minutes === undefined ? 422 : undefined), 200, () => {
      found.task.time_spent_minutes = minutes ?? null
    })
  }),

  /** All of three changes, or none: the last of them may be impossible. */
  changeTasks: onTask(async (found, model, api, { n, m, text: title }) => {
    const renamed = at(tasks(model), m) as Found
    const moved = at(tasks(model), n + m) as Found
    const target = at(lists(model), n) as ReturnType<typeof lists>[number]
    const changes = [
      { task: found.task.id, do: 'complete' },
      { task: renamed.task.id, do: 'update', title },
      { task: moved.task.id, do: 'move', list_id: target.list.id },
    ]
    const answer = await api.post('/company/tasks/batch', { changes })
    const refusal = frozen(found.project, renamed.project) ?? immovable(model, moved, target)
    settle(answer, refusal, 200, () => {
      complete(found.task, answer.body.data[0])
      renamed.task.title = title
      moveTo(moved, target)
    })
  }),
}
