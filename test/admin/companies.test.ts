import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import type { Client } from '../support/diwan.ts'
import { call, furnish, inPagesOfTwo, NOT_IDS } from '../support/furnished.ts'

const app = useOwnApp()

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }

const newCompany = (fields: object = {}) => ({
  name: 'نجد للتجارة',
  time_zone: 'Asia/Riyadh',
  plan: 'productive',
  owner: { name: 'Layla Haddad', email: 'Layla@Example.com' },
  ...fields,
})

describe('POST /companies', () => {
  it('makes the company and its owner, with the flag off, and shows exactly what was made', async () => {
    const { status, body } = await app.diwan.operator.post('/companies', newCompany())
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.any(Number),
        name: 'نجد للتجارة',
        time_zone: 'Asia/Riyadh',
        plan: 'productive',
        rest_api: false,
        daily_calls: null,
        subscription: 'active',
        language: 'en',
        second_calendar: null,
        require_oidc: false,
        created_at: INSTANT,
        closed_at: null,
        moved_to: null,
        sandbox: false,
        sandbox_of: null,
        sandbox_id: null,
        owner: { id: expect.any(Number), name: 'Layla Haddad', email: 'Layla@Example.com', role: 'owner' },
        keys_count: 0,
        calls_today: 0,
        cell: null,
        owner_token: expect.stringMatching(/^svc_[0-9A-Za-z]{49}$/),
      },
    })
  })

  it('gives an owner token that opens the own company, and never shows it again', async () => {
    const { data } = (await app.diwan.operator.post('/companies', newCompany())).body
    const { owner_token, ...shown } = data
    const owner = app.diwan.admin(data.id, owner_token)
    expect((await owner.get('')).body).toEqual({ data: shown })
    const later = await Promise.all([
      app.diwan.operator.get('/companies?limit=100'),
      owner.patch('', { name: 'Najd' }),
      owner.get('/users'),
      owner.get(`/users/${data.owner.id}/tokens`),
      owner.get('/audit'),
    ])
    for (const answer of later) {
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain(owner_token.slice(4, -4))
    }
  })

  it.each([
    ['name', "can't be blank", { name: undefined }],
    ['name', "can't be blank", { name: ' \n\t' }],
    ['name', "can't be blank", { name: null }],
    ['name', 'must be a string', { name: 7 }],
    ['name', 'is too long', { name: 'ن'.repeat(256) }],
    ['name', 'must not contain control characters', { name: 'a\u0000b' }],
    ['name', 'must not contain control characters', { name: 'a\ud800' }],
    ['time_zone', "can't be blank", { time_zone: undefined }],
    ['time_zone', 'must be an IANA time zone', { time_zone: 'Asia/Atlantis' }],
    ['time_zone', 'must be an IANA time zone', { time_zone: '+03:00' }],
    ['plan', 'must be one of free, pro, advanced, productive, enterprise', { plan: 'gold' }],
    ['rest_api', 'must be true or false', { rest_api: 'yes' }],
    ['rest_api', "can't be blank", { rest_api: null }],
    ['daily_calls', 'must be a whole number or null', { daily_calls: '5' }],
    ['daily_calls', 'must be a whole number or null', { daily_calls: 1.5 }],
    ['daily_calls', 'must be at least 0', { daily_calls: -1 }],
    ['daily_calls', 'must be at most', { daily_calls: 99_999_999_999_999 }],
    ['owner', "can't be blank", { owner: undefined }],
    ['owner', 'must be an object', { owner: 'Layla' }],
    ['owner.name', "can't be blank", { owner: { email: 'a@example.com' } }],
    ['owner.email', 'must be an e-mail address', { owner: { name: 'Layla', email: 'layla' } }],
    ['owner.name', 'must not contain control characters', { owner: { name: 'a\u0000', email: 'a@example.com' } }],
  ])('answers 422 with "%s %s" to %j', async (field, problem, fields) => {
    const before = (await app.diwan.operator.get('/companies')).body.meta.total
    const { status, body } = await app.diwan.operator.post('/companies', newCompany(fields))
    expect([status, body.error.code]).toEqual([422, 'unprocessable_entity'])
    expect(body.error.message.startsWith(`${field} ${problem}`), body.error.message).toBe(true)
    expect((await app.diwan.operator.get('/companies')).body.meta.total).toBe(before)
  })

  it.each(['Asia/Riyadh', 'UTC', 'Africa/Cairo', 'Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'])(
    'gives back the time zone %s as it was sent',
    async time_zone => {
      const { status, body } = await app.diwan.operator.post('/companies', newCompany({ time_zone }))
      expect([status, body.data?.time_zone]).toEqual([201, time_zone])
    },
  )

  it('takes Enterprise allowances from none to the largest', async () => {
    for (const daily_calls of [null, 0, 1, 2_147_483_647]) {
      const { body } = await app.diwan.operator.post('/companies', newCompany({ plan: 'enterprise', daily_calls }))
      expect(body.data.daily_calls).toBe(daily_calls)
    }
  })
})

