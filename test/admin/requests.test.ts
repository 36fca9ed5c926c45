import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { INSTANT, newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'

const app = useApp()

interface Entry {
  request_id: string
  at: string
  key: { id: number; name: string }
  method: string
  path: string
  operation: string | null
  status: number
  code: string | null
  message: string | null
  ms: number
}

async function logged({ admin }: Pick<TestCompany, 'admin'>, query = ''): Promise<Entry[]> {
  const { status, body } = await admin.get(`/requests?limit=100${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

/** The entries once there are as many as expected: they are written a moment after the answers. */
async function eventually(company: Pick<TestCompany, 'admin'>, count: number, query = ''): Promise<Entry[]> {
  await until(async () => (await logged(company, query)).length >= count)
  const entries = await logged(company, query)
  expect(entries).toHaveLength(count)
  return entries
}

const brief = ({ method, path, status, code }: Entry) => [method, path, status, code]

describe('GET …/requests', () => {
  it('shows a refused call with all that is known of it, and nothing of its query', async () => {
    const company = await app.diwan.company()
    const key = await app.diwan.key(company.id, { name: 'تقارير' })
    const headers = { 'x-request-id': 'trace-me-4711' }
    const answer = await app.diwan.api(key).post('/projects?token=hidden', { name: '' }, headers)
    expect(answer.status).toBe(422)
    const [entry] = await eventually(company, 1)
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

  it('has every write, replays and batches too, and reads only when they fail', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const named = { 'idempotency-key': 'once' }
    await company.api.post(`/lists/${list.id}/tasks`, { title: 'One' }, named)
    const again = await company.api.post(`/lists/${list.id}/tasks`, { title: 'One' }, named)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    await company.api.post(`/lists/${list.id}/tasks/batch`, { tasks: [{ title: 'Two' }, { title: 'Three' }] })
    await company.api.patch(`/lists/${list.id}`, { title: 'Renamed' })
    for (let n = 0; n < 2; n++) await company.api.put(`/lists/${list.id}/tasks/ext:crm%2F7`, { title: 'Four' })
    await company.api.get('/projects')
    await company.api.get('/projects/prj-0000000000')
    await company.api.send('HEAD', '/projects/prj-0000000000')
    await company.api.delete(`/lists/${list.id}`)
    const entries = await eventually(company, 11)
    const tasks = `/api/v1/lists/${list.id}/tasks`
    expect(entries.toReversed().map(brief)).toEqual([
      ['POST', '/api/v1/projects', 201, null],
      ['POST', `/api/v1/projects/${project.id}/lists`, 201, null],
      ['POST', tasks, 201, null],
      ['POST', tasks, 201, null],
      ['POST', `${tasks}/batch`, 201, null],
      ['PATCH', `/api/v1/lists/${list.id}`, 200, null],
      ['PUT', `${tasks}/ext:crm%2F7`, 201, null],
      ['PUT', `${tasks}/ext:crm%2F7`, 200, null],
      ['GET', '/api/v1/projects/prj-0000000000', 404, 'not_found'],
      ['HEAD', '/api/v1/projects/prj-0000000000', 404, 'not_found'],
      ['DELETE', `/api/v1/lists/${list.id}`, 200, null],
    ])
    expect(entries.filter(({ status }) => status < 400).map(({ message }) => message)).toEqual(Array(9).fill(null))
  })

  it('has the calls of a key that was revoked, has expired, is denied, or is without the API', async () => {
    const company = await app.diwan.company()
    const [revoked, expired, reader] = await Promise.all([
      app.diwan.key(company.id, { name: 'Revoked' }),
      app.diwan.key(company.id, { name: 'Expired' }),
      app.diwan.key(company.id, { name: 'Reader', access: 'read', operations: ['account:read'], rights: [] }),
    ])
    const keys: { id: number; name: string }[] = (await company.admin.get('/keys')).body.data
    const idOf = (name: string) => keys.find(key => key.name === name)?.id
    await company.admin.delete(`/keys/${idOf('Revoked')}`)
    await app.database.pool.query(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [
      idOf('Expired'),
    ])
    const statuses = []
    for (const key of [revoked, expired, reader]) statuses.push((await app.diwan.api(key).get('/projects')).status)
    await app.diwan.operator.patch(`/companies/${company.id}`, { rest_api: false })
    statuses.push((await company.api.get('/projects')).status)
    await app.diwan.operator.patch(`/companies/${company.id}`, { rest_api: true, plan: 'free' })
    statuses.push((await company.api.get('/projects')).status)
    expect(statuses).toEqual([401, 401, 403, 404, 403])
    const entries = (await eventually(company, 5)).toReversed()
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
    const [spent, failed] = await eventually(company, 4)
    expect(failed).toMatchObject({ method: 'GET', operation: 'files:read', status: 500, code: 'internal_error' })
    expect(spent).toMatchObject({ method: 'GET', path: '/api/v1/projects', status: 429, code: 'rate_limit_exceeded' })
  })

  it('has nothing of a body or of a header, neither of a write nor of a refusal', async () => {
    const company = await app.diwan.company()
    const headers = { 'user-agent': 'Unmistakable-agent', 'idempotency-key': 'unmistakable-name' }
    const body = { name: 'Unmistakable words', description: 'Unmistakable words' }
    expect((await company.api.post('/projects', body, headers)).status).toBe(201)
    const refused = { ...body, start_date: '2027-02-30' }
    expect((await company.api.post('/projects', refused, { ...headers, 'idempotency-key': 'x' })).status).toBe(422)
    const entries = await eventually(company, 2)
    expect(JSON.stringify(entries)).not.toMatch(/unmistakable/i)
  })

  it('has nothing of an address that does not exist, of a key that nobody has, or of the administration', async () => {
    const company = await app.diwan.company()
    await company.api.get('/nothing')
    await company.api.send('PUT', '/projects')
    await app.diwan.api().get('/projects')
    await app.diwan.api(`${company.key.slice(0, -1)}_`).get('/projects')
    await app.diwan.client('/admin/v1', company.key).get('/me')
    await company.admin.get('/keys/999999999')
    await company.api.get('/projects/prj-0000000000')
    expect((await eventually(company, 1)).map(brief)).toEqual([
      ['GET', '/api/v1/projects/prj-0000000000', 404, 'not_found'],
    ])
  })

  it('has the call that an agent made by its own address, and the message of an agent only when it was refused', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const agent = app.diwan.client('', company.key)
    const accept = { accept: 'application/json, text/event-stream' }
    const call = (name: string, args: object) =>
      agent.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, accept)
    await call('create_task', { list: list.id, title: 'By an agent' })
    await agent.post('/mcp?tools=nonsense', {}, accept)
    await company.admin.delete(`/keys/${(await company.admin.get('/keys')).body.data[0].id}`)
    await call('create_task', { list: list.id, title: 'Refused' })
    const entries = (await eventually(company, 5)).toReversed().slice(2)
    expect(entries.map(entry => [...brief(entry), entry.operation])).toEqual([
      ['POST', `/api/v1/lists/${list.id}/tasks`, 201, null, 'tasks:write'],
      ['POST', '/mcp', 422, 'unprocessable_entity', null],
      ['POST', '/mcp', 401, 'unauthorized', null],
    ])
  })

  it('is for those who administer keys, each of their own company', async () => {
    const company = await app.diwan.company()
    const other = await app.diwan.company()
    await company.api.get('/projects/prj-0000000000')
    await eventually(company, 1)
    const people = await Promise.all(
      [{ role: 'member' }, { role: 'manager' }, { role: 'member', can_manage_api_keys: true }].map(settings =>
        app.diwan.person(company.id, settings),
      ),
    )
    const statuses = await Promise.all(people.map(async ({ admin }) => (await admin.get('/requests')).status))
    expect(statuses).toEqual([403, 403, 200])
    expect((await app.diwan.admin(company.id, other.ownerToken).get('/requests')).status).toBe(404)
    expect((await app.diwan.operator.get(`/companies/${company.id}/requests`)).body.meta.total).toBe(1)
    expect(await logged(other)).toEqual([])
  })
})

describe('A filter of the log', () => {
  /** Refusals and writes of two keys. */
  async function furnished() {
    const company = await app.diwan.company()
    const second = app.diwan.api(await app.diwan.key(company.id, { name: 'Second' }))
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const task = await newTask(company, list.id)
    await second.get('/projects/prj-0000000000', { 'x-request-id': 'the-second' })
    await second.post('/projects', {})
    await second.delete(`/tasks/${task.id}`)
    await eventually(company, 6)
    const keys: { id: number; name: string }[] = (await company.admin.get('/keys')).body.data
    return { company, second: keys.find(({ name }) => name === 'Second')?.id }
  }

  it('leaves exactly what it names, alone and with others', async () => {
    const { company, second } = await furnished()
    const statuses = async (query: string) => (await logged(company, `&${query}`)).map(({ status }) => status)
    expect(await statuses(`key_id=${second}`)).toEqual([200, 422, 404])
    expect(await statuses('status=4xx')).toEqual([422, 404])
    expect(await statuses('status=2xx')).toEqual([200, 201, 201, 201])
    expect(await statuses('status=5xx')).toEqual([])
    expect(await statuses('status=422')).toEqual([422])
    expect(await statuses(`status=${encodeURIComponent('٤٢٢')}`)).toEqual([422])
    expect(await statuses('method=DELETE')).toEqual([200])
    expect(await statuses('operation=projects:write')).toEqual([422, 201])
    expect(await statuses('request_id=the-second')).toEqual([404])
    expect(await statuses('request_id=nobody')).toEqual([])
    expect(await statuses(`operation=projects:write&status=2xx&key_id=${second}`)).toEqual([])
    expect(await statuses('operation=projects:write&status=2xx&method=POST')).toEqual([201])
  })

  it('of time takes dates in the zone of the company, and times', async () => {
    const company = await app.diwan.company({ time_zone: 'Pacific/Kiritimati' })
    await company.api.get('/projects/prj-0000000000')
    const [entry] = await eventually(company, 1)
    const at = Date.parse(entry?.at ?? '')
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(at)
    const instant = (ms: number) => new Date(at + ms).toISOString()
    const count = async (query: string) => (await logged(company, `&${query}`)).length
    expect(await count(`from=${today}&to=${today}`)).toBe(1)
    expect(await count(`from=${instant(-1_000)}&to=${instant(1_000)}`)).toBe(1)
    expect(await count(`from=${instant(1_000)}`)).toBe(0)
    expect(await count(`to=${instant(-1_000)}`)).toBe(0)
  })

  it.each([
    ['key_id=abc', 'key_id must be an id'],
    ['status=4x', 'status must be 2xx, 3xx, 4xx, 5xx or a status such as 422'],
    ['status=999', 'status must be 2xx, 3xx, 4xx, 5xx or a status such as 422'],
    ['status=4220', 'status must be 2xx, 3xx, 4xx, 5xx or a status such as 422'],
    ['method=get', 'method must be one of GET, HEAD, POST, PUT, PATCH, DELETE'],
    ['operation=everything', expect.stringMatching(/^operation must be one of account:read, /)],
    [`request_id=${'x'.repeat(129)}`, 'request_id must be a request id'],
    ['request_id=%00', 'request_id must not contain control characters or half of a surrogate pair'],
    ['from=yesterday', expect.stringMatching(/^from /)],
    ['to=2026-02-30', expect.stringMatching(/^to /)],
    ['cursor=nonsense', expect.stringMatching(/^cursor /)],
  ])('that cannot be read is refused: %s', async (query, message) => {
    const { admin } = await app.diwan.company()
    const { status, body } = await admin.get(`/requests?${query}`)
    expect([status, body.error.code, body.error.message]).toEqual([422, 'unprocessable_entity', message])
  })

  it('is kept by the cursor, which neither skips nor repeats an entry', async () => {
    const company = await app.diwan.company()
    const paths = Array.from({ length: 5 }, (_, n) => `/projects/prj-000000000${n}`)
    for (const path of paths) await company.api.get(path)
    await company.api.post('/projects', { name: 'Not a refusal' })
    await eventually(company, 6)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data, meta } = (await company.admin.get(`/requests?status=4xx&limit=2${cursor}`)).body
      expect(meta.total).toBe(5)
      seen.push(...data.map(({ path }: Entry) => path))
      if (!meta.next_cursor) break
      cursor = `&cursor=${meta.next_cursor}`
    }
    expect(seen).toEqual(paths.map(path => `/api/v1${path}`).toReversed())
  })
})

describe('What the log keeps of a text', () => {
  const messageOf = async (call: (api: Client) => Promise<unknown>) => {
    const company = await app.diwan.company()
    await call(company.api)
    return (await eventually(company, 1))[0]
  }

  it('is cut where it quotes what was sent', async () => {
    const name = `${'ب'.repeat(150)} ${'x'.repeat(150)}`
    const entry = await messageOf(api => api.post('/projects', { [name]: { name: 'x' } }))
    expect(entry?.message).toContain('ب'.repeat(60))
    for (const [word] of (entry?.message ?? '').matchAll(/"[^"]*"|\S+/g)) expect(word.length).toBeLessThanOrEqual(103)
  })

  it.each([
    ['Arabic and quotation marks', '{"\\"اسم\\" ‹ال\'مشروع›":{"name":"x"}}'],
    ['NUL', '{"a\\u0000b":{"name":"x"}}'],
    ['half of a surrogate pair', '{"a\\ud800b":{"name":"x"}}'],
    ['a backslash and braces', '{"{\\\\,\\"}":{"name":"x"}}'],
    ['what is no JSON', '{"name": \u0000'],
  ])('can contain %s', async (_, body) => {
    const headers = { 'content-type': 'application/json' }
    const entry = await messageOf(api => api.send('POST', '/projects', { body, headers }))
    expect([entry?.status, entry?.message]).toEqual([422, expect.any(String)])
  })

  it('is never a secret, wherever it was pasted', async () => {
    const company = await app.diwan.company()
    await company.api.get(`/projects/${company.key}`)
    await company.api.post('/projects', { [company.key]: { name: 'x' } })
    const entries = await eventually(company, 2)
    expect(entries.map(({ path }) => path)).toEqual(['/api/v1/projects', '/api/v1/projects/svc_…'])
    expect(JSON.stringify(entries)).not.toContain(company.key.slice(8, 30))
  })

  it('is no longer than it has to be, however long the address was', async () => {
    const entry = await messageOf(api => api.get(`/projects/${'x'.repeat(9_000)}?q=${'y'.repeat(3_000)}`))
    expect(entry?.path).toHaveLength(2_049)
  })
})
