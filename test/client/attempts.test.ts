import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDiwan, type Diwan, type Pause, type Settings } from '../../client/src/index.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { type Fate, type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'

const app = useApp()
let work: Work
let proxy: PlannedProxy
let diwan: Diwan
/** How long the client would have waited before each further attempt. */
const waits: number[] = []
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  proxy = await startPlannedProxy(app.url)
  diwan = client()
})
beforeEach(() => {
  proxy.seen.length = 0
  proxy.fates = []
  waits.length = 0
})

function client(settings: Partial<Settings> = {}) {
  const wait = async (ms: number) => {
    waits.push(ms)
  }
  return createDiwan({ url: proxy.url, key: work.company.key, wait, ...settings })
}
const throttled =
  (seconds: number): Fate =>
  response =>
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) })
      .end(JSON.stringify({ error: `Too many requests. Try again in ${seconds} seconds.` }))
const busy: Fate = response => response.writeHead(503).end('{"error":{"code":"unavailable","message":"Busy."}}')
const names = () => proxy.seen.map(({ headers }) => headers['idempotency-key'])

describe('A call that got no answer', () => {
  it('is sent again after longer and longer pauses, and a POST whose answer was lost is carried out once', async () => {
    proxy.fates = [...Array(7).fill(busy), 'cut before', 'cut after', 'cut after']
    const list = await diwan.projects.createList(work.project.id, { title: 'Only once' })
    expect(proxy.seen).toHaveLength(11)
    expect([new Set(names()).size, names()[0]]).toEqual([1, expect.stringMatching(/^[\da-f]{32}$/)])
    for (const [n, ms] of waits.entries()) {
      const longest = Math.min(250 * 2 ** n, 5_000)
      expect([n, ms >= longest / 2 && ms <= longest]).toEqual([n, true])
    }
    const { data } = await diwan.projects.lists(work.project.id).page()
    expect(data.map(({ id }) => id)).toEqual([work.list.id, list.id])
  })

  it('is sent again with the name that the caller gave it, and no two calls have one name', async () => {
    proxy.fates = [busy]
    const named = { idempotencyKey: 'import-row-7' }
    const first = await diwan.lists.createTask(work.list.id, { title: 'Row 7' }, named)
    expect(await diwan.lists.createTask(work.list.id, { title: 'Row 7' }, named)).toEqual(first)
    expect(names()).toEqual(['import-row-7', 'import-row-7', 'import-row-7'])
    await diwan.tasks.complete(first.id)
    await diwan.tasks.complete(first.id)
    expect(new Set(names().slice(3)).size).toBe(2)
  })

  it('is given up after as long as the settings say, and each attempt is told', async () => {
    const told: Pause[] = []
    const settings = { key: work.company.key, url: proxy.url, onRetry: (each: Pause) => told.push(each) }
    proxy.fates = Array(40).fill(busy)
    await expect(createDiwan({ ...settings, retryForMs: 600 }).me()).rejects.toMatchObject({ code: 'unavailable' })
    expect(told.length).toBeGreaterThanOrEqual(1)
    expect(told.map(({ error }) => error.status)).toEqual(Array(proxy.seen.length - 1).fill(503))
  })

  it('is not sent again when it changes or deletes: nobody knows what it has done', async () => {
    proxy.fates = ['cut after']
    await expect(diwan.tasks.update(work.task.id, { notes: 'Once' })).rejects.toMatchObject({ code: 'network_error' })
    proxy.fates = [busy]
    const task = await client({ url: app.url }).lists.createTask(work.list.id, { title: 'To go' })
    await expect(diwan.tasks.delete(task.id)).rejects.toMatchObject({ status: 503 })
    expect(proxy.seen).toHaveLength(2)
  })
})

describe('A refusal', () => {
  it('for now is waited out for as long as it says, within the limit', async () => {
    proxy.fates = [throttled(1), throttled(2)]
    const told: Pause[] = []
    await client({ onWait: pause => told.push(pause) }).tasks.update(work.task.id, { notes: 'Patient' })
    expect(told.map(({ waitMs, error }) => [waitMs, error.status])).toEqual([
      [1_000, 429],
      [2_000, 429],
    ])
    expect([waits, proxy.seen.length]).toEqual([[1_000, 2_000], 3])
    proxy.fates = [throttled(1), throttled(1), throttled(1)]
    await expect(client({ maxWaitMs: 1_500 }).me()).rejects.toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(proxy.seen).toHaveLength(5)
  })

  it('for longer than the limit is thrown at once, with the flat body of the throttle as its message', async () => {
    proxy.fates = [throttled(3600)]
    await expect(diwan.me()).rejects.toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'Too many requests. Try again in 3600 seconds.',
      retryAfterSeconds: 3600,
    })
    expect(proxy.seen).toHaveLength(1)
  })

  it('ends the wait when the caller aborts', async () => {
    proxy.fates = [throttled(30)]
    const aborting = new AbortController()
    const waiting = createDiwan({ url: proxy.url, key: work.company.key, onWait: () => aborting.abort() })
    await expect(waiting.me({ signal: aborting.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(proxy.seen).toHaveLength(1)
  })

  it('for good, by the real server, is never sent again', async () => {
    const [poor, free] = [await app.diwan.company({ daily_calls: 1 }), await app.diwan.company({ plan: 'free' })]
    const spent = client({ key: poor.key })
    await spent.me()
    await expect(spent.me()).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    await expect(client({ key: free.key }).me()).rejects.toMatchObject({ status: 403, code: 'plan_upgrade_required' })
    expect(proxy.seen).toHaveLength(3)
    const named = await diwan.lists.upsertTask(work.list.id, 'crm/77', { title: 'Desks' })
    const creating = diwan.lists.createTask(work.list.id, { title: 'Chairs', external_id: 'crm/77' })
    await expect(creating).rejects.toMatchObject({ status: 409, code: 'conflict', id: named.id })
    expect(proxy.seen).toHaveLength(5)
  })

  it('because another request was faster is tried again', async () => {
    proxy.fates = [response => response.writeHead(409).end('{"error":{"code":"conflict","message":"Again."}}')]
    expect((await diwan.tasks.update(work.task.id, { notes: 'Second try' })).notes).toBe('Second try')
    expect(proxy.seen).toHaveLength(2)
  })
})
