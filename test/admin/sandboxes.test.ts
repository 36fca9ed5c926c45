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
async function sandboxOf({ admin }: TestCompany) {
  const { data } = await created(admin.post('/sandbox'))
  return { ...data, api: app.diwan.api(data.key), admin: app.diwan.admin(data.id, data.owner_token) }
}

const daysUnused = (id: number, days: number) =>
  app.database.pool.query(
    `with k as (update api_keys set last_used_at = last_used_at - make_interval(days => $2) where company_id = $1)
     update companies set used_at = used_at - make_interval(days => $2) where id = $1`,
    [id, days],
  )

describe('A sandbox', () => {
  it('is a company of the same settings with the records of the demo, and its owner is who asked', async () => {
    const company = await app.diwan.company({ name: 'نجد', language: 'ar', second_calendar: 'islamic-umalqura' })
    await app.diwan.operator.patch(`/companies/${company.id}`, { daily_calls: 70 })
    const { status, body } = await company.admin.post('/sandbox')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
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
    const api = app.diwan.api(body.data.key)
    const projects = (await api.get('/projects')).body.data
    expect(projects.map(({ name }: { name: string }) => name).sort()).toEqual(
      ['Annual report 2026', 'Website launch', 'افتتاح فرع الرياض'].sort(),
    )
    expect((await api.get('/company/tasks')).body.meta.total).toBe(9)
    const admin = app.diwan.admin(body.data.id, body.data.owner_token)
    expect((await admin.get('/users')).body.meta.total).toBe(4)
    expect((await company.api.get('/projects')).body.meta.total).toBe(0)
    expect((await company.admin.get('')).body.data).toMatchObject({ sandbox: false, sandbox_id: body.data.id })
  })

  it('is marked wherever somebody asks where they are', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    for (const [here, isSandbox] of [
      [sandbox, true],
      [company, false],
    ] as const) {
      expect((await here.api.get('/me')).body.data.company.sandbox).toBe(isSandbox)
      expect((await here.admin.get('')).body.data.sandbox).toBe(isSandbox)
      const token = isSandbox ? sandbox.owner_token : company.ownerToken
      expect((await app.diwan.client('/admin/v1', token).get('/me')).body.data.company.sandbox).toBe(isSandbox)
    }
    const ids = async (wanted: boolean) =>
      (await app.diwan.operator.get(`/companies?sandbox=${wanted}&limit=100`)).body.data.map(
        ({ id }: { id: number }) => id,
      )
    expect([(await ids(true)).includes(sandbox.id), (await ids(true)).includes(company.id)]).toEqual([true, false])
    expect([(await ids(false)).includes(sandbox.id), (await ids(false)).includes(company.id)]).toEqual([false, true])
  })

  it('has keys of its own kind, rotated ones too, which open nothing but the sandbox', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    const made = await created(sandbox.admin.post('/keys', { name: 'x', access: 'write' }))
    const rotated = await created(sandbox.admin.post(`/keys/${made.data.id}/rotate`, {}))
    for (const key of [sandbox.key, made.data.key, rotated.data.key]) {
      expect(key).toMatch(/^svc_api_test_[0-9A-Za-z]{49}$/)
      expect((await app.diwan.api(key).get('/me')).body.data.company.name).toBe(sandbox.name)
      const withoutMark = key.replace('test_', '')
      expectRefusal(await app.diwan.api(withoutMark).get('/me'), 401, 'unauthorized')
    }
    const real = (await created(company.admin.post('/keys', { name: 'x', access: 'read' }))).data.key
    expect(real).toMatch(/^svc_api_[0-9A-Za-z]{49}$/)
    const marked = real.replace('svc_api_', 'svc_api_test_')
    expectRefusal(await app.diwan.api(marked).get('/me'), 401, 'unauthorized')
    const project = await app.diwan.project(company)
    expectRefusal(await sandbox.api.get(`/projects/${project.id}`), 404, 'not_found')
    expectRefusal(await app.diwan.admin(company.id, sandbox.owner_token).get(''), 404, 'not_found')
    expectRefusal(await app.diwan.admin(sandbox.id, company.ownerToken).get(''), 404, 'not_found')
  })

  it('is for owners, one at a time, and has none of its own', async () => {
    const company = await app.diwan.company()
    for (const role of ['manager', 'member']) {
      const { admin } = await app.diwan.person(company.id, { role })
      const asked = [await admin.post('/sandbox'), await admin.post('/sandbox/enter'), await admin.delete('/sandbox')]
      for (const answer of asked) expectRefusal(answer, 403, 'forbidden')
    }
    expectRefusal(await company.admin.post('/sandbox/enter'), 404, 'not_found')
    expectRefusal(await company.admin.delete('/sandbox'), 404, 'not_found')
    const answers = await Promise.all([1, 2, 3].map(() => company.admin.post('/sandbox')))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { owner_token, id } = (answers.find(({ status }) => status === 201) as Answer).body.data
    expectRefusal(await app.diwan.admin(id, owner_token).post('/sandbox'), 409, 'conflict')
    expectRefusal(await app.diwan.operator.post(`/companies/${company.id}/sandbox`), 409, 'conflict')
  })

  it('gives no new allowance when it is closed and made again, and follows the terms of its company', async () => {
    const company = await app.diwan.company({ daily_calls: 5 })
    const first = await sandboxOf(company)
    for (let n = 0; n < 3; n++) expect((await first.api.get('/me')).status).toBe(200)
    expect((await company.admin.delete('/sandbox')).body.data).toEqual({
      deleted: true,
      company: { id: first.id, name: first.name },
    })
    expectRefusal(await first.api.get('/me'), 404, 'not_found')
    const second = await sandboxOf(company)
    expect((await second.api.get('/me')).headers.get('x-ratelimit-remaining')).toBe('1')
    expect((await company.api.get('/me')).headers.get('x-ratelimit-remaining')).toBe('4')

    await app.diwan.operator.patch(`/companies/${company.id}`, { daily_calls: 9 })
    expect((await second.api.get('/me')).headers.get('x-ratelimit-remaining')).toBe('4')
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expectRefusal(await second.api.post('/projects', { name: 'x' }), 403, 'forbidden')
    await app.diwan.operator.patch(`/companies/${company.id}`, { plan: 'free' })
    expectRefusal(await second.api.get('/me'), 403, 'plan_upgrade_required')
    await company.admin.patch('', { name: 'Other' })
    expect((await app.diwan.operator.get(`/companies/${second.id}`)).body.data.name).toBe(second.name)
  })

  it('is entered from the console with a click, and the session in the company ends', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    const { browser } = await signIn(app.diwan, { token: company.ownerToken })
    const entered = await browser.post(`/companies/${company.id}/sandbox/enter`)
    expect(entered.status).toBe(201)
    expect(entered.body.data).toMatchObject({
      user: { email: company.owner.email, role: 'owner' },
      company: { id: sandbox.id, sandbox: true },
    })
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
    expect((await app.diwan.operator.post(`/companies/${company.id}/sandbox/enter`)).status).toBe(403)
  })

  it('is audited in its company, without a secret', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    await company.admin.post('/sandbox/enter')
    await company.admin.delete('/sandbox')
    const { data } = (await company.admin.get('/audit')).body
    const told = data.filter(({ path }: { path: string }) => path.includes('/sandbox'))
    expect(told.map(({ method, operation }: Record<string, string>) => `${method} ${operation}`)).toEqual([
      'DELETE companies:destructive',
      'POST sessions:write',
      'POST companies:write',
    ])
    expect(told[2]).toMatchObject({
      by: { kind: 'person', id: company.owner.id },
      target: { type: 'company', id: sandbox.id, name: sandbox.name },
      changes: { plan: { from: null, to: 'enterprise' } },
    })
    for (const secret of [sandbox.key, sandbox.owner_token]) expect(JSON.stringify(data)).not.toContain(secret)
  })

  it('mails nobody, shows the codes of its invitations, and calls webhooks as any company does', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    const receiver = await startReceiver()
    await created(sandbox.admin.post('/webhooks', { name: 'x', url: receiver.url, kinds: ['task.created'] }))
    const project = await app.diwan.project(company)
    await app.diwan.person(company.id)
    await newDiscussion(company, project.id)
    await newDiscussion(sandbox, 'website-launch')
    const invited = await created(
      sandbox.admin.post('/users', { name: 'Sara', email: 'sara@example.com', role: 'manager' }),
    )
    expect(invited.data.invitation.code).toMatch(/^svc_inv_/)
    const list = (await sandbox.api.get('/projects/website-launch/lists')).body.data[0]
    const task = await newTask(sandbox, list.id)

    const sent: string[] = []
    const mailer = { send: async ({ to }: { to: string }) => void sent.push(to), check: () => {}, close: () => {} }
    const clean = { scan: async () => ({ state: 'clean' }) } as never
    const webhooks = startTestWebhooks(app, [10])
    await until(async () => receiver.received.some(({ text }) => text.includes(task.id))).finally(webhooks.stop)
    const worker = startTestWorker(app, clean, { mailer: mailer as unknown as Mailer })
    try {
      await until(async () => {
        const { rows } = await app.database.pool.query(
          `select count(*) as n from pgboss.job
           where name in ('notify-people', 'mail-notification') and (data ->> 'company_id')::bigint = any($1)`,
          [[company.id, sandbox.id]],
        )
        return Number(rows[0].n) === 0
      })
    } finally {
      await worker.stop()
    }
    const notified = (await sandbox.admin.get('/notifications')).body.data
    expect(notified.length).toBeGreaterThan(0)
    const people = (await sandbox.admin.get('/users')).body.data.map(({ email }: { email: string }) => email)
    expect(sent.filter(to => people.includes(to) && to !== company.owner.email)).toEqual([])
    expect(sent.length).toBeGreaterThan(0)
    for (const { emailed_at } of notified) expect(emailed_at).toBeNull()
  })
})

