import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import { type Answer, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newDiscussion, newList, newTask } from '../support/factories.ts'
import { startReceiver } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { startTestWebhooks, startTestWorker } from '../support/worker.ts'

const app = useOwnApp({ allowPrivateWebhooks: true })

const nameOf = async ({ id }: TestCompany) => (await app.diwan.operator.get(`/companies/${id}`)).body.data.name
const close = async (company: TestCompany): Promise<Answer> =>
  app.diwan.operator.post(`/companies/${company.id}/close`, { name: await nameOf(company) })
const reopen = ({ id }: TestCompany) => app.diwan.operator.post(`/companies/${id}/reopen`)

describe('Closing a company', () => {
  it('makes it 404 at once to its keys, people and streams on every surface, until it is reopened', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const added = await created(company.admin.post('/users', { name: 'x', email: 'x@example.com' }))
    const { browser } = await signIn(app.diwan, { token: company.ownerToken })
    expect((await company.api.get('/me')).status).toBe(200)
    const headers = { authorization: `Bearer ${company.key}`, accept: 'text/event-stream' }
    const asking = get(`${app.url}/api/v1/company/changes`, { agent: false, headers })
    const [stream] = (await once(asking, 'response')) as [IncomingMessage]
    const ended = once(stream.resume(), 'close')
    const { status, body } = await close(company)
    expect([status, body.data.closed_at]).toEqual([200, INSTANT])
    await ended

    const nobody = app.diwan.client('/admin/v1')
    for (const answer of [
      await company.api.get('/me'),
      await company.api.post('/projects', { name: 'x' }),
      await company.admin.get(''),
      await company.admin.patch('', { name: 'x' }),
      await app.diwan.client('/admin/v1', company.ownerToken).get('/me'),
      await browser.get('/me'),
      await browser.delete('/sessions/current'),
      await nobody.post('/sessions', { token: company.ownerToken }),
      await nobody.post('/invitations/accept', { code: added.data.invitation.code }),
    ])
      expectRefusal(answer, 404, 'not_found')
    expect([(await other.api.get('/me')).status, (await other.admin.get('')).status]).toEqual([200, 200])

    expect((await reopen(company)).body.data.closed_at).toBeNull()
    const answers = [await company.api.get('/me'), await company.admin.get(''), await browser.get('/me')]
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
  })

  it('leaves the operator to read it and, for 30 days, to reopen it, and nothing else', async () => {
    const company = await app.diwan.company()
    await close(company)
    const below = `/companies/${company.id}`
    const { operator } = app.diwan
    for (const path of ['', '/users', '/keys', '/audit', '/webhooks', '/trash'])
      expect([path, (await operator.get(below + path)).status]).toEqual([path, 200])
    for (const answer of [
      await operator.patch(below, { name: 'x' }),
      await operator.post(`${below}/users`, { name: 'x', email: 'x@example.com' }),
      await operator.post(`${below}/keys`, { name: 'x', access: 'read' }),
      await operator.post(`${below}/users/${company.owner.id}/tokens`, { name: 'x' }),
      await operator.post(`${below}/webhooks/1/test`),
    ])
      expectRefusal(answer, 403, 'forbidden', 'The company is closed. Reopen it first.')
    const closedDaysAgo = (days: number) =>
      app.database.pool.query('update companies set closed_at = now() - make_interval(days => $2) where id = $1', [
        company.id,
        days,
      ])
    await closedDaysAgo(30)
    expectRefusal(await reopen(company), 409, 'conflict')
    await closedDaysAgo(29)
    expect((await reopen(company)).status).toBe(200)
  })

  it('asks for the name, exactly, and is for the operator alone', async () => {
    const company = await app.diwan.company({ name: 'نجد' })
    for (const body of [{}, { name: '' }, { name: 'نجد ' }, { name: 'Najd' }])
      expectRefusal(await app.diwan.operator.post(`/companies/${company.id}/close`, body), 422, 'unprocessable_entity')
    for (const path of ['/close', '/reopen'])
      expectRefusal(await company.admin.post(path, { name: 'نجد' }), 403, 'forbidden')
    expect((await company.admin.get('')).body.data.closed_at).toBeNull()
  })

  it('is audited in what is of no company, once however often it is asked for', async () => {
    const company = await app.diwan.company()
    const name = await nameOf(company)
    for (const change of [close, close, reopen, reopen]) expect((await change(company)).status).toBe(200)
    const { data } = (await app.diwan.operator.get(`/audit?target_id=${company.id}`)).body
    const by = { kind: 'operator' }
    const common = { by, target: { type: 'company', id: company.id, name }, changes: { closed_at: null } }
    const path = `/admin/v1/companies/${company.id}`
    expect(data).toMatchObject([
      { ...common, operation: 'companies:write', path: `${path}/reopen` },
      { ...common, operation: 'companies:destructive', path: `${path}/close` },
      {
        path: '/admin/v1/companies',
        operation: 'companies:write',
        changes: { plan: { from: null, to: 'enterprise' } },
      },
    ])
    const own: { operation: string }[] = (await company.admin.get('/audit')).body.data
    expect(own.map(({ operation }) => operation)).toEqual(['keys:write'])
  })
})

