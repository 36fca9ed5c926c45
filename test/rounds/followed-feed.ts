import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Client } from '../support/diwan.ts'
import { type Env, serve } from '../support/server-process.ts'

interface Rounds {
  writers: number
  seconds: number
  kills: number
}

type Shown = { [field: string]: unknown; id: string }
/** What follows from other records, and has no entry in the feed; and what only some answers show. */
const DERIVED = ['slug', 'project_slug', 'task_list_slug', 'task_lists_count', 'tasks_count', 'completed_tasks_count']

/**
 * Writers and a reader that knows nothing but the feed, while the server is killed: in the end what the reader has put
 * together is what is there. Writes that are refused, and those that a kill cuts short, are among them.
 */
export async function expectFollowed(env: Env, { writers, seconds, kills }: Rounds): Promise<void> {
  let server = await serve(env)
  const { key } = await server.diwan.company({ plan: 'enterprise', daily_calls: null })
  /** Whatever fails on the way is tried again, as a client would. */
  const call = async (send: (api: Client) => ReturnType<Client['get']>): ReturnType<Client['get']> => {
    for (;;) {
      const answer = await send(server.diwan.api(key)).catch(() => undefined)
      if (answer && answer.status < 500) return answer
      await sleep(50)
    }
  }
  const start = (await call(api => api.get('/company/changes'))).body.meta.next_cursor
  let isOver = false
  // The last steps of the writers are under way for a while after it is over.
  let isWritten = false
  const work = Array.from({ length: writers }, () => write(call, () => isOver))
  const reader = follow(call, start, () => isWritten)

  for (let kill = 0; kill < kills; kill++) {
    await sleep((seconds * 1_000) / (kills + 1))
    await server.end('SIGKILL')
    server = await serve(env)
  }
  await sleep((seconds * 1_000) / (kills + 1))
  isOver = true
  const written = (await Promise.all(work)).reduce((sum, count) => sum + count, 0)
  isWritten = true
  const { mirror, entries } = await reader
  const there = await readEverything(call)
  expect([...mirror.keys()].sort()).toEqual([...there.keys()].sort())
  for (const [id, record] of there) expect(mirror.get(id)).toEqual(record)
  expect(there.size).toBeGreaterThan(writers)
  expect(Math.min(entries, written)).toBeGreaterThan(there.size)
  await server.end('SIGTERM')
}

type Call = (send: (api: Client) => ReturnType<Client['get']>) => ReturnType<Client['get']>
const pick = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)] as T

/** One who does this and that in a project of their own, some of it refused. */
async function write(call: Call, isOver: () => boolean): Promise<number> {
  let done = 0
  const project = (await call(api => api.post('/projects', { name: 'Mirror' }))).body.data.id
  const lists: string[] = []
  const addList = async () => {
    const made = await call(api => api.post(`/projects/${project}/lists`, { title: 'List' }))
    if (made.status === 201) lists.push(made.body.data.id)
  }
  for (let n = 0; n < 2; n++) await addList()
  const tasks: string[] = []
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const made = await call(api => api.post(`/lists/${pick(lists)}/tasks`, { title: `Task ${Math.random()}` }))
      if (made.status === 201) tasks.push(made.body.data.id)
    },
    async () => call(api => api.patch(`/tasks/${pick(tasks)}`, { title: `Changed ${Math.random()}`, notes: null })),
    async () => call(api => api.patch(`/tasks/${pick(tasks)}`, { title: 'Refused', due_at: '2026-02-31' })),
    async () => call(api => api.post(`/tasks/${pick(tasks)}/${pick(['complete', 'incomplete'])}`)),
    async () => call(api => api.post(`/tasks/${pick(tasks)}/move`, { list_id: pick(lists) })),
    async () => call(api => api.patch(`/lists/${pick(lists)}`, { title: `List ${Math.random()}`, priority: 'high' })),
    async () => call(api => api.delete(`/tasks/${pick(tasks)}`)),
    async () => {
      if (Math.random() > 0.1) return
      await call(api => api.delete(`/lists/${pick(lists)}`))
      await addList()
    },
    async () => {
      await call(api => api.post(`/projects/${project}/archive`))
      await call(api => api.patch(`/tasks/${pick(tasks)}`, { title: 'Frozen' }))
      await call(api => api.post(`/projects/${project}/unarchive`))
    },
  ]
  for (; !isOver(); done++) await (tasks.length === 0 ? steps[0] : pick(steps))?.()
  return done
}

const ADDRESSES: Record<string, string> = { project: '/projects', task_list: '/lists', task: '/tasks' }

async function follow(call: Call, start: string, isWritten: () => boolean) {
  const mirror = new Map<string, Shown>()
  const parents = new Map<string, string>()
  const look = async (kind: string, id: string) => {
    const { status, body } = await call(api => api.get(`${ADDRESSES[kind]}/${id}`))
    if (status === 200) mirror.set(id, ownFields(body.data))
    else mirror.delete(id)
    return status === 200
  }
  let entries = 0
  let after = start
  for (let isLast = false; ; isLast = isWritten()) {
    const { data, meta } = (await call(api => api.get(`/company/changes?after=${after}&limit=50`))).body
    for (const { kind, id, parent_id } of data) {
      entries++
      const isThere = await look(kind, id)
      if (kind === 'task') parents.set(id, parent_id)
      // What was in it is gone with it, or has gone elsewhere.
      if (kind === 'task_list' && !isThere)
        for (const [task, list] of parents) if (list === id) await look('task', task)
    }
    after = meta.next_cursor
    if (isLast && data.length === 0) return { mirror, entries }
    if (data.length === 0) await sleep(50)
  }
}

function ownFields(record: Shown): Shown {
  const own = { ...record }
  for (const field of DERIVED) delete own[field]
  // A list is complete when its tasks are.
  if (record.id.startsWith('lst-')) for (const field of ['completed', 'completed_at']) delete own[field]
  return own
}

async function readEverything(call: Call): Promise<Map<string, Shown>> {
  const records = new Map<string, Shown>()
  const all = async (path: string): Promise<Shown[]> => {
    const found: Shown[] = []
    for (let total = 1; found.length < total; ) {
      const { data, meta } = (await call(api => api.get(`${path}?limit=100&offset=${found.length}`))).body
      found.push(...data)
      total = meta.total
    }
    for (const record of found) records.set(record.id, ownFields(record))
    return found
  }
  for (const project of await all('/projects'))
    for (const list of await all(`/projects/${project.id}/lists`)) await all(`/lists/${list.id}/tasks`)
  return records
}
