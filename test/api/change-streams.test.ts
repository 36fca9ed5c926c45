import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeCursor } from '../../src/domain/feed/cursor.ts'
import { feedEpoch } from '../../src/domain/feed/feed.ts'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { feedSettled } from '../support/feed.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { until } from '../support/servers.ts'

const app = useApp()
let company: TestCompany
let list: { id: string }
beforeAll(async () => {
  company = await app.diwan.company()
  list = await newList(company, (await app.diwan.project(company)).id)
})

const open: Listening[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave()
})

/** A client that listens on its own connection until it disconnects. */
async function listen(key: string, { after, lastEventId }: { after?: string; lastEventId?: string } = {}) {
  await feedSettled(app.database.pool)
  const query = after === undefined ? '' : `?after=${after}`
  const stream = await listenTo(`${app.url}/api/v1/company/changes${query}`, {
    authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  })
  open.push(stream)
  return stream
}

const idsOf = ({ changes }: Listening) => changes.map(({ id }) => id)

describe('A stream', () => {
  it('goes on where another one ended: from its last id, which outranks the cursor of the address', async () => {
    const first = await listen(company.key)
    const start = first.lastId()
    const one = await newTask(company, list.id)
    await until(async () => first.changes.length === 1)
    const lastEventId = first.lastId()
    first.leave()
    const two = await newTask(company, list.id)
    const second = await listen(company.key, { after: start, lastEventId })
    await until(async () => second.changes.length > 0)
    expect(idsOf(second)).toEqual([two.id])
    const again = await listen(company.key, { after: start })
    await until(async () => again.changes.length > 1)
    expect(idsOf(again)).toEqual([one.id, two.id])
  })

  it('makes a cursor no younger before it has brought what comes after it', async () => {
    const atMs = Math.floor(Date.now() / 1_000 - 29.9 * 86_400) * 1_000
    const after = writeCursor({ epoch: await feedEpoch(app.database.db), atMs, tx: '0', id: 0 })
    const stream = await listen(company.key, { after })
    expect(stream.body().match(/^id: (.+)$/m)?.[1]).toBe(after)
  })

  it('brings each entry once and in order to clients that are at different places', async () => {
    const start = (await listen(company.key)).lastId()
    const made: string[] = []
    const streams: Listening[] = []
    for (let n = 0; n < 12; n++) {
      made.push((await newTask(company, list.id, { title: `At once ${n}` })).id)
      if (n % 4 === 0) streams.push(await listen(company.key, { after: start }))
    }
    // Whatever comes twice comes before this.
    made.push((await newTask(company, list.id, { title: 'Last' })).id)
    await until(async () => streams.every(stream => idsOf(stream).includes(made.at(-1) as string)))
    for (const stream of streams) expect(idsOf(stream)).toEqual(made)
  })

  it('ends when its key is revoked or loses account:read, shows no kind that its key may not read any more, and else goes on', async () => {
    const mint = async () => (await company.admin.post('/keys', { name: 'Stream', access: 'read' })).body.data
    const [revoked, barred, narrowed, other] = [await mint(), await mint(), await mint(), await mint()]
    const streams: Listening[] = []
    for (const { key } of [revoked, barred, narrowed, other]) streams.push(await listen(key))
    const [one, two, three, four] = streams as [Listening, Listening, Listening, Listening]
    await company.admin.delete(`/keys/${revoked.id}`)
    await company.admin.patch(`/keys/${barred.id}`, { operations: ['tasks:read'] })
    await company.admin.patch(`/keys/${narrowed.id}`, { operations: ['account:read', 'projects:read'] })
    await until(async () => one.ended() && two.ended())
    const task = await newTask(company, list.id)
    const project = await app.diwan.project(company)
    await until(async () => three.changes.length > 0 && four.changes.length > 1)
    expect([idsOf(three), idsOf(four)]).toEqual([[project.id], [task.id, project.id]])
    expect([three.ended(), four.ended()]).toEqual([false, false])
  })

  it('is one of five that a key may have, and makes room when it is left', async () => {
    const { key } = (await company.admin.post('/keys', { name: 'Five', access: 'read' })).body.data
    const streams = []
    for (let n = 0; n < 5; n++) streams.push(await listen(key))
    const sixth = await listen(key)
    expect(sixth.status).toBe(429)
    expect(JSON.parse(sixth.body())).toEqual({ error: expect.stringContaining('5 streams') })
    streams[0]?.leave()
    await until(async () => (await listen(key)).status === 200)
  })

  it('costs one call, and is 410 from a cursor that is no good', async () => {
    const counted = await app.diwan.company({ daily_calls: 100 })
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'))
    const before = remaining(await counted.api.get('/me'))
    const stream = await listen(counted.key)
    await app.diwan.project(counted)
    await until(async () => stream.changes.length === 1)
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(stream.changes).toMatchObject([{ kind: 'project', change: 'created' }])
    expect([Number(stream.headers['x-ratelimit-remaining']), remaining(await counted.api.get('/me'))]).toEqual([
      before - 1,
      before - 3,
    ])
    const lost = await listen(counted.key, { lastEventId: 'lost' })
    expect([lost.status, JSON.parse(lost.body()).error.code]).toEqual([410, 'cursor_expired'])
  })

  it('is not kept open by a HEAD', async () => {
    const { key } = (await company.admin.post('/keys', { name: 'Head', access: 'read' })).body.data
    for (let n = 0; n < 8; n++) {
      const answer = await fetch(`${app.url}/api/v1/company/changes`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      })
      expect(answer.status).toBe(200)
    }
  })
})
