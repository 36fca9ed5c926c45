import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Client } from '../support/diwan.ts'
import { inPagesOfTwo } from '../support/furnished.ts'

const app = useApp()

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Today and the days before it in a zone, newest first. */
function daysIn(timeZone: string, count: number): string[] {
  const today = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date()))
  return Array.from({ length: count }, (_, n) => new Date(today - n * 86_400_000).toISOString().slice(0, 10))
}

describe('GET …/usage', () => {
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Riyadh'])(
    'counts by the day of the company zone %s, oldest first, quiet days included',
    async time_zone => {
      const company = await app.diwan.company({ time_zone })
      const days = daysIn(time_zone, 30)
      await app.database.pool.query(
        'insert into calls_by_day (company_id, local_date, calls, last_granted, allowance) values ($1, $2, 41, 1, 50), ($1, $3, 7, 1, 50)',
        [company.id, days[2], days[29]],
      )
      for (let n = 0; n < 3; n++) await company.api.get('/me')
      const { data } = (await company.admin.get('/usage')).body
      expect(data.map(({ date }: { date: string }) => date)).toEqual(days.toReversed())
      expect(data.map(({ calls }: { calls: number }) => calls)).toEqual([7, ...Array(26).fill(0), 41, 0, 3])
      expect([data[27], data[29]]).toEqual([
        { date: days[2], calls: 41, limit: 50 },
        { date: days[0], calls: 3, limit: null },
      ])
    },
  )

  it.each([
    ['advanced', 1_000],
    ['productive', 10_000],
    ['free', 0],
    ['enterprise', null],
  ])('shows the allowance of the plan %s, %s, on a day without a call too', async (plan, limit) => {
    const company = await app.diwan.company({ plan })
    expect((await company.admin.get('/usage?days=1')).body.data).toMatchObject([{ calls: 0, limit }])
  })

  it.each([
    ['', 30],
    ['?days=7', 7],
    ['?days=٣', 3],
    ['?days=0', 1],
    ['?days=-5', 1],
    ['?days=abc', 30],
    ['?days=99999999999999999999', 366],
  ])('answers "%s" with %i days', async (query, count) => {
    const company = await app.diwan.company()
    const { status, body } = await company.admin.get(`/usage${query}`)
    expect([status, body.data.length]).toEqual([200, count])
  })

  it('counts a call that ends in 404 or 403, and none that ends in 401', async () => {
    const company = await app.diwan.company()
    const key = await app.diwan.key(company.id, { access: 'read', operations: ['projects:read'], rights: [] })
    const api = app.diwan.api(key)
    const statuses = [await api.get('/projects/prj-0000000000'), await api.get('/me')].map(({ status }) => status)
    expect(statuses).toEqual([404, 403])
    await app.diwan.api().get('/me')
    expect((await company.admin.get('/usage?days=1')).body.data[0].calls).toBe(2)
  })
})

const newest = async (client: Client) => (await client.get('/audit?limit=1')).body.data[0]

