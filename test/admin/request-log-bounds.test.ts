import { describe, expect, it } from 'vitest'
import { createRequestLog } from '../../src/domain/access/request-log.ts'
import { useOwnApp } from '../support/app.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'

const PER_MINUTE = 5
const app = useOwnApp({ burstPerMinute: PER_MINUTE, trustProxy: '127.0.0.1' })
const ask = async <T>(query: string, values: unknown[] = []) => app.database.db.raw<T>(query, values)

const REFUSED = {
  request_id: 'a-long-request-id',
  trace_id: null,
  at: Date.now(),
  method: 'GET',
  path: '/api/v1/me',
  operation: 'account:read',
  status: 429,
  code: null,
  message: 'Too many requests. Try again in 9 seconds.',
  ms: 0.4,
}

/** So many entries of a company, each a second older than the next. */
const fill = (companyId: number, count: number) =>
  ask(
    `insert into requests (company_id, at, key_id, request_id, method, path, status, ms)
     select $1, now() - n * interval '1 second', 1, n::text, 'GET', '/', 404, 1 from generate_series(1, $2::int) n`,
    [companyId, count],
  )
const oldest = async (companyId: number) =>
  (
    await ask<{ count: number; oldest: number }>(
      'select count(*) as count, max(request_id::int) filter (where length(request_id) < 10) as oldest from requests where company_id = $1',
      [companyId],
    )
  )[0]

describe('The log of a company', () => {
  it('has its newest 20,000 entries, and shows no others before they are removed', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    await fill(company.id, 22_500)
    await fill(other.id, 10)
    const { body } = await app.diwan.operator.get(`/companies/${company.id}/requests?limit=1&offset=19999`)
    expect([body.meta.total, body.data[0].request_id, body.meta.next_cursor]).toEqual([20_000, '20000', null])
    const pieces = await doStep(app, 'long_request_logs')
    expect(pieces.filter(removed => removed > 0)).toEqual([1_000, 1_000, 500])
    expect(await oldest(company.id)).toEqual({ count: 20_000, oldest: 20_000 })
    expect(await oldest(other.id)).toEqual({ count: 10, oldest: 10 })
  })

  it('shows nothing that is older than 7 days, before it is removed too', async () => {
    const company = await app.diwan.company()
    await fill(company.id, 2)
    await ask(
      `update requests set at = now() - interval '7 days 1 minute' where company_id = $1 and request_id = '2'`,
      [company.id],
    )
    expect((await company.admin.get('/requests')).body.data).toMatchObject([{ request_id: '1' }])
  })

  it('is shortened without waiting for the upkeep when many entries come at once', async () => {
    const company = await app.diwan.company()
    await fill(company.id, 20_500)
    const [key] = (await company.admin.get('/keys')).body.data
    const log = createRequestLog(app.database.db, error => expect.fail(String(error)))
    for (let n = 0; n < 150; n++) log.add({ ...REFUSED, company_id: company.id, key_id: key.id })
    await log.close()
    await until(async () => (await oldest(company.id))?.count === 20_000)
    expect(await oldest(company.id)).toEqual({ count: 20_000, oldest: 19_850 })
  })
})

describe('The flat 429', () => {
  it('is logged for a key, whatever its addresses, and for an address as far as its key is remembered', async () => {
    const company = await app.diwan.company()
    const from = (address: string) => company.api.get('/projects', { 'x-forwarded-for': address })
    const byKey = []
    for (let n = 0; n < PER_MINUTE + 1; n++) byKey.push(await from(`198.51.100.${n}`))
    expect(byKey.map(({ status }) => status)).toEqual([...Array(PER_MINUTE).fill(200), 429])
    const nobody = app.diwan.api()
    const together = { 'x-forwarded-for': '192.0.2.1' }
    for (let n = 0; n < PER_MINUTE; n++) await nobody.get('/projects', together)
    expect((await from('192.0.2.1')).status).toBe(429)
    expect((await company.api.get('/nothing', together)).status).toBe(429)
    await until(async () => (await company.admin.get('/requests')).body.meta.total === 2)
    const { data } = (await company.admin.get('/requests')).body
    const flat = { status: 429, code: null, operation: 'projects:read', path: '/api/v1/projects' }
    const message = expect.stringMatching(/^Too many requests\. Try again in \d+ seconds\.$/)
    expect(data).toMatchObject([
      { ...flat, message },
      { ...flat, message },
    ])
  })
})