describe('GET /companies', () => {
  it('pages without overlap, and knows the total on a page past the end', async () => {
    for (let n = 0; n < 3; n++) await app.diwan.company()
    const all = (await app.diwan.operator.get('/companies?limit=100')).body
    const pages = await inPagesOfTwo(app.diwan.operator, '/companies')
    expect(pages.flatMap(page => page.data)).toEqual(all.data)
    expect(pages.at(-1).meta).toMatchObject({ total: all.data.length, limit: 2, count: 0 })
    expect(Object.keys(all.data[0]).sort()).toEqual(
      'calls_today cell closed_at created_at daily_calls id keys_count language moved_to name owner plan require_oidc rest_api sandbox sandbox_id sandbox_of second_calendar subscription time_zone'.split(
        ' ',
      ),
    )
  })

  it.each([
    ['', 50, 0],
    ['?limit=0', 1, 0],
    ['?limit=1000', 100, 0],
    ['?limit=abc&offset=-4', 50, 0],
    ['?limit=٧&offset=۲', 7, 2],
    ['?limit=1.5&offset=1e3', 50, 0],
  ])('reads the paging of "%s" as limit %i, offset %i', async (query, limit, offset) => {
    const { status, body } = await app.diwan.operator.get(`/companies${query}`)
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({ limit, offset })
  })

  it('answers a page when the offset is past any number of records', async () => {
    const { status, body } = await app.diwan.operator.get('/companies?offset=99999999999999999999')
    expect([status, body.data]).toEqual([200, []])
  })
})

describe('PATCH /companies/{id}', () => {
  it('changes only what was sent, and nothing on an empty body', async () => {
    const company = await app.diwan.company({ daily_calls: 5 })
    let shown = (await app.diwan.operator.get(`/companies/${company.id}`)).body.data
    const steps = [
      {},
      { name: 'New name' },
      { time_zone: 'Africa/Cairo' },
      { plan: 'advanced' },
      { rest_api: false },
      { daily_calls: null },
      { subscription: 'read_only' },
      { plan: 'enterprise', rest_api: true, daily_calls: 7, subscription: 'active' },
    ]
    for (const change of steps) {
      const { status, body } = await app.diwan.operator.patch(`/companies/${company.id}`, change)
      shown = { ...shown, ...change }
      expect([status, body]).toEqual([200, { data: shown }])
    }
    expect((await company.admin.get('')).body).toEqual({ data: shown })
  })

  it('drops unknown fields and names them', async () => {
    const company = await app.diwan.company()
    const { status, headers } = await company.admin.patch('', { nmae: 'x', id: 99 })
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'nmae, id'])
  })

  it.each([
    ['subscription', { subscription: 'paused' }],
    ['time_zone', { time_zone: 'Mars/Olympus' }],
    ['name', { name: null }],
    ['plan', { plan: null }],
    ['body', []],
  ])('answers 422 naming %s to %j', async (field, change) => {
    const company = await app.diwan.company()
    const { status, body } = await app.diwan.operator.patch(`/companies/${company.id}`, change)
    expect([status, body.error.message.split(' ')[0]]).toEqual([422, field])
  })

  it.each([{ plan: 'enterprise' }, { rest_api: true }, { daily_calls: null }, { subscription: 'active' }])(
    'refuses %j, even unchanged, from anyone but the operator, and keeps the rest of the body out too',
    async reserved => {
      const company = await app.diwan.company()
      const manager = await app.diwan.person(company.id, { role: 'manager' })
      for (const client of [company.admin, manager.admin]) {
        const { status, body } = await client.patch('', { name: 'Sneaked in', ...reserved })
        expect([status, body.error.code]).toEqual([403, 'forbidden'])
      }
      expect((await company.admin.get('')).body.data.name).not.toBe('Sneaked in')
    },
  )

  it('takes effect on the very next call of a key', async () => {
    const company = await app.diwan.company()
    const change = (fields: object) => app.diwan.operator.patch(`/companies/${company.id}`, fields)
    const create = async () => (await company.api.post('/projects', { name: 'x' })).status
    expect(await create()).toBe(201)
    for (const [change_, status, back] of [
      [{ rest_api: false }, 404, { rest_api: true }],
      [{ plan: 'free' }, 403, { plan: 'enterprise' }],
      [{ subscription: 'read_only' }, 403, { subscription: 'active' }],
      [{ daily_calls: 1 }, 429, { daily_calls: null }],
    ] as const) {
      await change(change_)
      expect([change_, await create()]).toEqual([change_, status])
      await change(back)
      expect([back, await create()]).toEqual([back, 201])
    }
  })
})

describe('A path that names no record', { tags: 'long' }, () => {
  const addressed = adminEndpoints.flatMap(({ method, at: [address = ''] }) =>
    [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => [`${method} ${address}`, name] as const),
  )

  let named: Record<string, string>
  beforeAll(async () => {
    named = (await furnish(app.diwan)).named
  })

  it.each(addressed)('is 404 at %s when :%s is no id', async (endpoint, name) => {
    for (const id of [...NOT_IDS, '9007199254740991']) {
      const { status, body } = await call(app.diwan.operator, endpoint, { ...named, [name]: id }, {})
      expect([id, status, body]).toEqual([id, 404, NOT_FOUND])
    }
  })
})

describe('A query that makes no sense', { tags: 'long' }, () => {
  const asked = adminEndpoints.flatMap(({ method, at: [address = ''], query, refusesQuery }) =>
    Object.keys(query?.properties ?? {}).map(name => [`${method} ${address}`, name, refusesQuery ? 422 : 200] as const),
  )

  let named: Record<string, string>
  let owner: Client
  beforeAll(async () => {
    const furnished = await furnish(app.diwan)
    named = { ...furnished.named, delivery: await leaveDelivery(app.database.db, furnished.named.webhook) }
    owner = app.diwan.client('/admin/v1', furnished.company.ownerToken)
  })

  it.each(asked)('never fails %s: %s, or is refused where %i is declared', async (endpoint, name, worst) => {
    for (const value of ['', '%00', '%F0%9F%98%80', '-1', '1e999', 'a&limit=b', '[]']) {
      // What is a person's own, the operator does not have.
      const caller = endpoint.includes('/records/me/') ? owner : app.diwan.operator
      const { status } = await call(caller, `${endpoint}?${name}=${value}`, named)
      expect([value, [200, worst]]).toEqual([value, expect.arrayContaining([status])])
    }
  })
})
