import { describe, expect, it } from 'vitest'
import { createRequestLog } from '../../src/domain/access/request-log.ts'
import { useApp, useOwnApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { INSTANT, newList, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'

const app = useApp()

interface Entry {
  at: string
  key: { id: number; name: string }
  method: string
  path: string
  operation: string | null
  status: number
  code: string | null
  message: string | null
}

/** The entries, newest first, once there are as many as expected: they are written a moment after the answers. */
async function logged({ admin }: Pick<TestCompany, 'admin'>, count: number): Promise<Entry[]> {
  let entries: Entry[] = []
  await until(async () => {
    entries = (await admin.get('/requests?limit=100')).body.data
    return entries.length >= count
  })
  expect(entries).toHaveLength(count)
  return entries
}

const brief = ({ method, path, status, code }: Entry) => [method, path, status, code]

describe('GET …/requests', () => {
  it('shows a refused call with all that is known of it, and nothing of its query, body and other headers', async () => {
    const company = await app.diwan.company()
    const key = await app.diwan.key(company.id, { name: 'تقارير' })
    const headers = { 'x-request-id': 'trace-me-4711', 'user-agent': 'hidden', 'idempotency-key': 'hidden' }
    const body = { name: '', description: 'hidden' }
    const answer = await app.diwan.api(key).post('/projects?token=hidden', body, headers)
    expect(answer.status).toBe(422)
    const [entry] = await logged(company, 1)
    expect(entry).toEqual({
      request_id: 'trace-me-4711',
      trace_id: null,
      at: INSTANT,
      key: { id: expect.any(Number), name: 'تقارير', kind: 'key' },
      method: 'POST',
      path: '/api/v1/projects',
      operation: 'projects:write',
      status: 422,
      code: 'unprocessable_entity',
      message: answer.body.error.message,
      ms: expect.any(Number),
    })
    expect(Math.abs(Date.now() - Date.parse(entry?.at ?? ''))).toBeLessThan(60_000)
  })

  it('has every write, replays and batches too, reads only when they fail, and nothing of the administration', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const named = { 'idempotency-key': 'once' }
    const at = `/lists/${list.id}`
    await company.api.post(`${at}/tasks`, { title: 'One' }, named)
    await company.api.post(`${at}/tasks`, { title: 'One' }, named)
    await company.api.post(`${at}/tasks/batch`, { tasks: [{ title: 'Two' }, { title: 'Three' }] })
    await company.api.patch(at, { title: 'Renamed' })
    await company.api.put(`${at}/tasks/ext:crm%2F7`, { title: 'Four' })
    await company.api.get('/projects')
    await company.api.get('/nothing')
    await company.api.send('PUT', '/projects')
    await app.diwan.api().get('/projects')
    await app.diwan.api(`${company.key.slice(0, -1)}_`).get('/projects')
    await app.diwan.client('/admin/v1', company.key).get('/me')
    await company.admin.get('/keys/999999999')
    await company.api.send('HEAD', '/projects/prj-0000000000')
    await company.api.delete(at)
    const entries = (await logged(company, 9)).toReversed()
    expect(entries.map(brief)).toEqual([
      ['POST', '/api/v1/projects', 201, null],
      ['POST', `/api/v1/projects/${project.id}/lists`, 201, null],
      ['POST', `/api/v1${at}/tasks`, 201, null],
      ['POST', `/api/v1${at}/tasks`, 201, null],
      ['POST', `/api/v1${at}/tasks/batch`, 201, null],
      ['PATCH', `/api/v1${at}`, 200, null],
      ['PUT', `/api/v1${at}/tasks/ext:crm%2F7`, 201, null],
      ['HEAD', '/api/v1/projects/prj-0000000000', 404, 'not_found'],
      ['DELETE', `/api/v1${at}`, 200, null],
    ])
    expect(entries.filter(({ message }) => message !== null)).toHaveLength(1)
  })

  it('has the calls of a key that was revoked, has expired, is denied, or is without the API', async () => {
    const company = await app.diwan.company()
    const [revoked, expired, reader] = [
      await app.diwan.key(company.id, { name: 'Revoked' }),
      await app.diwan.key(company.id, { name: 'Expired' }),
      await app.diwan.key(company.id, { name: 'Reader', access: 'read', operations: ['account:read'], rights: [] }),
    ]
    const keys: { id: number; name: string }[] = (await company.admin.get('/keys')).body.data
    const idOf = (name: string) => keys.find(key => key.name === name)?.id
    await company.admin.delete(`/keys/${idOf('Revoked')}`)
    await app.database.pool.query(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [
      idOf('Expired'),
    ])
    for (const key of [revoked, expired, reader]) await app.diwan.api(key).get('/projects')
    for (const terms of [{ rest_api: false }, { rest_api: true, plan: 'free' }]) {
      await app.diwan.operator.patch(`/companies/${company.id}`, terms)
      await company.api.get('/projects')
    }
    const entries = (await logged(company, 5)).toReversed()
    expect(entries.map(({ key, status, code, operation }) => [key.name, status, code, operation])).toEqual([
      ['Revoked', 401, 'unauthorized', 'projects:read'],
      ['Expired', 401, 'unauthorized', 'projects:read'],
      ['Reader', 403, 'forbidden', 'projects:read'],
      ['Test', 404, 'not_found', 'projects:read'],
      ['Test', 403, 'plan_upgrade_required', 'projects:read'],
    ])
  })

  it('has the calls that failed on our side, and those that the daily allowance refused', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const upload = await company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'Bytes' })
    const { ref } = upload.body.data
    const { rows } = await app.database.pool.query(
      `update files set scan_state = 'clean' where ref = $1 returning digest`,
      [ref],
    )
    await app.blobs.remove(company.id, rows[0].digest)
    expect((await company.api.get(`/projects/${project.id}/files/${ref}/download`)).status).toBe(500)
    await app.diwan.operator.patch(`/companies/${company.id}`, { plan: 'enterprise', daily_calls: 1 })
    expect((await company.api.get('/projects')).status).toBe(429)
    expect((await logged(company, 4)).slice(0, 2)).toMatchObject([
      { method: 'GET', path: '/api/v1/projects', status: 429, code: 'rate_limit_exceeded' },
      { method: 'GET', operation: 'files:read', status: 500, code: 'internal_error' },
    ])
  })

  it('has the call that an agent made by its own address, and the message of an agent only when it was refused', async () => {
    const company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const agent = app.diwan.client('', company.key)
    const accept = { accept: 'application/json, text/event-stream' }
    const params = { name: 'create_task', arguments: { list: list.id, title: 'By an agent' } }
    const create = () => agent.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, accept)
    await create()
    await agent.post('/mcp?tools=nonsense', {}, accept)
    await company.admin.delete(`/keys/${(await company.admin.get('/keys')).body.data[0].id}`)
    await create()
    const entries = (await logged(company, 5)).toReversed().slice(2)
    expect(entries.map(entry => [...brief(entry), entry.operation])).toEqual([
      ['POST', `/api/v1/lists/${list.id}/tasks`, 201, null, 'tasks:write'],
      ['POST', '/mcp', 422, 'unprocessable_entity', null],
      ['POST', '/mcp', 401, 'unauthorized', null],
    ])
  })

  it('can be stored and shown whatever was sent, shortened and without secrets', async () => {
    const company = await app.diwan.company()
    const headers = { 'content-type': 'application/json' }
    for (const body of [`{"a\\u0000b ${'ب'.repeat(300)}":{"name":"x"}}`, `{"${company.key}":{"name":"x"}}`])
      await company.api.send('POST', '/projects', { body, headers })
    await company.api.get(`/projects/${company.key}`)
    await company.api.get(`/projects/${'x'.repeat(9_000)}?q=${'y'.repeat(3_000)}`)
    const [longest, secret, ...posts] = await logged(company, 4)
    expect([longest?.path.length, secret?.path]).toEqual([2_049, '/api/v1/projects/svc_…'])
    expect(posts.map(({ status, message }) => [status, typeof message])).toEqual(Array(2).fill([422, 'string']))
    expect(posts[1]?.message).toContain('ب'.repeat(60))
    expect(JSON.stringify(posts)).not.toContain(company.key.slice(8, 30))
  })
})

