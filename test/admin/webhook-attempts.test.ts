import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { INSTANT, newList, newTask } from '../support/factories.ts'
import { type Receiver, refused, startReceiver, taken } from '../support/receiver.ts'
import { until } from '../support/servers.ts'
import { startTestWebhooks } from '../support/worker.ts'

const app = useApp({ allowPrivateWebhooks: true })

const QUICK = [20, 20, 20, 20, 20, 20, 20, 20, 20]
const NEVER = [3_600_000]
const workers: { stop(): Promise<void> }[] = []
const work = (pausesMs: number[]) => workers.push(startTestWebhooks(app, pausesMs))
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()))
})

async function oneChange(receiver: Receiver, pausesMs: number[]) {
  const company = await app.diwan.company()
  const list = await newList(company, (await app.diwan.project(company)).id)
  const body = { name: 'Warehouse', url: receiver.url, kinds: ['task.*'] }
  const webhook = (await company.admin.post('/webhooks', body)).body.data
  await newTask(company, list.id, { title: 'شراء الأثاث' })
  work(pausesMs)
  return { company, list, webhook, ...reads(company, webhook.id) }
}

function reads({ admin }: TestCompany, webhook: number) {
  const log = async (state = '') => (await admin.get(`/webhooks/${webhook}/deliveries?state=${state}`)).body.data
  const attemptsOf = async (delivery: number) =>
    (await admin.get(`/webhooks/${webhook}/deliveries/${delivery}/attempts`)).body
  const settled = async (state: string) => {
    await until(async () => (await log())[0]?.state === state)
    return (await log())[0]
  }
  const replay = async (body: object) => (await admin.post(`/webhooks/${webhook}/replay`, body)).body.data.replayed
  return { log, attemptsOf, settled, replay }
}

const LONG_AGO = { since: '2026-01-01' }

describe('GET …/webhooks/{wid}/deliveries/{did}/attempts', () => {
  it('tells of each attempt when it was, what came back and what was sent, newest first', async () => {
    const receiver = await startReceiver((response, message, received) =>
      (received.length === 1 ? refused(503) : taken)(response, message, received),
    )
    const { company, webhook, settled, attemptsOf } = await oneChange(receiver, QUICK)
    const delivery = await settled('delivered')
    expect((await company.admin.get(`/webhooks/${webhook.id}/deliveries/${delivery.id}`)).body.data).toEqual(delivery)
    const { data, meta } = await attemptsOf(delivery.id)
    expect(data).toEqual([
      expect.objectContaining({ at: INSTANT, status: 200, error: null, response: '', ms: expect.any(Number) }),
      expect.objectContaining({ at: INSTANT, status: 503, error: 'status_503', response: 'No: 503' }),
    ])
    expect(meta).toMatchObject({ total: 2, next_cursor: null })
    for (const [n, { request }] of data.entries()) {
      const { headers, text } = receiver.received[1 - n] as (typeof receiver.received)[number]
      expect(request.url).toBe(receiver.url)
      expect(request.body).toBe(text)
      expect(headers).toMatchObject(request.headers)
      expect(new Webhook(webhook.secret).verify(request.body, request.headers)).toBeTruthy()
    }
  })

  it('keeps the last ten, replays included', async () => {
    const receiver = await startReceiver(refused(500))
    const { settled, attemptsOf, replay } = await oneChange(receiver, QUICK)
    const { id } = await settled('failed')
    const first = (await attemptsOf(id)).data
    expect(first).toHaveLength(10)
    receiver.answer(taken)
    expect(await replay(LONG_AGO)).toBe(1)
    await settled('delivered')
    const { data } = await attemptsOf(id)
    expect(data.slice(1)).toEqual(first.slice(0, 9))
    expect(data[0]).toMatchObject({ status: 200 })
  })

  it('has nothing that was sent where the secret cannot be read any more', async () => {
    const receiver = await startReceiver()
    const company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const body = { name: 'x', url: receiver.url, kinds: ['*'] }
    const webhook = (await company.admin.post('/webhooks', body)).body.data
    await app.database.pool.query(`update webhooks set secret = 'x' where id = $1`, [webhook.id])
    await newTask(company, list.id)
    work([])
    const { settled, attemptsOf } = reads(company, webhook.id)
    const { data } = await attemptsOf((await settled('failed')).id)
    expect(data).toMatchObject([{ status: null, error: 'secret_unreadable', request: null }])
  })

  it('is 404 for a delivery of another webhook or company, as is the delivery itself', async () => {
    const receiver = await startReceiver()
    const { company, webhook, settled } = await oneChange(receiver, NEVER)
    const { id } = await settled('delivered')
    const other = (await company.admin.post('/webhooks', { name: 'x', url: receiver.url, kinds: ['*'] })).body.data
    const stranger = await app.diwan.company()
    for (const end of ['', '/attempts']) {
      const at = (hook: number, delivery: number) => `/webhooks/${hook}/deliveries/${delivery}${end}`
      expect((await company.admin.get(at(webhook.id, id))).status).toBe(200)
      expect((await company.admin.get(at(other.id, id))).status).toBe(404)
      expect((await company.admin.get(at(webhook.id, id + 1_000_000))).status).toBe(404)
      expect((await stranger.admin.get(at(webhook.id, id))).status).toBe(404)
    }
  })
})

describe('A delivery that is being retried', () => {
  it('is told apart from one that waits for its first attempt and from one that was given up', async () => {
    const receiver = await startReceiver(refused(500))
    const { company, list, webhook, log } = await oneChange(receiver, NEVER)
    await until(async () => (await log('retrying')).length === 1)
    await Promise.all(workers.splice(0).map(worker => worker.stop()))
    await app.database.pool.query(
      `insert into webhook_deliveries (company_id, webhook_id, kind, change, record_id, project_id, at)
       values ($1, $2, 'task', 'created', $3, 'prj-0', now())`,
      [company.id, webhook.id, list.id],
    )
    const counts = async (state: string) => (await log(state)).map(({ attempts }: { attempts: number }) => attempts)
    expect(await counts('pending')).toEqual([0, 1])
    expect(await counts('retrying')).toEqual([1])
    expect(await counts('failed')).toEqual([])
  })

  it.each([{ failed_only: true }, {}])('is sent at once by a replay with %j, and starts over', async only => {
    const receiver = await startReceiver(refused(500))
    const { log, settled, replay } = await oneChange(receiver, NEVER)
    await until(async () => (await log('retrying')).length === 1)
    receiver.answer(taken)
    expect(await replay({ ...LONG_AGO, ...only })).toBe(1)
    expect(await settled('delivered')).toMatchObject({ attempts: 1 })
  })
})
