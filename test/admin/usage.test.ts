import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { noonZone } from '../support/noon-zone.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'

const app = useApp()
const newCompany = () => app.diwan.company({ time_zone: noonZone() })

/** Today and the days before it in a zone, newest first. */
function daysIn(timeZone: string, count: number): string[] {
  const today = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date()))
  return Array.from({ length: count }, (_, n) => new Date(today - n * 86_400_000).toISOString().slice(0, 10))
}

describe('GET …/usage', () => {
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
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

  it('shows the allowance of the plan on a day without a call, and as many days as are asked for', async () => {
    const company = await app.diwan.company()
    for (const [plan, limit] of [
      ['advanced', 1_000],
      ['free', 0],
      ['enterprise', null],
    ]) {
      await app.diwan.operator.patch(`/companies/${company.id}`, { plan })
      const { data } = (await company.admin.get('/usage?days=1')).body
      expect([plan, data]).toMatchObject([plan, [{ calls: 0, limit }]])
    }
    for (const [days, count] of [
      ['٣', 3],
      ['0', 1],
      ['abc', 30],
      ['99999999999999999999', 366],
    ])
      expect([days, (await company.admin.get(`/usage?days=${days}`)).body.data.length]).toEqual([days, count])
  })

  it('tells what is left today, when the next day begins, and what today is expected to have', async () => {
    const metaOf = async ({ admin }: TestCompany) => (await admin.get('/usage?days=1')).body.meta
    const company = await app.diwan.company({ plan: 'advanced', time_zone: 'Etc/GMT-3' })
    expect(await metaOf(company)).toMatchObject({ left: 1_000, forecast: null })
    await company.api.get('/me')
    const meta = await metaOf(company)
    expect(meta).toMatchObject({ left: 999, resets_at: expect.stringMatching(/T21:00:00\.000Z$/) })
    const wait = Date.parse(meta.resets_at) - Date.now()
    expect([wait > 0, wait <= 86_400_000]).toEqual([true, true])
    // 240 calls a day for a week, and one today: what is left of an ordinary day, and less of it the later it is.
    await app.database.pool.query(
      `insert into calls_by_hour (company_id, local_date, hour, calls)
       select $1, (now() at time zone 'Etc/GMT-3')::date - day, hour, 10
       from generate_series(1, 7) day, generate_series(0, 23) hour`,
      [company.id],
    )
    const { forecast } = await metaOf(company)
    const minutesLeft = wait / 60_000
    expect(forecast).toBeLessThanOrEqual(Math.ceil(minutesLeft / 6) + 2)
    expect(forecast).toBeGreaterThanOrEqual(Math.floor(minutesLeft / 12) - 1)
    expect((await metaOf(await newCompany())).left).toBeNull()
  })
})

interface Share {
  key?: { id: number; name: string } | null
  operation?: string | null
  status?: number | null
  calls: number
}

async function sharesToday({ admin }: TestCompany, by: string): Promise<Share[]> {
  const [{ calls, by: shares }] = (await admin.get(`/usage?days=1&by=${by}`)).body.data
  // Whenever it is asked.
  expect(shares.reduce((sum: number, share: Share) => sum + share.calls, 0)).toBe(calls)
  return shares
}

/** Counts of calls are written a little later. */
async function attributedToday(company: TestCompany, by: 'key' | 'operation' | 'status'): Promise<Share[]> {
  let shares: Share[] = []
  await until(async () => {
    shares = await sharesToday(company, by)
    return shares.every(share => share[by] !== null)
  })
  return shares
}

