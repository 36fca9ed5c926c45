import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { noonZone } from '../support/noon-zone.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'

const app = useApp()
const newCompany = () => app.diwan.company({ time_zone: noonZone() })

interface Share {
  key?: { id: number; name: string } | null
  operation?: string | null
  status?: number | null
  calls: number
}

async function sharesToday({ admin }: TestCompany, by: string): Promise<Share[]> {
  const { data } = (await admin.get(`/usage?days=1&by=${by}`)).body
  const [{ calls, by: shares }] = data
  // Whenever it is asked.
  expect(shares.reduce((sum: number, share: Share) => sum + share.calls, 0)).toBe(calls)
  return shares
}

/** Those of calls are written a little later. */
async function attributedToday(company: TestCompany, by: 'key' | 'operation' | 'status'): Promise<Share[]> {
  let shares: Share[] = []
  await until(async () => {
    shares = await sharesToday(company, by)
    return shares.every(share => share[by] !== null)
  })
  return shares
}

describe('GET …/usage?by=', () => {
  it('divides the calls of a day by key, by operation and by status', async () => {
    const company = await newCompany()
    const reader = app.diwan.api(
      await app.diwan.key(company.id, { name: 'قارئ', access: 'read', operations: ['projects:read'], rights: [] }),
    )
    for (let n = 0; n < 3; n++) await company.api.get('/me')
    await company.api.post('/projects', { name: 'x' })
    await company.api.post('/projects', {})
    await reader.get('/projects/prj-0000000000')
    await reader.get('/me')
    const [first, second] = (await company.admin.get('/keys')).body.data
    expect(await attributedToday(company, 'key')).toEqual([
      { key: { id: first.id, name: 'Test', kind: 'key' }, calls: 5 },
      { key: { id: second.id, name: 'قارئ', kind: 'key' }, calls: 2 },
    ])
    expect(await attributedToday(company, 'operation')).toEqual([
      { operation: 'account:read', calls: 4 },
      { operation: 'projects:write', calls: 2 },
      { operation: 'projects:read', calls: 1 },
    ])
    const byStatus = await attributedToday(company, 'status')
    expect(byStatus[0]).toEqual({ status: 200, calls: 3 })
    expect(
      byStatus
        .slice(1)
        .map(({ status }) => status)
        .sort(),
    ).toEqual([201, 403, 404, 422])
  })

  it('shows what is not attributed yet as a share of its own', async () => {
    const company = await newCompany()
    for (let n = 0; n < 4; n++) await company.api.get('/me')
    const shares = await sharesToday(company, 'operation')
    expect(shares.reduce((sum, { calls }) => sum + calls, 0)).toBe(4)
    expect(await attributedToday(company, 'operation')).toEqual([{ operation: 'account:read', calls: 4 }])
    await app.database.pool.query('update calls_by_day set calls = calls + 7 where company_id = $1', [company.id])
    expect(await sharesToday(company, 'status')).toEqual([
      { status: 200, calls: 4 },
      { status: null, calls: 7 },
    ])
  })

  it('counts a batch by its entries', async () => {
    const company = await newCompany()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const tasks = Array.from({ length: 20 }, (_, n) => ({ title: `Task ${n}` }))
    expect((await company.api.post(`/lists/${list.id}/tasks/batch`, { tasks })).status).toBe(201)
    const shares = await attributedToday(company, 'operation')
    expect(shares[0]).toEqual({ operation: 'tasks:write', calls: 20 })
  })

  it('counts nothing that was not spent', async () => {
    const company = await app.diwan.company({ plan: 'enterprise', daily_calls: 2 })
    for (let n = 0; n < 4; n++) await company.api.get('/me')
    await app.diwan.api('svc_api_x').get('/me')
    expect(await attributedToday(company, 'status')).toEqual([{ status: 200, calls: 2 }])
  })

  it('counts a caller who leaves before the answer with 499', async () => {
    const company = await newCompany()
    const path = `${app.url}/api/v1/projects`
    const headers = { authorization: `Bearer ${company.key}`, 'content-length': '100' }
    const leaving = request(path, { method: 'POST', headers })
    leaving.on('error', () => {})
    leaving.write('{')
    await until(async () => (await company.admin.get('/usage?days=1')).body.data[0].calls === 1)
    leaving.destroy()
    expect(await attributedToday(company, 'status')).toEqual([{ status: 499, calls: 1 }])
  })

  it('is left out for what cannot be a division, and empty on a day without calls', async () => {
    const company = await newCompany()
    expect((await company.admin.get('/usage?days=1&by=mood')).body.data[0]).not.toHaveProperty('by')
    expect((await company.admin.get('/usage?days=2&by=key')).body.data).toMatchObject([{ by: [] }, { by: [] }])
  })
})

