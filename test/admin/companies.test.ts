import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import { created } from '../support/diwan.ts'
import { INSTANT } from '../support/factories.ts'
import { call, furnish, NOT_IDS } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useOwnApp()

const newCompany = (fields: object = {}) => ({
  name: 'نجد للتجارة',
  time_zone: 'Asia/Riyadh',
  plan: 'productive',
  owner: { name: 'Layla Haddad', email: 'Layla@Example.com' },
  ...fields,
})

describe('POST /companies', () => {
  it('makes the company and its owner, with the flag off, and shows the token of the owner once', async () => {
    const { data } = await created(app.diwan.operator.post('/companies', newCompany()))
    expect(data).toEqual({
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
    })
    const { owner_token, ...shown } = data
    const owner = app.diwan.admin(data.id, owner_token)
    expect((await owner.get('')).body).toEqual({ data: shown })
    const listed = await app.diwan.operator.get(`/companies?q=${data.id}`)
    expect(listed.body.data).toContainEqual(shown)
    expect(listed.status).toBe(200)
  })

  it('refuses what a company or its owner cannot be, and makes nothing of it', async () => {
    const before = (await app.diwan.operator.get('/companies')).body.meta.total
    for (const [problem, fields] of [
      ["name can't be blank", { name: undefined }],
      ["name can't be blank", { name: ' \n\t' }],
      ["name can't be blank", { name: null }],
      ['name must be a string', { name: 7 }],
      ['name is too long', { name: 'ن'.repeat(256) }],
      ['name must not contain control characters', { name: 'a\u0000b' }],
      ['name must not contain control characters', { name: 'a\ud800' }],
      ["time_zone can't be blank", { time_zone: undefined }],
      ['time_zone must be an IANA time zone', { time_zone: 'Asia/Atlantis' }],
      ['time_zone must be an IANA time zone', { time_zone: '+03:00' }],
      ['plan must be one of free, pro, advanced, productive, enterprise', { plan: 'gold' }],
      ['rest_api must be true or false', { rest_api: 'yes' }],
      ['daily_calls must be a whole number or null', { daily_calls: 1.5 }],
      ['daily_calls must be at least 0', { daily_calls: -1 }],
      ['daily_calls must be at most', { daily_calls: 2_147_483_648 }],
      ["owner can't be blank", { owner: undefined }],
      ["owner.name can't be blank", { owner: { email: 'a@example.com' } }],
      ['owner.email must be an e-mail address', { owner: { name: 'Layla', email: 'layla' } }],
    ] as const) {
      const { status, body } = await app.diwan.operator.post('/companies', newCompany(fields))
      expect([status, body.error.code, body.error.message]).toEqual([
        422,
        'unprocessable_entity',
        expect.stringMatching(`^${problem}`),
      ])
    }
    expect((await app.diwan.operator.get('/companies')).body.meta.total).toBe(before)
  })
})

describe('GET /companies', () => {
  it('finds companies by name, spelled alike, by id in any digits, by plan, and by whether they are closed', async () => {
    const names = ['شركة بغداد', 'شَرِكة بغداد', 'Palm trees']
    const ids: number[] = []
    for (const name of names)
      ids.push((await app.diwan.company({ name, plan: name === 'Palm trees' ? 'advanced' : 'pro' })).id)
    const [first, second, palm] = ids as [number, number, number]
    const found = async (query: string) => {
      const { data, meta } = (await app.diwan.operator.get(`/companies?limit=100&${query}`)).body
      expect(meta.total).toBe(data.length)
      return data.map(({ id }: { id: number }) => id)
    }
    const arabic = String(palm).replace(/\d/g, digit => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] as string)
    for (const [query, expected] of [
      [`q=${encodeURIComponent('شركه بغداد')}`, [first, second]],
      ['q=LM%20TRE', [palm]],
      ['q=no%20such%20company', []],
      [`plan=pro&q=${encodeURIComponent('بغداد')}`, [first, second]],
      ['plan=advanced&q=palm', [palm]],
      ['plan=free&q=palm', []],
      ['plan=gold', []],
    ] as const)
      expect([query, await found(query)]).toEqual([query, expected])
    expect(await found(`q=${encodeURIComponent(arabic)}`)).toContain(palm)
    await app.diwan.operator.post(`/companies/${palm}/close`, { name: 'Palm trees' })
    expect([await found('closed=true&q=palm'), await found('closed=false&q=palm')]).toEqual([[palm], []])
    await app.diwan.operator.patch(`/companies/${first}`, { name: 'Basra' })
    expect([await found(`q=${encodeURIComponent('بغداد')}`), await found('q=basra')]).toEqual([[second], [first]])
  })

  it('shows the keys that work, and the calls of today', async () => {
    const company = await app.diwan.company({ name: 'Counted' })
    for (let n = 0; n < 3; n++) await company.api.get('/me')
    await app.diwan.key(company.id)
    await app.diwan.key(company.id, { name: 'Revoked' })
    const { id } = (await company.admin.get('/keys')).body.data.at(-1)
    await company.admin.delete(`/keys/${id}`)
    await app.database.pool.query(
      `insert into calls_by_day (company_id, local_date, calls, last_granted) values ($1, '2020-01-01', 99, 1)`,
      [company.id],
    )
    const { data } = (await app.diwan.operator.get('/companies?q=counted')).body
    expect(data).toMatchObject([{ id: company.id, keys_count: 2, calls_today: 3 }])
    await app.database.pool.query(
      `update calls_by_day set local_date = '2021-01-01' where company_id = $1 and calls = 3`,
      [company.id],
    )
    expect((await company.admin.get('')).body.data.calls_today).toBe(0)
  })
})