describe('GET …/audit', () => {
  it('keeps a denial of the API with its key, path, operation, request id and reason', async () => {
    const company = await app.diwan.company()
    const key = await app.diwan.key(company.id, { name: 'Reader', access: 'read', operations: [], rights: [] })
    const denied = await app.diwan
      .api(key)
      .post('/projects?secret=1', { name: 'x' }, { 'x-request-id': 'trace-me-4711' })
    expect(denied.status).toBe(403)
    const keys = (await company.admin.get('/keys')).body.data
    expect(await newest(company.admin)).toEqual({
      id: expect.any(Number),
      created_at: INSTANT,
      outcome: 'denied',
      operation: 'projects:write',
      method: 'POST',
      path: '/api/v1/projects',
      status: 403,
      reason: denied.body.error.message,
      actor: company.owner.name,
      by: { kind: 'key', id: keys.at(-1).id, name: 'Reader' },
      key: { id: keys.at(-1).id, name: 'Reader', kind: 'key' },
      target: null,
      changes: {},
      request_id: 'trace-me-4711',
      count: 1,
    })
  })

  it('keeps a denial of the administration under the person, without a key', async () => {
    const company = await app.diwan.company()
    const member = await app.diwan.person(company.id, { name: 'هدى' })
    for (const [path, operation] of [
      ['/keys', 'keys:read'],
      ['/users', 'users:read'],
    ] as const) {
      const denied = await member.admin.get(path)
      expect(await newest(company.admin)).toMatchObject({
        outcome: 'denied',
        operation,
        method: 'GET',
        path: `/admin/v1/companies/${company.id}${path}`,
        status: 403,
        reason: denied.body.error.message,
        actor: 'هدى',
        key: null,
        request_id: denied.headers.get('x-request-id'),
      })
    }
  })

  it('keeps in the own company what a person was refused above all companies', async () => {
    const company = await app.diwan.company()
    expect((await app.diwan.client('/admin/v1', company.ownerToken).get('/companies')).status).toBe(403)
    expect(await newest(company.admin)).toMatchObject({ outcome: 'denied', operation: 'companies:read' })
  })

  it('keeps what was done to keys and tokens, and every destructive call', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const project = await app.diwan.project(company)
    const key = (await company.admin.post('/keys', { name: 'x', access: 'read' })).body.data
    const token = (await company.admin.post(`/users/${company.owner.id}/tokens`, { name: 'x' })).body.data
    await company.admin.post(`/projects/${project.id}/members`, { user_id: person.id })
    const steps = [
      ['keys:write', 200, await company.admin.patch(`/keys/${key.id}`, { name: 'y' })],
      ['keys:destructive', 200, await company.admin.delete(`/keys/${key.id}`)],
      ['tokens:destructive', 200, await company.admin.delete(`/users/${company.owner.id}/tokens/${token.id}`)],
      ['members:destructive', 200, await company.admin.delete(`/projects/${project.id}/members/${person.id}`)],
      ['projects:destructive', 200, await company.api.delete(`/projects/${project.id}`)],
    ] as const
    const { data } = (await company.admin.get('/audit')).body
    const kept = steps.map(([, , { headers }]) =>
      data.filter((entry: { request_id: string }) => entry.request_id === headers.get('x-request-id')),
    )
    expect(steps.map(([operation, , { status }]) => [operation, status])).toEqual(steps.map(step => step.slice(0, 2)))
    expect(kept).toMatchObject(steps.map(([operation, status]) => [{ outcome: 'allowed', operation, status }]))
    const made = data.filter((entry: { status: number }) => entry.status === 201)
    expect(made.map((entry: { operation: string }) => entry.operation)).toEqual([
      'members:write',
      'tokens:write',
      'keys:write',
      'tokens:write',
      'users:write',
      'keys:write',
    ])
  })

  it('keeps nothing of a read, an ordinary write, or an attempt that failed validation', async () => {
    const company = await app.diwan.company()
    const before = (await company.admin.get('/audit')).body.meta.total
    const statuses = [
      await company.api.post('/projects', { name: 'x' }),
      await company.api.get('/projects'),
      await company.api.delete('/projects/prj-0000000000'),
      await company.admin.post('/keys', { name: 'x', access: 'read', operations: ['tasks:write'] }),
      await company.admin.delete('/keys/999999'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([201, 200, 404, 422, 404])
    expect((await company.admin.get('/audit')).body.meta.total).toBe(before)
  })

  it('pages newest first through the own company and nothing else', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    for (let n = 0; n < 3; n++) await company.admin.post('/keys', { name: 'x', access: 'read' })
    await elsewhere.admin.post('/keys', { name: 'x', access: 'read' })
    const pages = await inPagesOfTwo(company.admin, '/audit')
    const ids = pages.flatMap(page => page.data.map(({ id }: { id: number }) => id))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect([new Set(ids).size, pages[0].meta.total, pages.at(-1).meta]).toEqual([
      4,
      4,
      { total: 4, limit: 2, offset: 4, count: 0, next_cursor: null },
    ])
  })

  describe('of somebody who is denied again and again', () => {
    type Entry = { count: number; operation: string; outcome: string }
    const entries = async (client: Client): Promise<Entry[]> => {
      const pages = [await client.get('/audit?limit=100'), await client.get('/audit?limit=100&offset=100')]
      return pages.flatMap(({ body }) => body.data).filter(({ outcome }) => outcome === 'denied')
    }
    /** The hour in which denials are counted must not end in the middle of the test. */
    const stopTheClock = (companyId: number, change = '') =>
      app.database.pool.query(
        `update denial_counts set hour = date_trunc('hour', now()) + interval '1 day' ${change} where company_id = $1`,
        [companyId],
      )

    it('keeps a hundred an hour one by one and counts the rest in one entry, exactly', async () => {
      const company = await app.diwan.company()
      const key = await app.diwan.key(company.id, { access: 'read', operations: [], rights: [] })
      const denied = () => app.diwan.api(key).get('/me')
      await denied()
      await stopTheClock(company.id)
      for (let n = 1; n < 130; n += 43) await Promise.all(Array.from({ length: 43 }, denied))
      const kept = await entries(company.admin)
      expect(kept.map(({ count }) => count).sort((a, b) => a - b)).toEqual([...Array(100).fill(1), 30])
    })

    it('does so on the administration too, for each person apart and with all their tokens', async () => {
      const company = await app.diwan.company()
      const [one, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const token = (await one.admin.post(`/users/${one.id}/tokens`, { name: 'Second' })).body.data.token
      await one.admin.get('/users')
      await stopTheClock(company.id, ', count = 100')
      await one.admin.get('/keys')
      await app.diwan.admin(company.id, token).get('/audit')
      await other.admin.get('/timeline')
      const kept = (await entries(company.admin)).map(({ operation, count }) => [operation, count])
      expect(kept).toEqual([
        ['timeline:read', 1],
        ['keys:read', 2],
        ['users:read', 1],
      ])
    })

    it('begins anew with the next hour', async () => {
      const company = await app.diwan.company()
      const member = await app.diwan.person(company.id)
      await member.admin.get('/users')
      await stopTheClock(company.id, ', count = 100')
      for (let n = 0; n < 3; n++) await member.admin.get('/users')
      await app.database.pool.query(`update denial_counts set hour = hour - interval '2 days' where company_id = $1`, [
        company.id,
      ])
      for (let n = 0; n < 2; n++) await member.admin.get('/users')
      expect((await entries(company.admin)).map(({ count }) => count)).toEqual([1, 1, 3, 1])
    })
  })

  it("keeps out of a company's audit those whom it does not know", async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const totals = async () => [
      (await company.admin.get('/audit')).body.meta.total,
      (await elsewhere.admin.get('/audit')).body.meta.total,
    ]
    const before = await totals()
    const outside = await app.diwan.admin(company.id, elsewhere.ownerToken).delete('/keys/1')
    const nobody = await app.diwan.admin(company.id, 'svc_nonsense').get('/keys')
    expect([outside.status, nobody.status]).toEqual([404, 401])
    expect(await totals()).toEqual(before)
  })
})