describe('A sandbox that nobody uses', () => {
  it('is removed after 30 days without a call or a session, and not before', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    await sandbox.api.get('/me')
    await daysUnused(sandbox.id, 29)
    await doStep(app, 'idle_sandboxes')
    expect((await sandbox.api.get('/me')).status).toBe(200)
    await daysUnused(company.id, 99)
    await daysUnused(sandbox.id, 1)
    await doStep(app, 'idle_sandboxes')
    expectRefusal(await sandbox.api.get('/me'), 404, 'not_found')
    expectRefusal(await app.diwan.operator.post(`/companies/${sandbox.id}/reopen`), 409, 'conflict')
    const [entry] = (await company.admin.get(`/audit?target_id=${sandbox.id}`)).body.data
    expect(entry).toMatchObject({ by: { kind: 'operator' }, target: { type: 'company', id: sandbox.id } })
    expect(entry.reason).toContain('30 days')
    await until(async () => {
      await doStep(app, 'closed_companies').catch(() => {})
      return (await app.diwan.operator.get(`/companies/${sandbox.id}`)).status === 404
    })
    expect((await company.api.get('/me')).status).toBe(200)
    expect((await company.admin.post('/sandbox')).status).toBe(201)
  })

  it.each([
    ['a call with a key', (sandbox: Awaited<ReturnType<typeof sandboxOf>>) => sandbox.api.get('/me')],
    ['a call with a token', (sandbox: Awaited<ReturnType<typeof sandboxOf>>) => sandbox.admin.get('/keys')],
    [
      'a session',
      (sandbox: Awaited<ReturnType<typeof sandboxOf>>) => signIn(app.diwan, { token: sandbox.owner_token }),
    ],
  ])('is kept for %s', async (_how, use) => {
    const sandbox = await sandboxOf(await app.diwan.company())
    await daysUnused(sandbox.id, 40)
    await use(sandbox)
    await until(async () => {
      const { rows } = await app.database.pool.query(
        `select greatest(used_at, (select max(last_used_at) from api_keys where company_id = $1)) > now() - interval '1 hour' as is_noted
         from companies where id = $1`,
        [sandbox.id],
      )
      return rows[0].is_noted
    })
    await doStep(app, 'idle_sandboxes')
    expect((await sandbox.api.get('/me')).status).toBe(200)
  })
})

