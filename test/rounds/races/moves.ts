import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Client, Diwan, TestCompany } from '../../support/diwan.ts'
import { created } from '../../support/diwan.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../../support/factories.ts'
import { random } from '../../support/random.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { anyNode, expectRightCounts, race } from './racing.ts'

interface Write {
  name: string
  method: string
  /** As in the description: `/tasks/{task}/complete`. */
  path: string
  statuses: number[]
  hasBody: boolean
}

/** Every operation of the description that writes. */
function everyWrite(): Write[] {
  interface Operation {
    operationId: string
    requestBody?: object
    responses: Record<string, object>
  }
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody, responses }]) => {
      if (!['post', 'put', 'patch', 'delete'].includes(method)) return []
      const statuses = Object.keys(responses).map(Number)
      return [{ name: operationId, method: method.toUpperCase(), path, statuses, hasBody: requestBody !== undefined }]
    }),
  )
}

type Names = Record<string, string>

/** What is sent to an operation. One that is missing here fails the trial, so that none is forgotten. */
const BODIES: Record<string, (names: Names) => object> = {
  createProject: () => ({ name: 'Another' }),
  updateProject: () => ({ name: 'Renamed', metadata: { raced: 'yes' } }),
  upsertProject: () => ({ name: 'Upserted' }),
  createTaskList: () => ({ title: 'Another' }),
  updateTaskList: () => ({ title: 'Renamed' }),
  upsertTaskList: () => ({ title: 'Upserted' }),
  createTask: () => ({ title: 'Another' }),
  createTasks: () => ({ tasks: [{ title: 'One' }, { title: 'Two' }] }),
  updateTask: () => ({ title: 'Renamed', notes: 'Changed' }),
  upsertTask: () => ({ title: 'Upserted' }),
  moveTask: ({ third }) => ({ list_id: third }),
  setTaskTime: () => ({ time_spent: '1:30' }),
  changeTasks: ({ task }) => ({
    changes: [
      { task, do: 'update', notes: 'Changed' },
      { task, do: 'complete' },
    ],
  }),
  createTaskListComment: () => ({ content: 'Agreed' }),
  updateTaskListComment: () => ({ content: 'Changed' }),
  createTaskComment: () => ({ content: 'Agreed' }),
  updateTaskComment: () => ({ content: 'Changed' }),
  createDiscussionComment: () => ({ content: 'Agreed' }),
  updateDiscussionComment: () => ({ content: 'Changed' }),
  createDiscussion: () => ({ title: 'Another' }),
  updateDiscussion: () => ({ title: 'Renamed' }),
  upsertDiscussion: () => ({ title: 'Upserted' }),
  uploadFile: () => ({ name: 'plan.txt', content: 'Ten desks' }),
  createLink: () => ({ name: 'Plan', external_url: 'https://example.com/plan' }),
  createFolder: () => ({ name: 'Plans' }),
  updateFolder: () => ({ name: 'Renamed' }),
  createEvent: () => ({ name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }),
  updateEvent: () => ({ name: 'Renamed' }),
}

/** Each operation at each of its addresses, while a task is moved to a list of another project. Returns how many that were. */
export async function expectMovedThroughEveryWrite(nodes: ServerProcess[], passes: number): Promise<number> {
  const [first] = nodes as [ServerProcess]
  const writes = everyWrite()
  for (let pass = 0; pass < passes; pass++) {
    const company = await first.diwan.company()
    for (const write of writes) await expectMovedThrough(nodes, first.diwan, company, write)
    await expectRightCounts(company)
  }
  return writes.length * passes
}

