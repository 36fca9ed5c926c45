import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { INSTANT } from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { refused, startReceiver, taken } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'

const app = useApp({ allowPrivateWebhooks: true })
const strict = useApp()

const URL = 'http://127.0.0.1:9/hook?tenant=7'
const BODY = { name: 'Warehouse', url: URL, kinds: ['task.completed', 'discussion.*'] }

async function newWebhook({ admin }: { admin: Client }, fields: object = {}) {
  const { status, body } = await admin.post('/webhooks', { ...BODY, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

async function audited({ admin }: TestCompany, limit: number) {
  const { data } = (await admin.get(`/audit?limit=${limit}`)).body
  return data.toReversed()
}

describe('POST …/webhooks', () => {
  it('makes a webhook, shows its secret once, and keeps the query of the url', async () => {
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
    const shown = await company.admin.get(`/webhooks/${webhook.id}`)
    expect([shown.status, shown.body.data]).toEqual([200, webhook])
    expect(JSON.stringify((await company.admin.get('/webhooks')).body)).not.toContain('whsec_')
  })

  it('keeps the secret encrypted', async () => {
    const company = await app.diwan.company()
    const { id, secret } = await newWebhook(company)
    const { rows } = await app.database.pool.query('select secret from webhooks where id = $1', [id])
    const kept = rows[0].secret as Buffer
    expect(kept.includes(Buffer.from(secret)) || kept.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false)
  })

  it('takes a project, by its ref, and each kind once', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const made = await newWebhook(company, { project: project.id, kinds: ['*', 'task.*', '*'], active: false })
    expect(made).toMatchObject({ project: project.id, kinds: ['*', 'task.*'], active: false })
  })

  it.each([
    ['name', { name: ' ' }],
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: 'nonsense' }],
    ['url', { url: 'https://user:pass@example.com/' }],
    ['url', { url: `https://example.com/${'x'.repeat(2_048)}` }],
    ['kinds', { kinds: [] }],
    ['kinds', { kinds: 'task.*' }],
    ['kinds', { kinds: ['task'] }],
    ['kinds', { kinds: ['task.archived'] }],
    ['kinds', { kinds: ['event.created'] }],
    ['project', { project: 'prj-0000000000' }],
    ['project', { project: 'website-launch' }],
    ['active', { active: 'yes' }],
  ])('answers 422 naming %s to %j', async (field, fields) => {
    const company = await app.diwan.company()
    await app.diwan.project(company)
    const answer = await company.admin.post('/webhooks', { ...BODY, ...fields })
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${field}\\b`)))
    expect((await company.admin.get('/webhooks')).body.meta.total).toBe(0)
  })

  it("refuses another company's project as one that is not there", async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const project = await app.diwan.project(other)
    const answer = await company.admin.post('/webhooks', { ...BODY, project: project.id })
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^project /))
  })

  it('makes ten for a company and no more, however many ask at the same moment', async () => {
    const company = await app.diwan.company()
    const answers = await Promise.all(
      Array.from({ length: 14 }, () =>
        app.diwan.operator.post(`/companies/${company.id}/webhooks`, { ...BODY, name: 'Race' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(4).fill(422)])
    expectRefusal(
      await company.admin.post('/webhooks', BODY),
      422,
      'unprocessable_entity',
      'webhooks are limited to 10 in a company: delete one first',
    )
    const pages = await inPagesOfTwo(company.admin, '/webhooks')
    expect(pages[0].meta.total).toBe(10)
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }: { id: number }) => id))).size).toBe(10)
    await company.admin.delete(`/webhooks/${pages[0].data[0].id}`)
    expect((await newWebhook(company)).id).toEqual(expect.any(Number))
  })

  it('asks for https and a public address unless private ones are allowed', async () => {
    const company = await strict.diwan.company()
    const told = async (url: string) => (await company.admin.post('/webhooks', { ...BODY, url })).body.error?.message
    expect(await told('http://1.1.1.1/')).toBe('url must be an https URL')
    expect(await told('https://127.0.0.1/')).toBe('url must not lead to a private address')
    expect(await told('https://localhost/')).toBe('url must not lead to a private address')
    expect(await told('https://[::1]/')).toBe('url must not lead to a private address')
    expect(await told('https://1.1.1.1/?a=b')).toBeUndefined()
  })
})

describe('PATCH …/webhooks/{wid}', () => {
  it('changes what is sent and nothing else', async () => {
    const company = await app.diwan.company()
    const { secret, ...webhook } = await newWebhook(company)
    const answer = await company.admin.patch(`/webhooks/${webhook.id}`, { kinds: ['*'], active: false })
    expect([answer.status, answer.body.data]).toEqual([200, { ...webhook, kinds: ['*'], active: false }])
    const same = await company.admin.patch(`/webhooks/${webhook.id}`, {})
    expect([same.status, same.body.data]).toEqual([200, answer.body.data])
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
    await fail(false)
    expect((await company.admin.patch(`/webhooks/${id}`, { active: true })).body.data).toMatchObject(afresh)
    await fail(true)
    expect((await company.admin.patch(`/webhooks/${id}`, { url: `${URL}&moved` })).body.data).toMatchObject(afresh)
    await fail(true)
    expect((await company.admin.patch(`/webhooks/${id}`, { url: `${URL}&moved` })).body.data.failing_since).toEqual(
      INSTANT,
    )
  })

  it('refuses what a new webhook is refused for', async () => {
    const company = await strict.diwan.company()
    const { id } = await newWebhook(company, { url: 'https://1.1.1.1/' })
    for (const [field, change] of [
      ['url', { url: 'https://10.0.0.1/' }],
      ['kinds', { kinds: [] }],
      ['name', { name: null }],
      ['project', { project: 'prj-0000000000' }],
    ] as const)
      expectRefusal(
        await company.admin.patch(`/webhooks/${id}`, change),
        422,
        'unprocessable_entity',
        expect.stringMatching(new RegExp(`^${field} `)),
      )
  })
})

describe('DELETE …/webhooks/{wid}', () => {
  it('removes it, and a foreign one looks as if it were not there', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const { id } = await newWebhook(company)
    for (const [method, below] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/replay'],
    ])
      expect((await other.admin.send(method as string, `/webhooks/${id}${below}`)).status).toBe(404)
    const { status, body } = await company.admin.delete(`/webhooks/${id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, webhook: { id, name: 'Warehouse' } } }])
    expect((await company.admin.get(`/webhooks/${id}`)).status).toBe(404)
  })
})

