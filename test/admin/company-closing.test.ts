import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
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
const closedDaysAgo = ({ id }: TestCompany, days: number) =>
  app.database.pool.query('update companies set closed_at = now() - make_interval(days => $2) where id = $1', [
    id,
    days,
  ])

describe('Closing a company', () => {
  it('makes it 404 at once to its keys and people on every surface, and to nobody else', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const added = await company.admin.post('/users', { name: 'x', email: 'x@example.com' })
    const { browser } = await signIn(app.diwan, { token: company.ownerToken })
    expect((await company.api.get('/me')).status).toBe(200)
    const { status, body } = await close(company)
    expect([status, body.data.closed_at]).toEqual([200, INSTANT])

    const nobody = app.diwan.client('/admin/v1')
    const refused = [
      await company.api.get('/me'),
      await company.api.post('/projects', { name: 'x' }),
      await company.admin.get(''),
      await company.admin.patch('', { name: 'x' }),
      await app.diwan.client('/admin/v1', company.ownerToken).get('/me'),
      await browser.get('/me'),
      await browser.delete('/sessions/current'),
      await nobody.post('/sessions', { token: company.ownerToken }),
      await nobody.post('/invitations/accept', { code: added.body.data.invitation.code }),
    ]
    for (const answer of refused) expectRefusal(answer, 404, 'not_found')
    expect([(await other.api.get('/me')).status, (await other.admin.get('')).status]).toEqual([200, 200])
  })

  it('leaves the operator to read it and to reopen it, and nothing else', async () => {
    const company = await app.diwan.company()
    await close(company)
    const below = `/companies/${company.id}`
    const { operator } = app.diwan
    for (const path of ['', '/users', '/keys', '/audit', '/webhooks', '/trash'])
      expect([path, (await operator.get(below + path)).status]).toEqual([path, 200])
    const refused = [
      await operator.patch(below, { name: 'x' }),
      await operator.post(`${below}/users`, { name: 'x', email: 'x@example.com' }),
      await operator.post(`${below}/keys`, { name: 'x', access: 'read' }),
      await operator.post(`${below}/users/${company.owner.id}/tokens`, { name: 'x' }),
      await operator.post(`${below}/webhooks/1/test`),
    ]
    for (const answer of refused) {
      expectRefusal(answer, 403, 'forbidden')
      expect(answer.body.error.message).toBe('The company is closed. Reopen it first.')
    }
    const listed = (await operator.get('/companies?limit=100')).body.data
    expect(listed.find(({ id }: { id: number }) => id === company.id).closed_at).toEqual(INSTANT)
  })

  it('asks for the name, exactly, and is for the operator alone', async () => {
    const company = await app.diwan.company({ name: 'نجد' })
    for (const body of [{}, { name: '' }, { name: 'نجد ' }, { name: 'Najd' }])
      expectRefusal(await app.diwan.operator.post(`/companies/${company.id}/close`, body), 422, 'unprocessable_entity')
    for (const path of ['/close', '/reopen'])
      expectRefusal(await company.admin.post(path, { name: 'نجد' }), 403, 'forbidden')
    expect((await company.admin.get('')).body.data.closed_at).toBeNull()
  })

  it('is undone by reopening: keys, people and sessions are as they were', async () => {
    const company = await app.diwan.company()
    const { browser } = await signIn(app.diwan, { token: company.ownerToken })
    await close(company)
    expect((await company.api.get('/me')).status).toBe(404)
    const { status, body } = await reopen(company)
    expect([status, body.data.closed_at]).toEqual([200, null])
    const answers = [await company.api.get('/me'), await company.admin.get(''), await browser.get('/me')]
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
  })

  it('can be undone for 30 days', async () => {
    const company = await app.diwan.company()
    await close(company)
    await closedDaysAgo(company, 30)
    expectRefusal(await reopen(company), 409, 'conflict')
    await closedDaysAgo(company, 29)
    expect((await reopen(company)).status).toBe(200)
  })

  it('is audited in what is of no company, once however often it is asked for', async () => {
    const company = await app.diwan.company()
    const name = await nameOf(company)
    await close(company)
    await close(company)
    await reopen(company)
    await reopen(company)
    const { data } = (await app.diwan.operator.get(`/audit?target_id=${company.id}`)).body
    expect(data.map(({ path }: { path: string }) => path)).toEqual([
      `/admin/v1/companies/${company.id}/reopen`,
      `/admin/v1/companies/${company.id}/close`,
      '/admin/v1/companies',
    ])
    expect(data[1]).toMatchObject({
      operation: 'companies:destructive',
      by: { kind: 'operator' },
      target: { type: 'company', id: company.id, name },
      changes: { closed_at: null },
    })
  })
})

describe('A company that is closed', () => {
  it('has no streams: those that are open end', async () => {
    const company = await app.diwan.company()
    const asking = get(`${app.url}/api/v1/company/changes`, {
      agent: false,
      headers: { authorization: `Bearer ${company.key}`, accept: 'text/event-stream' },
    })
    const [stream] = (await once(asking, 'response')) as [IncomingMessage]
    const ended = once(stream.resume(), 'close')
    await close(company)
    await ended
  })

  it('has no webhooks, until it is reopened', { tags: 'long' }, async () => {
    const company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const receiver = await startReceiver()
    await company.admin.post('/webhooks', { name: 'x', url: receiver.url, kinds: ['task.created'] })
    await newTask(company, list.id)
    await close(company)
    const webhooks = startTestWebhooks(app, [3_600_000])
    try {
      await sleep(1_500)
      expect(receiver.received).toHaveLength(0)
      await reopen(company)
      await until(async () => receiver.received.length === 1)
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

describe('While a company is being closed', () => {
  /** Races show on PostgreSQL only; the embedded database has one session. */
  const ROUNDS = process.env.TEST_ENGINE === 'postgres' ? 6 : 1

  it('what is written is written before, or 404', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const company = await app.diwan.company()
      const list = await newList(company, (await app.diwan.project(company)).id)
      const manager = await app.diwan.person(company.id, { role: 'manager' })
      let isOver = false
      const statuses: number[] = []
      const keep = async (attempt: () => Promise<Answer>) => {
        do statuses.push((await attempt()).status)
        while (!isOver)
      }
      const trying = [
        ...Array.from({ length: 3 }, () => keep(() => company.api.post(`/lists/${list.id}/tasks`, { title: 'x' }))),
        keep(() => company.admin.post('/keys', { name: 'x', access: 'read' })),
        keep(() => manager.admin.post('/users', { name: 'x', email: `${Math.random()}@example.com` })),
      ]
      await sleep(Math.random() * 40)
      expect((await close(company)).status).toBe(200)
      const people = async () => (await app.diwan.operator.get(`/companies/${company.id}/users`)).body.meta.total
      const keys = async () => (await app.diwan.operator.get(`/companies/${company.id}/keys`)).body.meta.total
      const [before, keysBefore] = [await people(), await keys()]
      isOver = true
      await Promise.all(trying)
      expect([await people(), await keys()]).toEqual([before, keysBefore])
      expect(statuses.filter(status => ![201, 404].includes(status))).toEqual([])
      expect((await company.api.get('/me')).status).toBe(404)
    }
  })
})