describe('A filter of the log', () => {
  it('leaves exactly what it names, alone and with others, page by page', async () => {
    const company = await app.diwan.company({ time_zone: 'Pacific/Kiritimati' })
    const second = app.diwan.api(await app.diwan.key(company.id, { name: 'Second' }))
    const list = await newList(company, (await app.diwan.project(company)).id)
    const task = await newTask(company, list.id)
    await second.get('/projects/prj-0000000000', { 'x-request-id': 'the-second' })
    await second.post('/projects', {})
    await second.delete(`/tasks/${task.id}`)
    const entries = await logged(company, 6)
    const id = entries[0]?.key.id
    const at = entries.map(entry => Date.parse(entry.at))
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(at[0])
    const instant = (ms: number) => new Date(ms).toISOString()
    const all = [200, 422, 404, 201, 201, 201]
    for (const [query, statuses] of [
      [`key_id=${id}`, [200, 422, 404]],
      ['status=4xx', [422, 404]],
      ['status=2xx', [200, 201, 201, 201]],
      ['status=5xx', []],
      [`status=${encodeURIComponent('٤٢٢')}`, [422]],
      ['method=DELETE', [200]],
      ['operation=projects:write', [422, 201]],
      ['request_id=the-second', [404]],
      ['request_id=nobody', []],
      [`operation=projects:write&status=2xx&key_id=${id}`, []],
      ['operation=projects:write&status=2xx&method=POST', [201]],
      [`from=${today}&to=${today}`, all],
      [`from=${instant(at[5] as number)}`, all],
      [`from=${instant((at[0] as number) + 1)}`, []],
      [`to=${instant((at[5] as number) - 1)}`, []],
    ] as const) {
      const seen: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await company.admin.get(`/requests?${query}&limit=2${cursor && `&cursor=${cursor}`}`)
        expect([query, body.meta.total]).toEqual([query, statuses.length])
        seen.push(...body.data.map(({ status }: Entry) => status))
        cursor = body.meta.next_cursor
      }
      expect([query, seen]).toEqual([query, statuses])
    }
  })

  it('that cannot be read is refused', async () => {
    const { admin } = await app.diwan.company()
    const ofStatus = 'status must be 2xx, 3xx, 4xx, 5xx or a status such as 422'
    for (const [query, message] of [
      ['key_id=abc', 'key_id must be an id'],
      ['status=4x', ofStatus],
      ['status=999', ofStatus],
      ['status=4220', ofStatus],
      ['method=get', 'method must be one of GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['operation=everything', 'operation must be one of account:read, '],
      [`request_id=${'x'.repeat(129)}`, 'request_id must be a request id'],
      ['request_id=%00', 'request_id must not contain control characters'],
      ['from=yesterday', 'from '],
      ['to=2026-02-30', 'to '],
      ['cursor=nonsense', 'cursor '],
    ])
      expectRefusal(
        await admin.get(`/requests?${query}`),
        422,
        'unprocessable_entity',
        expect.stringMatching(`^${message}`),
      )
  })
})