describe('The audit', () => {
  it('tells who made, changed, rotated and deleted a webhook, without its address or secret', async () => {
    const company = await app.diwan.company()
    const { id, secret } = await newWebhook(company)
    await company.admin.patch(`/webhooks/${id}`, { kinds: ['*'], active: false })
    await company.admin.patch(`/webhooks/${id}`, { kinds: ['*'] })
    const rotated = (await company.admin.post(`/webhooks/${id}/rotate`)).body.data.secret
    await company.admin.delete(`/webhooks/${id}`)
    const entries = await audited(company, 4)
    const target = { type: 'webhook', id, name: 'Warehouse' }
    expect(entries).toMatchObject([
      { operation: 'webhooks:write', target, changes: { name: null, url: null, kinds: null, active: null } },
      { operation: 'webhooks:write', target, changes: { kinds: null, active: null } },
      { operation: 'webhooks:write', target, changes: { secret: null } },
      { operation: 'webhooks:destructive', target, changes: {} },
    ])
    const text = JSON.stringify(entries)
    for (const hidden of ['127.0.0.1:9', secret, rotated]) expect(text).not.toContain(hidden)
  })
})

describe('POST …/webhooks/{wid}/test', () => {
  it('sends a signed ping and answers with what came back', async () => {
    const company = await app.diwan.company()
    const receiver = await startReceiver(response => response.writeHead(201).end('شكرًا'))
    const { id, secret } = await newWebhook(company, { url: receiver.url, active: false })
    const { status, body } = await company.admin.post(`/webhooks/${id}/test`)
    expect([status, body.data]).toEqual([
      200,
      { delivered: true, status: 201, error: null, ms: expect.any(Number), response: 'شكرًا' },
    ])
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
    expect((await company.admin.get(`/webhooks/${id}/deliveries`)).body.meta.total).toBe(0)
  })

  it('answers with the failure when there is one, and changes nothing', async () => {
    const company = await app.diwan.company()
    const receiver = await startReceiver(refused(410))
    const { id } = await newWebhook(company, { url: receiver.url })
    expect((await company.admin.post(`/webhooks/${id}/test`)).body.data).toMatchObject({
      delivered: false,
      status: 410,
      error: 'status_410',
      response: 'No: 410',
    })
    expect((await company.admin.get(`/webhooks/${id}`)).body.data).toMatchObject({ active: true, failing_since: null })
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
    expect((await test()).status).toBe(409)
    answer()
    expect((await first).status).toBe(200)
    expect(receiver.received).toHaveLength(1)
    receiver.answer(taken)
    expect((await test()).status).toBe(200)
  })
})

describe('POST …/webhooks/{wid}/rotate', () => {
  it('makes a new secret, and signs with the old one too for 24 hours', async () => {
    const company = await app.diwan.company()
    const receiver = await startReceiver()
    const { id, secret: old } = await newWebhook(company, { url: receiver.url })
    const { status, body } = await company.admin.post(`/webhooks/${id}/rotate`)
    const { secret } = body.data
    expect([status, secret === old]).toEqual([200, false])
    const isSignedWith = async (by: string) => {
      await company.admin.post(`/webhooks/${id}/test`)
      const { text, headers } = receiver.received.at(-1) as (typeof receiver.received)[number]
      try {
        return Boolean(new Webhook(by).verify(text, headers as Record<string, string>))
      } catch {
        return false
      }
    }
    expect([await isSignedWith(old), await isSignedWith(secret)]).toEqual([true, true])
    const { rows } = await app.database.pool.query(
      `update webhooks set previous_secret_until = previous_secret_until - interval '24 hours' where id = $1
       returning previous_secret_until <= now() as over`,
      [id],
    )
    expect(rows[0].over).toBe(true)
    expect([await isSignedWith(old), await isSignedWith(secret)]).toEqual([false, true])
  })
})