describe('When its company is closed, a sandbox', () => {
  const close = async (id: number) => {
    const { name } = (await app.diwan.operator.get(`/companies/${id}`)).body.data
    return app.diwan.operator.post(`/companies/${id}/close`, { name })
  }
  const reopen = (id: number) => app.diwan.operator.post(`/companies/${id}/reopen`)

  it('is closed with it, and opened with it again', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    await close(company.id)
    expectRefusal(await sandbox.api.get('/me'), 404, 'not_found')
    expectRefusal(await reopen(sandbox.id), 409, 'conflict')
    expect((await reopen(company.id)).status).toBe(200)
    expect((await sandbox.api.get('/me')).status).toBe(200)
    const { data } = (await app.diwan.operator.get(`/audit?target_id=${sandbox.id}`)).body
    expect(data).toHaveLength(2)
  })

  it('stays closed if it was closed before, and is not opened beside another', async () => {
    const company = await app.diwan.company()
    const first = await sandboxOf(company)
    await close(first.id)
    await close(company.id)
    await reopen(company.id)
    expectRefusal(await first.api.get('/me'), 404, 'not_found')
    const second = await sandboxOf(company)
    expectRefusal(await reopen(first.id), 409, 'conflict')
    await company.admin.delete('/sandbox')
    expect((await reopen(first.id)).status).toBe(200)
    expect((await first.api.get('/me')).status).toBe(200)
    expectRefusal(await second.api.get('/me'), 404, 'not_found')
  })

  it('is removed with it', async () => {
    const company = await app.diwan.company()
    const sandbox = await sandboxOf(company)
    await close(company.id)
    await app.database.pool.query(
      `update companies set closed_at = now() - interval '30 days' where $1 in (id, sandbox_of)`,
      [company.id],
    )
    await until(async () => {
      await doStep(app, 'closed_companies').catch(() => {})
      return (await app.diwan.operator.get(`/companies/${company.id}`)).status === 404
    })
    expect((await app.diwan.operator.get(`/companies/${sandbox.id}`)).status).toBe(404)
  })
})