describe('The bounds of the log', () => {
  const PER_MINUTE = 5
  const throttled = useOwnApp({ burstPerMinute: PER_MINUTE, trustProxy: '127.0.0.1' })
  const ask = async <T>(query: string, values: unknown[] = []) => throttled.database.db.raw<T>(query, values)

  /** So many entries of a company, each a second older than the one before. */
  const fill = (companyId: number, count: number) =>
    ask(
      `insert into requests (company_id, at, key_id, request_id, method, path, status, ms)
       select $1, now() - n * interval '1 second', 1, n::text, 'GET', '/', 404, 1 from generate_series(1, $2::int) n`,
      [companyId, count],
    )
  const kept = async (companyId: number) =>
    (
      await ask<{ count: number; oldest: number }>(
        `select count(*) as count, max(request_id::int) filter (where length(request_id) < 10) as oldest
         from requests where company_id = $1`,
        [companyId],
      )
    )[0]

  it('are 20,000 entries of a company and 7 days, and no others are shown before they are removed', async () => {
    const [company, other] = [await throttled.diwan.company(), await throttled.diwan.company()]
    await fill(company.id, 21_500)
    await fill(other.id, 2)
    const { body } = await throttled.diwan.operator.get(`/companies/${company.id}/requests?limit=1&offset=19999`)
    expect([body.meta.total, body.data[0].request_id, body.meta.next_cursor]).toEqual([20_000, '20000', null])
    const pieces = await doStep(throttled, 'long_request_logs')
    expect(pieces.filter(removed => removed > 0)).toEqual([1_000, 500])
    expect([await kept(company.id), await kept(other.id)]).toEqual([
      { count: 20_000, oldest: 20_000 },
      { count: 2, oldest: 2 },
    ])
    // When many entries come at once, the log does not wait for the upkeep.
    await fill(company.id, 400)
    const [key] = (await company.admin.get('/keys')).body.data
    const request_id = 'a-long-request-id'
    const call = { request_id, trace_id: null, at: Date.now(), method: 'GET', path: '/', operation: 'account:read' }
    const answer = { status: 429, code: null, message: 'Too many requests.', ms: 0.4 } as const
    const log = createRequestLog(throttled.database.db, error => expect.fail(String(error)))
    for (let n = 0; n < 150; n++) log.add({ ...call, ...answer, company_id: company.id, key_id: key.id })
    await log.close()
    await until(async () => (await kept(company.id))?.count === 20_000)
    const week = `now() - interval '7 days 1 minute'`
    await ask(`update requests set at = ${week} where company_id = $1 and request_id = '2'`, [other.id])
    expect((await other.admin.get('/requests')).body.data).toMatchObject([{ request_id: '1' }])
  })

  it('leave a flat 429 in it for a key, whatever its addresses, and for an address as far as its key is remembered', async () => {
    const company = await throttled.diwan.company()
    const from = (address: string, api: Client = company.api) => api.get('/projects', { 'x-forwarded-for': address })
    const byKey = []
    for (let n = 0; n < PER_MINUTE + 1; n++) byKey.push(await from(`198.51.100.${n}`))
    expect(byKey.map(({ status }) => status)).toEqual([...Array(PER_MINUTE).fill(200), 429])
    for (let n = 0; n < PER_MINUTE; n++) await from('192.0.2.1', throttled.diwan.api())
    expect((await from('192.0.2.1')).status).toBe(429)
    expect((await company.api.get('/nothing', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(429)
    const message = expect.stringMatching(/^Too many requests\. Try again in \d+ seconds\.$/)
    const flat = { status: 429, code: null, operation: 'projects:read', path: '/api/v1/projects', message }
    expect(await logged(company, 2)).toMatchObject([flat, flat])
  })
})
