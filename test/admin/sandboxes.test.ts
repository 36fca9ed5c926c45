import { describe, expect, it } from 'vitest'
import type { Mailer } from '../../src/domain/ports/mailer.ts'
import { useOwnApp } from '../support/app.ts'
import { browserWith, cookieIn, signIn } from '../support/console.ts'
import { type Answer, created, type TestCompany } from '../support/diwan.ts'
import { newDiscussion, newTask } from '../support/factories.ts'
import { startReceiver } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'
import { startTestWebhooks, startTestWorker } from '../support/worker.ts'

const app = useOwnApp({ allowPrivateWebhooks: true, sendsMail: true })

/** The sandbox of a company as its owner gets it. */
async function sandboxOf({ admin }: Pick<TestCompany, 'admin'>) {
  const { data } = await created(admin.post('/sandbox'))
  return { ...data, api: app.diwan.api(data.key), admin: app.diwan.admin(data.id, data.owner_token) }
}

const close = async (id: number) => {
  const { name } = (await app.diwan.operator.get(`/companies/${id}`)).body.data
  return app.diwan.operator.post(`/companies/${id}/close`, { name })
}
const reopen = (id: number) => app.diwan.operator.post(`/companies/${id}/reopen`)

/** The upkeep removes it in steps, and what was just counted of its calls may come in between. */
const removed = (id: number) =>
  until(async () => {
    await doStep(app, 'closed_companies').catch(() => {})
    return (await app.diwan.operator.get(`/companies/${id}`)).status === 404
  })

