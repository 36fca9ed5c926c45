import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import { type Client, created } from '../support/diwan.ts'
import { audit, INSTANT } from '../support/factories.ts'
import { refused, startReceiver, taken } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'

const app = useApp({ allowPrivateWebhooks: true })
const strict = useApp()

const URL = 'http://127.0.0.1:9/hook?tenant=7'
const BODY = { name: 'Warehouse', url: URL, kinds: ['task.completed', 'discussion.*'] }

const newWebhook = async ({ admin }: { admin: Client }, fields: object = {}) =>
  (await created(admin.post('/webhooks', { ...BODY, ...fields }))).data

describe('POST …/webhooks', () => {
  it('makes a webhook of a project and kinds, shows its secret once, keeps it encrypted, and keeps the query of the url', async () => {
    const company = await app.diwan.company()
    const { secret, ...webhook } = await newWebhook(company)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toEqual({
      id: expect.any(Number),
      ...BODY,
      project: null,
      active: true,
      failing_since: null,
      switched_off_at: null,
      switched_off_because: null,
      created_by: { id: company.owner.id, name: company.owner.name, email: company.owner.email },
      created_at: INSTANT,
    })
    expect((await company.admin.get(`/webhooks/${webhook.id}`)).body).toEqual({ data: webhook })
    expect((await company.admin.get('/webhooks')).body.data).toEqual([webhook])
    const { rows } = await app.database.pool.query('select secret from webhooks where id = $1', [webhook.id])
    const kept = rows[0].secret as Buffer
    expect(kept.includes(Buffer.from(secret)) || kept.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false)
    const project = await app.diwan.project(company)
    const made = await newWebhook(company, { project: project.id, kinds: ['*', 'task.*', '*'], active: false })
    expect(made).toMatchObject({ project: project.id, kinds: ['*', 'task.*'], active: false })
  })

  it('refuses what is no name, url, kind or project of the company, as a change of it does', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const deleted = await app.diwan.project(company)
    await company.api.delete(`/projects/${deleted.id}`)
    const { id } = await newWebhook(company)
    for (const [field, value] of [
      ['name', ' '],
      ['name', null],
      ['url', 'ftp://example.com/'],
      ['url', 'nonsense'],
      ['url', 'https://user:pass@example.com/'],
      ['url', `https://example.com/${'x'.repeat(2_048)}`],
      ['kinds', []],
      ['kinds', 'task.*'],
      ['kinds', ['task']],
      ['kinds', ['task.archived']],
      ['kinds', ['event.created']],
      ['project', 'website-launch'],
      ['project', deleted.id],
      ['project', (await app.diwan.project(other)).id],
      ['active', 'yes'],
    ] as const)
      for (const answer of [
        await company.admin.post('/webhooks', { ...BODY, [field]: value }),
        await company.admin.patch(`/webhooks/${id}`, { [field]: value }),
      ])
        expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${field}\\b`)))
    expect((await company.admin.get('/webhooks')).body.data).toMatchObject([{ id, ...BODY, active: true }])
  })

  it('makes ten for a company and no more, however many ask at the same moment', async () => {
    const company = await app.diwan.company()
    const answers = await Promise.all(Array.from({ length: 14 }, () => company.admin.post('/webhooks', BODY)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(4).fill(422)])
    const { body } = await company.admin.get('/webhooks')
    expect(body.meta.total).toBe(10)
    await company.admin.delete(`/webhooks/${body.data[0].id}`)
    await newWebhook(company)
    expectRefusal(
      await company.admin.post('/webhooks', BODY),
      422,
      'unprocessable_entity',
      'webhooks are limited to 10 in a company: delete one first',
    )
  })

  it('asks for https and a public address unless private ones are allowed, and so does a change', async () => {
    const company = await strict.diwan.company()
    const { id } = await newWebhook(company, { url: 'https://1.1.1.1/?a=b' })
    for (const [url, message] of [
      ['http://1.1.1.1/', 'url must be an https URL'],
      ['https://localhost/', 'url must not lead to a private address'],
      ['https://[::1]/', 'url must not lead to a private address'],
    ] as const) {
      expectRefusal(await company.admin.post('/webhooks', { ...BODY, url }), 422, 'unprocessable_entity', message)
      expectRefusal(await company.admin.patch(`/webhooks/${id}`, { url }), 422, 'unprocessable_entity', message)
    }
  })
})

describe('PATCH …/webhooks/{wid}', () => {
  it('changes what is sent and nothing else', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const { secret, ...webhook } = await newWebhook(company, { project: project.id })
    let expected = webhook
    for (const change of [{ kinds: ['*'], active: false }, {}, { project: null }, { name: 'Store' }]) {
      expected = { ...expected, ...change }
      const { status, body } = await company.admin.patch(`/webhooks/${webhook.id}`, change)
      expect([status, body]).toEqual([200, { data: expected }])
    }
  })

  it('forgets the failures of one that is switched on again or moves', async () => {
    const company = await app.diwan.company()
    const { id } = await newWebhook(company)
    const fail = (active: boolean) =>
      app.database.pool.query(
        `update webhooks set failing_since = now(), warned_at = now(), active = $2,
           switched_off_at = now(), switched_off_because = 'failing' where id = $1`,
        [id, active],
      )
    const afresh = { failing_since: null, switched_off_at: null, switched_off_because: null, active: true }
    const failing = { failing_since: INSTANT, active: true }
    const url = `${URL}&moved`
    for (const [wasActive, change, expected] of [
      [false, { active: true }, afresh],
      [true, { active: true }, failing],
      [true, { url }, afresh],
      [true, { url }, failing],
    ] as const) {
      await fail(wasActive)
      const { data } = (await company.admin.patch(`/webhooks/${id}`, change)).body
      expect([change, data]).toMatchObject([change, expected])
    }
  })
})

it('Making, changing, rotating and deleting a webhook is audited without its address or secret; it goes with its log', async () => {
  const company = await app.diwan.company()
  const { id, secret } = await newWebhook(company)
  await leaveDelivery(app.database.db, id)
  await company.admin.patch(`/webhooks/${id}`, { kinds: ['*'], active: false })
  await company.admin.patch(`/webhooks/${id}`, { kinds: ['*'] })
  const rotated = (await company.admin.post(`/webhooks/${id}/rotate`)).body.data.secret
  const { status, body } = await company.admin.delete(`/webhooks/${id}`)
  expect([status, body]).toEqual([200, { data: { deleted: true, webhook: { id, name: 'Warehouse' } } }])
  expectRefusal(await company.admin.get(`/webhooks/${id}`), 404, 'not_found')
  const entries = await audit(company, 4)
  const target = { type: 'webhook', id, name: 'Warehouse' }
  expect(entries).toMatchObject([
    { operation: 'webhooks:destructive', target, changes: {} },
    { operation: 'webhooks:write', target, changes: { secret: null } },
    { operation: 'webhooks:write', target, changes: { kinds: null, active: null } },
    { operation: 'webhooks:write', target, changes: { name: null, url: null, kinds: null, active: null } },
  ])
  for (const hidden of ['127.0.0.1:9', secret, rotated]) expect(JSON.stringify(entries)).not.toContain(hidden)
})

describe('POST …/webhooks/{wid}/test', () => {
  it('sends a signed ping, also from one that is switched off, and answers with what came back', async () => {
    const company = await app.diwan.company()
    const receiver = await startReceiver(response => response.writeHead(201).end('شكرًا'))
    const { id, secret } = await newWebhook(company, { url: receiver.url, active: false })
    const test = async () => (await company.admin.post(`/webhooks/${id}/test`)).body.data
    const delivered = { delivered: true, status: 201, error: null, ms: expect.any(Number), response: 'شكرًا' }
    expect(await test()).toEqual(delivered)
    const [ping] = receiver.received
    expect(new Webhook(secret).verify(ping?.text ?? '', ping?.headers as Record<string, string>)).toEqual({
      id,
      type: 'ping',
      timestamp: INSTANT,
      company_id: company.id,
      project_id: null,
      parent_id: null,
      parent_kind: null,
      actor: company.owner.name,
      fields: null,
      data: null,
    })
    await company.admin.patch(`/webhooks/${id}`, { active: true })
    receiver.answer(refused(410))
    expect(await test()).toMatchObject({ delivered: false, status: 410, error: 'status_410', response: 'No: 410' })
    expect((await company.admin.get(`/webhooks/${id}`)).body.data).toMatchObject({ active: true, failing_since: null })
    expect((await company.admin.get(`/webhooks/${id}/deliveries`)).body.meta.total).toBe(0)
  })

  it('sends one at a time', async () => {
    const company = await app.diwan.company()
    let answer = () => {}
    const receiver = await startReceiver(response => {
      answer = () => response.end()
    })
    const { id } = await newWebhook(company, { url: receiver.url })
    const test = () => company.admin.post(`/webhooks/${id}/test`)
    const first = test()
    await until(async () => receiver.received.length === 1)
    expectRefusal(await test(), 409, 'conflict')
    answer()
    expect((await first).status).toBe(200)
    receiver.answer(taken)
    expect((await test()).status).toBe(200)
  })
})

it('A rotated secret is a new one; messages are signed with the old one too for 24 hours', async () => {
  const company = await app.diwan.company()
  const receiver = await startReceiver()
  const { id, secret: old } = await newWebhook(company, { url: receiver.url })
  const { secret } = (await company.admin.post(`/webhooks/${id}/rotate`)).body.data
  expect(secret).not.toBe(old)
  const isSignedWith = async (by: string) => {
    await company.admin.post(`/webhooks/${id}/test`)
    const { text, headers } = receiver.received.at(-1) as (typeof receiver.received)[number]
    try {
      return Boolean(new Webhook(by).verify(text, headers as Record<string, string>))
    } catch {
      return false
    }
  }
  const age = (interval: string) =>
    app.database.pool.query(
      `update webhooks set previous_secret_until = previous_secret_until - interval '${interval}' where id = $1`,
      [id],
    )
  await age('23 hours 50 minutes')
  expect([await isSignedWith(old), await isSignedWith(secret)]).toEqual([true, true])
  await age('10 minutes')
  expect([await isSignedWith(old), await isSignedWith(secret)]).toEqual([false, true])
})