describe('meta of GET …/usage', () => {
  const metaOf = async ({ admin }: TestCompany) => (await admin.get('/usage?days=1')).body.meta

  it('tells what is left today and when the next day begins', async () => {
    const company = await app.diwan.company({ plan: 'advanced', time_zone: 'Asia/Riyadh' })
    await company.api.get('/me')
    const meta = await metaOf(company)
    expect(meta.left).toBe(999)
    expect(meta.resets_at).toMatch(/T21:00:00\.000Z$/)
    const wait = Date.parse(meta.resets_at) - Date.now()
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(86_400_000)
    expect(await metaOf(await newCompany())).toMatchObject({ left: null })
  })

  it('forecasts today from the last days, and tells nothing of a new company', async () => {
    const company = await app.diwan.company({ time_zone: 'UTC' })
    expect((await metaOf(company)).forecast).toBeNull()
    // The same number of calls in every hour of the last week, and none today: somewhat less than a day of those.
    await app.database.pool.query(
      `insert into calls_by_hour (company_id, local_date, hour, calls)
       select $1, current_date - day, hour, 10 from generate_series(1, 7) day, generate_series(0, 23) hour`,
      [company.id],
    )
    const { forecast } = await metaOf(company)
    expect(forecast).toBeGreaterThanOrEqual(0)
    expect(forecast).toBeLessThanOrEqual(240)
    const minutesLeft = (Date.parse((await metaOf(company)).resets_at) - Date.now()) / 60_000
    // What is left of an ordinary day, and less of it the later it is.
    expect(forecast).toBeLessThanOrEqual(Math.ceil(minutesLeft / 6) + 1)
    expect(forecast).toBeGreaterThanOrEqual(Math.floor(minutesLeft / 12) - 1)
  })
})

describe('GET …/keys/:key/usage', () => {
  const usageOf = (company: TestCompany, id: number, query = ''): Promise<Answer> =>
    company.admin.get(`/keys/${id}/usage${query}`)

  it('shows what the key did: its calls by operation and status, and its denials', async () => {
    const company = await newCompany()
    const settings = { name: 'Reader', access: 'read', operations: ['projects:read'], rights: [] }
    const reader = app.diwan.api(await app.diwan.key(company.id, settings))
    await company.api.get('/me')
    await reader.get('/projects')
    await reader.get('/projects')
    const denied = await reader.post('/projects', { name: 'x' })
    const { id } = (await company.admin.get('/keys')).body.data[1]
    let data = { calls: 0 } as Answer['body']
    await until(async () => {
      data = (await usageOf(company, id)).body.data
      return data.calls === 3
    })
    expect(data).toMatchObject({
      key: { id, name: 'Reader', kind: 'key' },
      operations: [
        { operation: 'projects:read', status: 200, calls: 2 },
        { operation: 'projects:write', status: 403, calls: 1 },
      ],
      denials: [
        {
          operation: 'projects:write',
          method: 'POST',
          path: '/api/v1/projects',
          reason: denied.body.error.message,
          count: 1,
        },
      ],
    })
    expect(data.days.map(({ calls }: Share) => calls)).toEqual([0, 0, 0, 0, 0, 0, 3])
    expect([data.from, data.to]).toEqual([data.days[0].date, data.days[6].date])
  })

  it.each([
    ['', 7],
    ['?days=1', 1],
    ['?days=1000', 90],
  ])('shows "%s" as %i days', async (query, days) => {
    const company = await newCompany()
    const { id } = (await company.admin.get('/keys')).body.data[0]
    const { data } = (await usageOf(company, id, query)).body
    expect([data.days.length, data.calls, data.operations, data.denials]).toEqual([days, 0, [], []])
  })

  it('is 404 for a key of another company', async () => {
    const [company, other] = [await newCompany(), await newCompany()]
    const { id } = (await other.admin.get('/keys')).body.data[0]
    expect((await usageOf(company, id)).status).toBe(404)
  })
})

describe('Old counts', () => {
  it('are forgotten: those by key after 400 days, those by hour after ten', async () => {
    const company = await newCompany()
    const { id } = (await company.admin.get('/keys')).body.data[0]
    await app.database.pool.query(
      `insert into calls_by_key (company_id, local_date, key_id, operation, status, calls)
       select $1, current_date - n, $2, 'tasks:read', 200, 1 from generate_series(390, 1900) n`,
      [company.id, id],
    )
    await app.database.pool.query(
      `insert into calls_by_hour (company_id, local_date, hour, calls)
       select $1, current_date - n, 1, 1 from generate_series(5, 30) n`,
      [company.id],
    )
    for (const table of ['calls_by_key', 'calls_by_hour']) await doStep(app, table)
    const left = async (table: string) =>
      (
        await app.database.db.raw<{ n: number }>(`select count(*) as n from ${table} where company_id = $1`, [
          company.id,
        ])
      )[0]?.n
    expect([await left('calls_by_key'), await left('calls_by_hour')]).toEqual([11, 6])
  })
})
