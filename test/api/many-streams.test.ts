// @module-tag long

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, feedSettled } from '../support/feed.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { requestText } from '../support/raw-http.ts'
import { until } from '../support/servers.ts'

const statements: string[] = []
const app = useOwnApp({ onFeedStatement: text => statements.push(text) })
let company: TestCompany
let list: { id: string }
beforeAll(async () => {
  company = await app.diwan.company()
  list = await newList(company, (await app.diwan.project(company)).id)
})

const open: Listening[] = []
const stalled: Socket[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.leave()
  for (const each of stalled.splice(0)) each.destroy()
})

async function listen(key: string): Promise<Listening> {
  const stream = await listenTo(`${app.url}/api/v1/company/changes`, { authorization: `Bearer ${key}` })
  open.push(stream)
  return stream
}

async function mint({ admin }: TestCompany, name: string): Promise<{ id: number; key: string }> {
  return (await admin.post('/keys', { name, access: 'read' })).body.data
}

/** This many streams of a company, with keys of their own, five for each. */
async function listenWithKeys(owner: TestCompany, count: number) {
  const keys: { id: number; key: string }[] = []
  for (let n = 0; n < count / 5; n++) keys.push(await mint(owner, `Key ${n}`))
  const streams = await Promise.all(
    Array.from({ length: count }, (_, n) => listen(keys[n % keys.length]?.key as string)),
  )
  return { keys, streams }
}

describe('The streams of a company', () => {
  it('share one reading of a change, and one of their keys', async () => {
    const { keys, streams } = await listenWithKeys(company, 20)
    await feedSettled(app.database.pool)
    await newTask(company, list.id)
    await until(async () => streams.every(({ body }) => body().includes('data: ')))
    statements.splice(0)
    const task = await newTask(company, list.id)
    await until(async () => streams.every(({ body }) => body().includes(task.id)))
    const readings = () => statements.filter(text => text.includes('json_agg(entry)'))
    expect(readings()).toHaveLength(1)
    statements.splice(0)
    await company.admin.patch(`/keys/${keys[0]?.id}`, { operations: ['tasks:read'] })
    await until(async () => streams.filter(({ ended }) => ended()).length === 5)
    expect(statements.filter(text => text.includes('from api_keys'))).toHaveLength(1)
  })

  it('are 500 at most, which leaves room for other companies, and brings them their changes', async () => {
    const { streams } = await listenWithKeys(company, 500)
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(500)
    const further = (await mint(company, 'One more')).key
    const refused = await listen(further)
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.body())).toEqual({ error: expect.stringContaining('500 streams') })

    const other = await app.diwan.company()
    const others = await listen(other.key)
    expect(others.status).toBe(200)
    const [task, project] = await Promise.all([newTask(company, list.id), app.diwan.project(other)])
    await until(async () => others.body().includes(project.id) && streams.every(({ body }) => body().includes(task.id)))

    streams[0]?.leave()
    await until(async () => (await listen(further)).status === 200)
  })
})

it('A client that takes nothing is cut off, counts until then, and has little kept for it', async () => {
  const { key } = await mint(company, 'Stalled')
  const start = await cursorOfNow(app, company.api)
  await app.database.pool.query(
    `insert into changes (company_id, kind, change, record_id, project_id, actor)
     select $1, 'task', 'updated', 'tsk-0000000000', 'prj-0000000000', repeat('x', 1000) from generate_series(1, 12000)`,
    [company.id],
  )
  await feedSettled(app.database.pool)
  for (let n = 0; n < 4; n++) await listen(key)
  const answer = await stall(key, start)
  expect((await listen(key)).status).toBe(429)
  let mostKept = 0
  // The kernel takes what it has room for, and then nothing more.
  await until(async () => {
    mostKept = Math.max(mostKept, answer.writableLength + (answer.socket?.writableLength ?? 0))
    return answer.destroyed
  })
  expect(mostKept).toBeGreaterThan(0)
  expect(mostKept).toBeLessThan(1_000_000)
  expect((await listen(key)).status).toBe(200)
})

/** Asks for a stream and never reads it. Returns the server's side of it, which waits for less than the usual minute. */
async function stall(key: string, after: string): Promise<ServerResponse> {
  expect(app.server.timeout).toBe(60_000)
  app.server.timeout = 3_000
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname).pause()
  stalled.push(socket)
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
  socket.write(requestText('GET', `/api/v1/company/changes?after=${after}`, headers))
  const [, answer] = await once(app.server, 'request')
  app.server.timeout = 60_000
  await until(async () => answer.headersSent)
  return answer
}