describe('PATCH /companies/{id}', () => {
  it('changes only what was sent, and nothing on an empty body', async () => {
    const company = await app.diwan.company({ daily_calls: 5 })
    let shown = (await app.diwan.operator.get(`/companies/${company.id}`)).body.data
    for (const change of [
      {},
      { name: 'New name' },
      { time_zone: 'Africa/Cairo' },
      { plan: 'advanced' },
      { rest_api: false },
      { daily_calls: 2_147_483_647 },
      { daily_calls: null },
      { daily_calls: 0, time_zone: 'America/Argentina/Buenos_Aires' },
      { subscription: 'read_only' },
      { language: 'ar', second_calendar: 'islamic-umalqura' },
      { plan: 'enterprise', rest_api: true, daily_calls: 7, subscription: 'active' },
    ]) {
      const { status, body } = await app.diwan.operator.patch(`/companies/${company.id}`, change)
      shown = { ...shown, ...change }
      expect([status, body]).toEqual([200, { data: shown }])
    }
    expect((await company.admin.get('')).body).toEqual({ data: shown })
    for (const [field, change] of [
      ['subscription', { subscription: 'paused' }],
      ['time_zone', { time_zone: 'Mars/Olympus' }],
      ['name', { name: null }],
      ['body', []],
    ] as const) {
      const answer = await app.diwan.operator.patch(`/companies/${company.id}`, change)
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(`^${field} `))
    }
  })

  it('is for the operator alone where it is about the terms, even unchanged, and then changes nothing', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const terms = [{ plan: 'enterprise' }, { rest_api: true }, { daily_calls: null }, { subscription: 'active' }]
    for (const reserved of terms)
      for (const { admin } of [company, manager])
        expectRefusal(await admin.patch('', { name: 'Sneaked in', ...reserved }), 403, 'forbidden')
    expect((await company.admin.get('')).body.data.name).not.toBe('Sneaked in')
  })

  it('takes effect on the very next call of a key', async () => {
    const company = await app.diwan.company()
    const change = (fields: object) => app.diwan.operator.patch(`/companies/${company.id}`, fields)
    const create = async () => (await company.api.post('/projects', { name: 'x' })).status
    expect(await create()).toBe(201)
    for (const [fields, status, back] of [
      [{ rest_api: false }, 404, { rest_api: true }],
      [{ plan: 'free' }, 403, { plan: 'enterprise' }],
      [{ subscription: 'read_only' }, 403, { subscription: 'active' }],
      [{ daily_calls: 1 }, 429, { daily_calls: null }],
    ] as const) {
      await change(fields)
      expect([fields, await create()]).toEqual([fields, status])
      await change(back)
      expect([back, await create()]).toEqual([back, 201])
    }
  })
})

describe('Any endpoint of the administration', () => {
  let named: Record<string, string>
  let token: string
  beforeAll(async () => {
    const furnished = await furnish(app.diwan)
    named = { ...furnished.named, delivery: await leaveDelivery(app.database.db, furnished.named.webhook) }
    token = furnished.company.ownerToken
  })

  it('is 404 at a path with what cannot be an id, or is one of another company', { timeout: 300_000 }, async () => {
    const others = (await furnish(app.diwan)).named
    for (const { method, at } of adminEndpoints)
      for (const [, name = ''] of at[0]?.matchAll(/:(\w+)/g) ?? [])
        for (const id of name === 'key' ? [...NOT_IDS, others.key] : ['abc', '99999999999999999999', others[name]]) {
          if (name === 'company' && id === others.company) continue
          const endpoint = `${method} ${at[0]}`
          const { status } = await call(app.diwan.operator, endpoint, { ...named, [name]: id ?? 'x' }, {})
          expect([endpoint, name, id, status]).toEqual([endpoint, name, id, 404])
        }
  })

  it('never fails for a query that makes no sense, and refuses it only where that is declared', {
    tags: 'long',
  }, async () => {
    const owner = app.diwan.client('/admin/v1', token)
    for (const { method, at, query, refusesQuery } of adminEndpoints)
      for (const name of Object.keys(query?.properties ?? {}))
        for (const value of ['', '%00', '%F0%9F%98%80', '-1', '1e999', 'a&limit=b', '[]']) {
          const endpoint = `${method} ${at[0]}?${name}=${value}`
          // The operator has nothing that is personal.
          const caller = endpoint.includes('/records/me/') ? owner : app.diwan.operator
          const { status } = await call(caller, endpoint, named)
          expect([200, refusesQuery ? 422 : 200], endpoint).toContain(status)
        }
  })
})