describe('A sandbox', () => {
  it('is a company of the same settings with the records of the demo, marked everywhere, and its owner is who asked', async () => {
    const company = await app.diwan.company({ name: 'نجد', language: 'ar', second_calendar: 'islamic-umalqura' })
    await app.diwan.operator.patch(`/companies/${company.id}`, { daily_calls: 70 })
    const sandbox = await sandboxOf(company)
    expect(sandbox).toMatchObject({
      name: 'نجد (بيئة تجريبية)',
      sandbox: true,
      sandbox_of: company.id,
      time_zone: 'Asia/Riyadh',
      plan: 'enterprise',
      rest_api: true,
      daily_calls: 70,
      language: 'ar',
      second_calendar: 'islamic-umalqura',
      owner: { name: company.owner.name, email: company.owner.email, role: 'owner' },
      calls_today: 0,
      closed_at: null,
    })
    const projects = (await sandbox.api.get('/projects')).body.data.map(({ name }: { name: string }) => name)
    expect(projects.sort()).toEqual(['Annual report 2026', 'Website launch', 'افتتاح فرع الرياض'])
    expect((await sandbox.api.get('/company/tasks')).body.meta.total).toBe(9)
    expect((await sandbox.admin.get('/users')).body.meta.total).toBe(4)
    expect((await company.api.get('/projects')).body.meta.total).toBe(0)
    expect((await company.admin.get('')).body.data).toMatchObject({ sandbox: false, sandbox_id: sandbox.id })
    for (const [{ api, admin, id }, token, isSandbox] of [
      [sandbox, sandbox.owner_token, true],
      [company, company.ownerToken, false],
    ] as const) {
      expect((await api.get('/me')).body.data.company.sandbox).toBe(isSandbox)
      expect((await admin.get('')).body.data.sandbox).toBe(isSandbox)
      expect((await app.diwan.client('/admin/v1', token).get('/me')).body.data.company.sandbox).toBe(isSandbox)
      const listed = (await app.diwan.operator.get(`/companies?sandbox=${isSandbox}&limit=100`)).body.data
      const ids = listed.map((each: { id: number }) => each.id)
      expect([ids.includes(id), ids.includes(isSandbox ? company.id : sandbox.id)]).toEqual([true, false])
    }
  })

  it('has keys of its own kind, rotated ones too, which open nothing but the sandbox', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    const made = await created(sandbox.admin.post('/keys', { name: 'x', access: 'write' }))
    const rotated = await created(sandbox.admin.post(`/keys/${made.data.id}/rotate`, {}))
    for (const key of [sandbox.key, made.data.key, rotated.data.key]) {
      expect(key).toMatch(/^svc_api_test_[0-9A-Za-z]{49}$/)
      expect((await app.diwan.api(key).get('/me')).body.data.company.name).toBe(sandbox.name)
      expectRefusal(await app.diwan.api(key.replace('test_', '')).get('/me'), 401, 'unauthorized')
    }
    expect(company.key).toMatch(/^svc_api_[0-9A-Za-z]{49}$/)
    const marked = company.key.replace('svc_api_', 'svc_api_test_')
    expectRefusal(await app.diwan.api(marked).get('/me'), 401, 'unauthorized')
    const project = await app.diwan.project(company)
    expectRefusal(await sandbox.api.get(`/projects/${project.id}`), 404, 'not_found')
    expectRefusal(await app.diwan.admin(company.id, sandbox.owner_token).get(''), 404, 'not_found')
    expectRefusal(await app.diwan.admin(sandbox.id, company.ownerToken).get(''), 404, 'not_found')
  })

  it('is for owners, one at a time, has none of its own, and is audited in its company without a secret', async () => {
    const company = await app.diwan.company()
    expectRefusal(await company.admin.post('/sandbox/enter'), 404, 'not_found')
    expectRefusal(await company.admin.delete('/sandbox'), 404, 'not_found')
    const answers = await Promise.all([1, 2, 3].map(() => company.admin.post('/sandbox')))
    // Where one takes long, the others may be told to come back later.
    const [made, ...others] = answers.filter(({ status }) => ![409, 503].includes(status)) as [Answer]
    expect([made.status, others]).toEqual([201, []])
    const { data } = made.body
    expectRefusal(await company.admin.post('/sandbox'), 409, 'conflict')
    expectRefusal(await app.diwan.admin(data.id, data.owner_token).post('/sandbox'), 409, 'conflict')
    expectRefusal(await app.diwan.operator.post(`/companies/${company.id}/sandbox`), 409, 'conflict')
    await created(company.admin.post('/sandbox/enter'))
    await company.admin.delete('/sandbox')
    const audited = (await company.admin.get('/audit?outcome=allowed&limit=3')).body.data
    const target = { type: 'company', id: data.id, name: data.name }
    const by = { kind: 'person', id: company.owner.id }
    expect(audited).toMatchObject([
      { method: 'DELETE', operation: 'companies:destructive', by, target },
      { method: 'POST', operation: 'sessions:write', by, target: { type: 'session', name: data.name } },
      { method: 'POST', operation: 'companies:write', by, target, changes: { plan: { from: null, to: 'enterprise' } } },
    ])
    for (const secret of [data.key, data.owner_token]) expect(JSON.stringify(audited)).not.toContain(secret)
  })

  it('gives no new allowance when it is closed and made again, and follows the terms of its company', async () => {
    const company = await app.diwan.company({ daily_calls: 5 })
    const first = await sandboxOf(company)
    for (let n = 0; n < 3; n++) expect((await first.api.get('/me')).status).toBe(200)
    const closed = { deleted: true, company: { id: first.id, name: first.name } }
    expect((await company.admin.delete('/sandbox')).body.data).toEqual(closed)
    expectRefusal(await first.api.get('/me'), 404, 'not_found')
    const second = await sandboxOf(company)
    const left = async ({ api }: Pick<TestCompany, 'api'>) =>
      (await api.get('/me')).headers.get('x-ratelimit-remaining')
    expect([await left(second), await left(company)]).toEqual(['1', '4'])

    const set = (terms: object) => app.diwan.operator.patch(`/companies/${company.id}`, terms)
    await set({ daily_calls: 9 })
    expect(await left(second)).toBe('4')
    await set({ subscription: 'read_only' })
    expectRefusal(await second.api.post('/projects', { name: 'x' }), 403, 'forbidden')
    await set({ plan: 'free' })
    expectRefusal(await second.api.get('/me'), 403, 'plan_upgrade_required')
    await company.admin.patch('', { name: 'Other' })
    expect((await app.diwan.operator.get(`/companies/${second.id}`)).body.data.name).toBe(second.name)
  })

  it('is entered from the console with a click, and the session in the company ends', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    const { browser } = await signIn(app.diwan, { token: company.ownerToken })
    const entered = await browser.post(`/companies/${company.id}/sandbox/enter`)
    expect([entered.status, entered.body.data]).toMatchObject([
      201,
      { user: { email: company.owner.email, role: 'owner' }, company: { id: sandbox.id, sandbox: true } },
    ])
    const inside = browserWith(app.diwan, cookieIn(entered))
    expect((await inside.get('/me')).body.data.company.id).toBe(sandbox.id)
    expect((await inside.get(`/companies/${sandbox.id}/keys`)).status).toBe(200)
    expectRefusal(await inside.get(`/companies/${company.id}`), 404, 'not_found')
    expectRefusal(await browser.get('/me'), 401, 'unauthorized')

    const other = await app.diwan.person(company.id, { role: 'owner' })
    const second = await other.admin.post('/sandbox/enter')
    expect(second.body.data).toMatchObject({ user: { email: other.email, role: 'owner' }, company: { id: sandbox.id } })
    const people = (await sandbox.admin.get('/users')).body
    await other.admin.post('/sandbox/enter')
    expect((await sandbox.admin.get('/users')).body).toEqual(people)
    expectRefusal(await app.diwan.operator.post(`/companies/${company.id}/sandbox/enter`), 403, 'forbidden')
  })

  it('mails nobody, shows the codes of its invitations, and calls webhooks as any company does', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    const receiver = await startReceiver()
    await created(sandbox.admin.post('/webhooks', { name: 'x', url: receiver.url, kinds: ['task.created'] }))
    const { email } = await app.diwan.person(company.id)
    await newDiscussion(company, (await app.diwan.project(company)).id)
    await newDiscussion(sandbox, 'website-launch')
    const sara = { name: 'Sara', email: 'sara@example.com', role: 'manager' }
    expect((await created(sandbox.admin.post('/users', sara))).data.invitation.code).toMatch(/^svc_inv_/)
    const list = (await sandbox.api.get('/projects/website-launch/lists')).body.data[0]
    const task = await newTask(sandbox, list.id)

    const sent: string[] = []
    const mailer = { send: async ({ to }: { to: string }) => void sent.push(to), check: () => {}, close: () => {} }
    const clean = { scan: async () => ({ state: 'clean' }) } as never
    const webhooks = startTestWebhooks(app, [10])
    await until(async () => receiver.received.some(({ text }) => text.includes(task.id))).finally(webhooks.stop)
    const worker = startTestWorker(app, clean, { mailer: mailer as unknown as Mailer })
    await until(async () => {
      const { rows } = await app.database.pool.query(
        `select count(*) as n from pgboss.job
         where name in ('notify-people', 'mail-notification') and (data ->> 'company_id')::bigint = any($1)`,
        [[company.id, sandbox.id]],
      )
      return Number(rows[0].n) === 0
    }).finally(() => worker.stop())
    const notified = (await sandbox.admin.get('/notifications')).body.data
    expect(notified.length).toBeGreaterThan(0)
    const people = (await sandbox.admin.get('/users')).body.data.map((person: { email: string }) => person.email)
    expect(sent).toContain(email)
    expect(sent.filter(to => people.includes(to) && to !== company.owner.email)).toEqual([])
    for (const { emailed_at } of notified) expect(emailed_at).toBeNull()
  })

  it('that nobody has called or signed in to for 30 days is removed, and not before', async () => {
    const company = await app.diwan.company()
    const daysUnused = (id: number, days: number) =>
      app.database.pool.query(
        `with k as (update api_keys set last_used_at = last_used_at - make_interval(days => $2) where company_id = $1)
         update companies set used_at = used_at - make_interval(days => $2) where id = $1`,
        [id, days],
      )
    const uses = {
      'a call with a key': (sandbox: Awaited<ReturnType<typeof sandboxOf>>) => sandbox.api.get('/me'),
      'a call with a token': (sandbox: Awaited<ReturnType<typeof sandboxOf>>) => sandbox.admin.get('/keys'),
      'a session': (sandbox: Awaited<ReturnType<typeof sandboxOf>>) =>
        signIn(app.diwan, { token: sandbox.owner_token }),
    }
    const kept: Record<string, Awaited<ReturnType<typeof sandboxOf>>> = {}
    for (const [how, use] of Object.entries(uses)) {
      const used = await sandboxOf(await app.diwan.company())
      await daysUnused(used.id, 40)
      await use(used)
      await until(async () => {
        const { rows } = await app.database.pool.query(
          `select greatest(used_at, (select max(last_used_at) from api_keys where company_id = $1)) > now() - interval '1 hour' as is_noted
           from companies where id = $1`,
          [used.id],
        )
        return rows[0].is_noted
      })
      kept[how] = used
    }
    const sandbox = await sandboxOf(company)
    await sandbox.api.get('/me')
    await daysUnused(company.id, 99)
    await daysUnused(sandbox.id, 29)
    await doStep(app, 'idle_sandboxes')
    expect((await sandbox.api.get('/me')).status).toBe(200)
    await daysUnused(sandbox.id, 1)
    await doStep(app, 'idle_sandboxes')
    expectRefusal(await sandbox.api.get('/me'), 404, 'not_found')
    expectRefusal(await reopen(sandbox.id), 409, 'conflict')
    const [entry] = (await company.admin.get(`/audit?target_id=${sandbox.id}`)).body.data
    expect(entry).toMatchObject({ by: { kind: 'operator' }, target: { type: 'company', id: sandbox.id } })
    expect(entry.reason).toContain('30 days')
    await removed(sandbox.id)
    for (const [how, { api }] of [...Object.entries(kept), ['the company', company] as const])
      expect([how, (await api.get('/me')).status]).toEqual([how, 200])
    await sandboxOf(company)
  })

  it('is closed, opened and removed with its company; closed before, it stays closed, and is not opened beside another', async () => {
    const company = await app.diwan.company()
    const first = await sandboxOf(company)
    await close(company.id)
    expectRefusal(await first.api.get('/me'), 404, 'not_found')
    expectRefusal(await reopen(first.id), 409, 'conflict')
    expect((await reopen(company.id)).status).toBe(200)
    expect((await first.api.get('/me')).status).toBe(200)
    expect((await app.diwan.operator.get(`/audit?target_id=${first.id}`)).body.meta.total).toBe(2)

    await close(first.id)
    await close(company.id)
    await reopen(company.id)
    expectRefusal(await first.api.get('/me'), 404, 'not_found')
    const second = await sandboxOf(company)
    expectRefusal(await reopen(first.id), 409, 'conflict')
    await company.admin.delete('/sandbox')
    expect((await reopen(first.id)).status).toBe(200)
    expect([(await first.api.get('/me')).status, (await second.api.get('/me')).status]).toEqual([200, 404])

    await close(company.id)
    await app.database.pool.query(
      `update companies set closed_at = now() - interval '30 days' where $1 in (id, sandbox_of)`,
      [company.id],
    )
    await removed(company.id)
    expect((await app.diwan.operator.get(`/companies/${first.id}`)).status).toBe(404)
  })
})