describe('GET …/usage?by=', () => {
  it('divides the calls of a day by key, by operation and by status; what is not attributed is a share of its own', async () => {
    const company = await newCompany()
    const settings = { name: 'قارئ', access: 'read', operations: ['projects:read'], rights: [] }
    const reader = app.diwan.api(await app.diwan.key(company.id, settings))
    expect((await company.admin.get('/usage?days=2&by=key')).body.data).toMatchObject([{ by: [] }, { by: [] }])
    for (let n = 0; n < 3; n++) await company.api.get('/me')
    await company.api.post('/projects', { name: 'x' })
    await company.api.post('/projects', {})
    await reader.get('/projects/prj-0000000000')
    await reader.get('/me')
    await app.diwan.api('svc_api_x').get('/me')
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
    const byStatus = [200, 201, 403, 404, 422].map(status => ({ status, calls: status === 200 ? 3 : 1 }))
    expect(await attributedToday(company, 'status')).toEqual(byStatus)
    expect((await company.admin.get('/usage?days=1&by=mood')).body.data[0]).not.toHaveProperty('by')
    await app.database.pool.query('update calls_by_day set calls = calls + 7 where company_id = $1', [company.id])
    expect(await sharesToday(company, 'status')).toEqual([...byStatus, { status: null, calls: 7 }])
  })

  it('counts a batch by its entries', async () => {
    const company = await newCompany()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const tasks = Array(20).fill({ title: 'One of many' })
    expect((await company.api.post(`/lists/${list.id}/tasks/batch`, { tasks })).status).toBe(201)
    const shares = await attributedToday(company, 'operation')
    expect(shares[0]).toEqual({ operation: 'tasks:write', calls: 20 })
  })

  it('counts nothing that was not spent', async () => {
    const company = await app.diwan.company({ plan: 'enterprise', daily_calls: 2 })
    for (let n = 0; n < 4; n++) await company.api.get('/me')
    expect(await attributedToday(company, 'status')).toEqual([{ status: 200, calls: 2 }])
  })

  it('counts a caller who leaves before the answer with 499', async () => {
    const company = await newCompany()
    const headers = { authorization: `Bearer ${company.key}`, 'content-length': '100' }
    const leaving = request(`${app.url}/api/v1/projects`, { method: 'POST', headers })
    leaving.on('error', () => {})
    leaving.write('{')
    await until(async () => (await company.admin.get('/usage?days=1')).body.data[0].calls === 1)
    leaving.destroy()
    expect(await attributedToday(company, 'status')).toEqual([{ status: 499, calls: 1 }])
  })
})

it('The usage of a key is its calls by operation and status, its denials, and no other key’s', async () => {
  const company = await newCompany()
  const settings = { name: 'Reader', access: 'read', operations: ['projects:read'], rights: [] }
  const reader = app.diwan.api(await app.diwan.key(company.id, settings))
  await company.api.get('/me')
  await reader.get('/projects')
  await reader.get('/projects')
  const denied = await reader.post('/projects', { name: 'x' })
  const [{ id: other }, { id }] = (await company.admin.get('/keys')).body.data
  const usageOf = async (key: number, query = ''): Promise<Answer['body']> =>
    (await company.admin.get(`/keys/${key}/usage${query}`)).body.data
  await until(async () => (await usageOf(id)).calls === 3)
  const data = await usageOf(id)
  const { message: reason } = denied.body.error
  expect(data).toMatchObject({
    key: { id, name: 'Reader', kind: 'key' },
    operations: [
      { operation: 'projects:read', status: 200, calls: 2 },
      { operation: 'projects:write', status: 403, calls: 1 },
    ],
    denials: [{ operation: 'projects:write', method: 'POST', path: '/api/v1/projects', reason, count: 1 }],
  })
  expect(data.days.map(({ calls }: Share) => calls)).toEqual([0, 0, 0, 0, 0, 0, 3])
  expect([data.from, data.to]).toEqual([data.days[0].date, data.days[6].date])
  expect((await usageOf(other, '?days=1')).days).toHaveLength(1)
  expect((await usageOf(other, '?days=1000')).days).toHaveLength(90)
  expect(await usageOf(other)).toMatchObject({ calls: 1, operations: [{ operation: 'account:read' }], denials: [] })
  const elsewhere = (await (await newCompany()).admin.get('/keys')).body.data[0].id
  expectRefusal(await company.admin.get(`/keys/${elsewhere}/usage`), 404, 'not_found')
})
