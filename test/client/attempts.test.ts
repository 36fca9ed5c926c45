import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDiwan, type Diwan, type Pause, type Settings } from '../../client/src/index.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { type Fate, type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'

const app = useApp()
let work: Work
let proxy: PlannedProxy
let diwan: Diwan
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  proxy = await startPlannedProxy(app.url)
  diwan = client()
})
beforeEach(() => {
  proxy.seen.length = 0
  proxy.fates = []
})

const client = (settings: Partial<Settings> = {}) => createDiwan({ url: proxy.url, key: work.company.key, ...settings })
const throttled =
  (seconds: number): Fate =>
  response =>
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) })
      .end(JSON.stringify({ error: `Too many requests. Try again in ${seconds} seconds.` }))
const busy: Fate = response => response.writeHead(503).end('{"error":{"code":"unavailable","message":"Busy."}}')
const names = () => proxy.seen.map(({ headers }) => headers['idempotency-key'])

describe('A call that got no answer', () => {
  it('is sent again, and a POST whose answer was lost is carried out once', async () => {
    proxy.fates = ['cut after', 'cut after']
    const list = await diwan.projects.createList(work.project.id, { title: 'Only once' })
    expect(proxy.seen).toHaveLength(3)
    expect([new Set(names()).size, names()[0]]).toEqual([1, expect.stringMatching(/^[\da-f]{32}$/)])
    const titles: string[] = []
    for await (const { id, title } of diwan.projects.lists(work.project.id)) if (id === list.id) titles.push(title)
    expect(titles).toEqual(['Only once'])
    const { total } = (await diwan.projects.lists(work.project.id).page()).meta
    expect(total).toBe(2)
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
    const told: number[] = []
    const onRetry = ({ waitMs, error }: Pause) => {
      expect(error.status).toBe(503)
      told.push(waitMs)
    }
    proxy.fates = Array.from({ length: 40 }, () => busy)
    const startedMs = Date.now()
    await expect(client({ retryForMs: 2_000, onRetry }).me()).rejects.toMatchObject({ code: 'unavailable' })
    expect(Date.now() - startedMs).toBeLessThan(60_000)
    expect(proxy.seen).toHaveLength(told.length + 1)
    expect(told.length).toBeGreaterThanOrEqual(2)
    proxy.seen.length = 0
    proxy.fates = ['hang', 'hang']
    await expect(client({ timeoutMs: 1_000, retryForMs: 0 }).me()).rejects.toMatchObject({ code: 'time_out' })
    expect(proxy.seen).toHaveLength(1)
  })

  it('outlives a server that is away for 20 seconds', { tags: ['long'], timeout: 120_000 }, async () => {
    const away = Date.now() + 20_000
    const fate: Fate = response => (Date.now() < away ? busy(response) : passOn(response))
    const passOn = (response: Parameters<typeof busy>[0]) => response.writeHead(200).end('{"data":{"company":{}}}')
    proxy.fates = Array.from({ length: 200 }, () => fate)
    await diwan.me()
    expect(Date.now()).toBeGreaterThanOrEqual(away)
    expect(proxy.seen.length).toBeLessThan(40)
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
    proxy.fates = [throttled(1), throttled(1)]
    const startedMs = performance.now()
    const told: Pause[] = []
    await client({ onWait: pause => told.push(pause) }).tasks.update(work.task.id, { notes: 'Patient' })
    expect(told.map(({ waitMs, error }) => [waitMs, error.status])).toEqual([
      [1_000, 429],
      [1_000, 429],
    ])
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_950)
    expect(proxy.seen).toHaveLength(3)

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
    await expect(diwan.me({ signal: AbortSignal.timeout(1_000) })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(proxy.seen).toHaveLength(1)
  })

  it('of a day without calls left, by the real server, is thrown at once', async () => {
    const poor = await app.diwan.company({ daily_calls: 1 })
    const spent = client({ key: poor.key })
    await spent.me()
    await expect(spent.me()).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    expect(proxy.seen).toHaveLength(2)
  })

  it('that another plan would lift is never sent again', async () => {
    const free = await app.diwan.company({ plan: 'free' })
    await expect(client({ key: free.key }).me()).rejects.toMatchObject({ status: 403, code: 'plan_upgrade_required' })
    const { company, task } = await furnishWork(app.diwan, { plan: 'advanced' })
    const recording = client({ key: company.key }).tasks.setTime(task.id, { time_spent: '1:30' })
    await expect(recording).rejects.toMatchObject({ status: 403, code: 'plan_upgrade_required' })
    expect(proxy.seen).toHaveLength(2)
  })

  it('because an external id is taken is never sent again, and names the record', async () => {
    const named = await diwan.lists.upsertTask(work.list.id, 'crm/77', { title: 'Desks' })
    const creating = diwan.lists.createTask(work.list.id, { title: 'Chairs', external_id: 'crm/77' })
    await expect(creating).rejects.toMatchObject({ status: 409, code: 'conflict', id: named.id })
    expect(proxy.seen).toHaveLength(2)
  })

  it('because another request was faster is tried again', async () => {
    const conflict: Fate = response => response.writeHead(409).end('{"error":{"code":"conflict","message":"Again."}}')
    proxy.fates = [conflict]
    expect((await diwan.tasks.update(work.task.id, { notes: 'Second try' })).notes).toBe('Second try')
    expect(proxy.seen).toHaveLength(2)
  })
})