async function expectMovedThrough(
  nodes: ServerProcess[],
  diwan: Diwan,
  company: TestCompany,
  write: Write,
): Promise<void> {
  const { names, task, origin, target } = await furnish(diwan, company, write)
  const body = write.hasBody ? BODIES[write.name.replace(/InProject$/, '')]?.(names) : undefined
  if (write.hasBody && !body) throw new Error(`There is nothing to send to ${write.name}`)
  const [moved, written] = await race(
    () => anyNode(nodes, company).post(`/tasks/${task}/move`, { list_id: target }),
    () => sendTo(anyNode(nodes, company), write, names, body),
  )
  const what = `${write.method} ${write.path} at ${names.list === origin ? 'the origin' : 'the destination'}`
  const said = { what, moved: moved?.status, written: written?.status }
  expect(said).toEqual({
    what,
    moved: expect.toSatisfy(status => movesOf(write).includes(status)),
    written: expect.toSatisfy(status => writesOf(write).includes(status) && write.statuses.includes(status)),
  })
  await expectOneTask(company.api, { write, task, origin, target, names, hasMoved: moved?.status === 200 })
}

/** What a move may be answered. What stands in its way are only deletions and an archive. */
function movesOf({ name }: Write): number[] {
  if (/^deleteTask(InProject)?$/.test(name)) return [200, 404]
  if (/^delete(TaskList|Project)/.test(name)) return [200, 404, 422]
  return name === 'archiveProject' ? [200, 403] : [200]
}

/** A task that is moved has left the list that a nested address names, and nothing else is missing. */
function writesOf({ path }: Write): number[] {
  return /\{list\}\/tasks\/\{task\}/.test(path) ? [200, 201, 404] : [200, 201]
}

interface Outcome {
  write: Write
  task: string
  origin: string
  target: string
  names: Names
  hasMoved: boolean
}

/** Wherever the task is now, it is there once; and it is gone only if something was deleted. */
async function expectOneTask(api: Client, { write, task, origin, target, names, hasMoved }: Outcome): Promise<void> {
  const { status, body } = await api.get(`/tasks/${task}`)
  if (status === 404) {
    expect(write.name).toMatch(/^delete(Task|Project)/)
    return
  }
  expect(status).toBe(200)
  const isMovedAgain = /^moveTask/.test(write.name)
  expect([hasMoved ? target : origin, ...(isMovedAgain ? [names.third] : [])]).toContain(body.data.task_list_id)
  const { data } = (await api.get(`/lists/${body.data.task_list_id}/tasks?limit=100`)).body
  expect(data.filter(({ id }: { id: string }) => id === task)).toHaveLength(1)
}

/** A task with a list to come from and one to go to, in two projects, and whatever else the address of the write names. */
async function furnish(diwan: Diwan, company: TestCompany, { path }: Write) {
  const unique = Math.random().toString(36).slice(2)
  const here = await diwan.project(company, { external_id: unique })
  const there = await diwan.project(company)
  const origin = await newList(company, here.id, { external_id: unique })
  const target = await newList(company, there.id)
  const task = await newTask(company, origin.id, { external_id: unique })
  // What is written below the task is at its origin; what is written to a list or project may as well be at its destination.
  const isAtOrigin = path.includes('{task}') || random() < 0.5
  const [project, list] = isAtOrigin ? [here.id, origin.id] : [there.id, target.id]
  const names: Names = { project, list, task: task.id, external_id: unique, third: origin.id }
  if (path.includes('{discussion}')) names.discussion = (await newDiscussion(company, project)).id
  if (path.includes('{file}')) names.file = (await newLink(company, project)).ref
  if (path.includes('{folder}'))
    names.folder = (await created(company.api.post(`/projects/${project}/folders`, { name: 'Old' }))).data.id
  if (path.includes('{event}'))
    names.event = (await created(company.api.post('/events', BODIES.createEvent?.(names)))).data.id
  const commented = /(tasks|discussions|lists)\/\{(\w+)\}\/comments\/\{comment\}/.exec(path)
  if (commented) names.comment = (await newComment(company, `/${commented[1]}/${names[commented[2] as string]}`)).id
  if (path.endsWith('/move')) names.third = (await newList(company, there.id)).id
  return { names, task: task.id as string, origin: origin.id as string, target: target.id as string }
}

function sendTo(api: Client, { method, path }: Write, names: Names, body: object | undefined) {
  const address = path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? `missing-${name}`)
  const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return api.send(method, address, sent)
}