describe('A company that is closed', () => {
  it('has no webhooks, until it is reopened', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const receiver = await startReceiver()
    const body = { name: 'x', url: receiver.url, kinds: ['task.created', 'project.*'] }
    const { id } = (await created(company.admin.post('/webhooks', body))).data
    await created(other.admin.post('/webhooks', body))
    await leaveDelivery(app.database.db, id)
    const list = await newList(company, (await app.diwan.project(company)).id)
    await newTask(company, list.id)
    await close(company)
    const webhooks = startTestWebhooks(app, [3_600_000])
    try {
      await app.diwan.project(other)
      await until(async () => receiver.received.length > 0)
      const { data } = (await app.diwan.operator.get(`/companies/${company.id}/webhooks/${id}/deliveries`)).body
      expect(data).toMatchObject([{ record_id: 'tsk-0', state: 'pending', attempts: 0 }])
      expect(receiver.received).toHaveLength(1)
      await reopen(company)
      await until(async () => receiver.received.length === 4)
    } finally {
      await webhooks.stop()
    }
  })

  it('has no jobs: they are put off, and no mail is sent', async () => {
    const company = await app.diwan.company()
    await app.diwan.person(company.id)
    await newDiscussion(company, (await app.diwan.project(company)).id)
    await close(company)
    const worker = startTestWorker(app, {
      scan: () => Promise.reject(new Error('Nothing is scanned')),
      check: async () => ({ state: 'ok', message: 'Reads and writes.' }),
      close: async () => {},
    })
    const jobs = async () =>
      app.database.db.raw<{ state: string; is_later: boolean }>(
        `select state, start_after > now() + interval '50 minutes' as is_later from pgboss.job
         where (data ->> 'company_id')::bigint = $1`,
        [company.id],
      )
    try {
      await until(async () => (await jobs()).every(({ is_later }) => is_later))
      expect(await jobs()).toEqual([{ state: 'retry', is_later: true }])
    } finally {
      await worker.stop()
    }
  })
})

// The command that does it is tested in test/process.
it('A company that is being copied to another cell is only read, and goes on as before when that is over', async () => {
  const company = await app.diwan.company()
  const { id } = await newList(company, (await app.diwan.project(company)).id)
  const set = (moving: string | null, cell: number | null) =>
    app.database.pool.query('update companies set moving = $2, moved_to = $3 where id = $1', [company.id, moving, cell])
  await set('leaving', 2)
  for (const answer of [await company.api.delete(`/lists/${id}`), await company.admin.patch('', { name: 'x' })])
    expectRefusal(answer, 503, 'unavailable')
  expect((await company.api.get(`/lists/${id}`)).status).toBe(200)
  await set(null, null)
  await newTask(company, id)
})
