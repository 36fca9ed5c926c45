import { expect } from 'vitest'
import type { Answer, Client, Diwan, TestCompany } from './diwan.ts'
import { created } from './diwan.ts'

export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

type Fields = Record<string, unknown>
type Caller = { api: Client }

export async function newList({ api }: Caller, project: string, fields: Fields = {}) {
  return (await created(api.post(`/projects/${project}/lists`, { title: 'Furniture', ...fields }))).data
}

export async function newTask({ api }: Caller, list: string, fields: Fields = {}) {
  return (await created(api.post(`/lists/${list}/tasks`, { title: 'Buy desks', ...fields }))).data
}

export async function newDiscussion({ api }: Caller, project: string, fields: Fields = {}) {
  return (await created(api.post(`/projects/${project}/discussions`, { title: 'Moving day', ...fields }))).data
}

/** A comment at an address such as `/tasks/tsk-…`. */
export async function newComment({ api }: Caller, address: string, fields: Fields = {}) {
  return (await created(api.post(`${address}/comments`, { content: 'Agreed', ...fields }))).data
}

/** A file without bytes, for tests that need any file of a project. */
export async function newLink({ api }: Caller, project: string, fields: Fields = {}) {
  const link = { name: 'Plan.pdf', external_url: 'https://example.com/plan.pdf', ...fields }
  return (await created(api.post(`/projects/${project}/links`, link))).data
}

/** A company with a project that has a list, a task and a discussion. `SLUGS` has their slugs. */
export async function furnishWork(diwan: Diwan, settings: Fields = {}) {
  const company = await diwan.company(settings)
  const project = await diwan.project(company, { name: 'انتقال المكتب' })
  const list = await newList(company, project.id)
  const task = await newTask(company, list.id)
  const discussion = await newDiscussion(company, project.id)
  return { company, project, list, task, discussion }
}
export type Work = Awaited<ReturnType<typeof furnishWork>>

/** The slugs of the records of `furnishWork`, as they appear in a path. */
export const SLUGS = {
  project: encodeURIComponent('انتقال-المكتب'),
  list: 'furniture',
  task: 'buy-desks',
  discussion: 'moving-day',
}

/** An operation on a record: the method, the path below the record's address, and a valid body. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  below: string
  needs: string
  body?: Fields
}

const comments: Operation[] = [
  { method: 'GET', below: '/comments', needs: 'comments:read' },
  { method: 'POST', below: '/comments', needs: 'comments:write', body: { content: 'Agreed' } },
]

/** The operations on a single comment. */
export const onComment = (id: number): Operation[] => [
  { method: 'GET', below: `/comments/${id}`, needs: 'comments:read' },
  { method: 'PATCH', below: `/comments/${id}`, needs: 'comments:write', body: { content: 'Changed' } },
]

/** Deleting comes last, so that the others still have something to work on. */
export const ON_LIST: Operation[] = [
  { method: 'GET', below: '', needs: 'task_lists:read' },
  { method: 'PATCH', below: '', needs: 'task_lists:write', body: { notes: 'Changed' } },
  { method: 'GET', below: '/tasks', needs: 'tasks:read' },
  { method: 'POST', below: '/tasks', needs: 'tasks:write', body: { title: 'New' } },
  { method: 'POST', below: '/tasks/batch', needs: 'tasks:write', body: { tasks: [{ title: 'New' }] } },
  ...comments,
  { method: 'DELETE', below: '', needs: 'task_lists:destructive' },
]

export const onTask = (destination: string): Operation[] => [
  { method: 'GET', below: '', needs: 'tasks:read' },
  { method: 'PATCH', below: '', needs: 'tasks:write', body: { notes: 'Changed' } },
  { method: 'POST', below: '/complete', needs: 'tasks:write' },
  { method: 'POST', below: '/incomplete', needs: 'tasks:write' },
  { method: 'POST', below: '/time', needs: 'tasks:write', body: { time_spent: '1:30' } },
  { method: 'POST', below: '/move', needs: 'tasks:write', body: { list_id: destination } },
  ...comments,
  { method: 'DELETE', below: '', needs: 'tasks:destructive' },
]

export const ON_DISCUSSION: Operation[] = [
  { method: 'GET', below: '', needs: 'discussions:read' },
  { method: 'PATCH', below: '', needs: 'discussions:write', body: { body: 'Changed' } },
  ...comments,
  { method: 'DELETE', below: '', needs: 'discussions:destructive' },
]

const JSON_BODY = { 'content-type': 'application/json' }

export function perform(api: Client, { method, below, body }: Operation, address: string): Promise<Answer> {
  return api.send(method, address + below, body && { body: JSON.stringify(body), headers: JSON_BODY })
}

/** Every operation at every address is answered as if the record had never existed. */
export async function expectNothingAt(api: Client, operations: Operation[], addresses: string[]): Promise<void> {
  const body = { error: { code: 'not_found', message: 'The record was not found.' } }
  for (const address of addresses) {
    for (const operation of operations) {
      const answer = await perform(api, operation, address)
      const where = `${operation.method} ${address}${operation.below}`
      expect({ where, status: answer.status, body: answer.body }).toEqual({ where, status: 404, body })
    }
  }
}

export async function audit({ admin }: TestCompany, limit = 1) {
  return (await admin.get(`/audit?limit=${limit}`)).body.data
}
