import { describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { audit, INSTANT, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { noonZone } from '../support/noon-zone.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useOwnApp()

interface Entry {
  id: number
  created_at: string
  outcome: string
  operation: string
  by: { kind: string; id: number | null }
  target: { type: string; id: number | string; name: string } | null
  count: number
}

/** What a call left in the audit, oldest first. */
async function left(client: Client, calling: Promise<Answer>) {
  const { headers, status } = await calling
  expect(status).toBeLessThan(300)
  const { data } = (await client.get('/audit?limit=20')).body
  return data.filter((entry: { request_id: string }) => entry.request_id === headers.get('x-request-id')).toReversed()
}

const above = (company: TestCompany) => app.diwan.operator.patch.bind(null, `/companies/${company.id}`)

describe('An entry of the audit', () => {
  it('tells the person, the operator and the key apart, whatever they are called', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager', name: 'Huda' })
    const [{ id }] = (await company.admin.get('/keys')).body.data
    const project = await app.diwan.project(company)
    const by = (kind: string, id: number | null, name: string) => ({ by: { kind, id, name }, actor: name, key: null })
    const { by: byKey } = by('key', id, 'Test')
    for (const [call, expected] of [
      [() => manager.admin.patch(`/users/${manager.id}`, { name: 'operator' }), by('person', manager.id, 'Huda')],
      [() => manager.admin.patch('', { name: 'Renamed' }), by('person', manager.id, 'operator')],
      [() => above(company)({ name: 'Renamed again' }), by('operator', null, 'operator')],
      [
        () => company.api.delete(`/projects/${project.id}`),
        { by: byKey, actor: company.owner.name, key: { id, name: 'Test', kind: 'key' } },
      ],
    ] as const)
      expect(await left(company.admin, call())).toMatchObject([expected])
  })

  it('shows what became of roles, grants, plan, flag, allowance, subscription, zone, access and operations, and no other value', async () => {
    const company = await app.diwan.company()
    const { admin } = company
    const { id, name } = await app.diwan.person(company.id)
    const email = 'new@example.com'
    const person = { role: 'manager', can_manage_api_keys: true, email, active: false, language: 'ar' }
    const settings = { plan: 'pro', rest_api: false, daily_calls: 7, subscription: 'read_only', time_zone: 'UTC' }
    const making = admin.post('/keys', { name: 'K', access: 'read', operations: ['tasks:read'], rights: [] })
    const key = (await making).body.data
    const changed = { access: 'write', operations: ['tasks:write'], expires_at: '2031-01-01T00:00:00Z' }
    const became = (from: unknown, to: unknown) => ({ from, to })
    const [ofUser, ofKey] = [
      { type: 'user', id, name },
      { type: 'key', id: key.id, name: 'K' },
    ]
    const gained = { role: became('member', 'manager'), can_manage_api_keys: became(false, true) }
    const granted = { access: became(null, 'read'), operations: became(null, ['tasks:read']), rights: became(null, []) }
    const widened = { access: became('read', 'write'), operations: became(['tasks:read'], ['tasks:write']) }
    const terms = { plan: became('enterprise', 'pro'), rest_api: became(true, false), daily_calls: became(null, 7) }
    const others = { subscription: became('active', 'read_only'), time_zone: became('Asia/Riyadh', 'UTC') }
    const ofCompany = { type: 'company', id: company.id, name: 'New' }
    for (const [call, target, changes] of [
      [() => admin.patch(`/users/${id}`, person), ofUser, { ...gained, email: null, active: null, language: null }],
      [() => making, ofKey, { ...granted, name: null, created_by: null }],
      [() => admin.patch(`/keys/${key.id}`, changed), ofKey, { ...widened, expires_at: null }],
      [() => admin.delete(`/keys/${key.id}`), ofKey, { revoked_at: null }],
      [() => above(company)({ ...settings, name: 'New' }), ofCompany, { ...terms, ...others, name: null }],
    ] as const) {
      const [entry] = await left(admin, call())
      expect([entry.target, entry.changes]).toEqual([target, changes])
    }
    expect(JSON.stringify((await admin.get('/audit')).body)).not.toContain(key.key.slice(8, 51))
  })

  it('is left by people, tokens, members, restores and every destructive call of the API, with the name of the record', async () => {
    const company = await app.diwan.company()
    const { admin, api, owner } = company
    const project = await app.diwan.project(company, { name: 'P' })
    const list = await newList(company, project.id, { title: 'L' })
    const task = await newTask(company, list.id, { title: 'T' })
    const discussion = await newDiscussion(company, project.id, { title: 'D' })
    const at = `/projects/${project.id}`
    const folder = (await api.post(`${at}/folders`, { name: 'F' })).body.data
    const file = await newLink(company, project.id, { name: 'X' })
    const times = { starts_at: '2031-01-01T10:00:00Z', ends_at: '2031-01-01T11:00:00Z' }
    const event = (await api.post('/events', { name: 'E', ...times })).body.data
    const adding = admin.post('/users', { name: 'Huda', email: 'huda@example.com' })
    const token = admin.post(`/users/${owner.id}/tokens`, { name: 'Laptop' })
    const of = (type: string, id: unknown, name: string) => ({ type, id, name })
    const topic = `/discussions/${discussion.id}`
    const user = of('user', (await adding).body.data.id, 'Huda') as { id: number }
    const ownToken = of('token', (await token).body.data.id, 'Laptop') as { id: number }
    const ofProject = of('project', project.id, 'P')
    const added = ['name', 'email', 'role', 'can_manage_api_keys', 'active', 'language', 'invitation']
    const steps: [() => Promise<Answer>, string, object, string[]][] = [
      [() => adding, 'users:write', user, added],
      [() => token, 'tokens:write', ownToken, ['name']],
      [() => admin.delete(`/users/${owner.id}/tokens/${ownToken.id}`), 'tokens:destructive', ownToken, []],
      [() => admin.post(`${at}/members`, { user_id: user.id }), 'members:write', user, ['project']],
      [() => admin.delete(`${at}/members/${user.id}`), 'members:destructive', user, ['project']],
      [() => api.delete(`/tasks/${task.id}`), 'tasks:destructive', of('task', task.id, 'T'), []],
      [() => api.delete(`/lists/${list.id}`), 'task_lists:destructive', of('task_list', list.id, 'L'), []],
      [() => api.delete(`${at}${topic}`), 'discussions:destructive', of('discussion', discussion.id, 'D'), []],
      [() => api.delete(`${at}/folders/${folder.id}`), 'files:destructive', of('folder', folder.id, 'F'), []],
      [() => api.delete(`/files/${file.ref}`), 'files:destructive', of('file', file.ref, 'X'), []],
      [() => api.delete(`/events/${event.id}`), 'events:destructive', of('event', event.id, 'E'), []],
      [() => api.delete(at), 'projects:destructive', ofProject, []],
      [() => admin.post(`/trash/${project.id}/restore`), 'trash:write', ofProject, ['deleted_at']],
    ]
    for (const [call, operation, target, fields] of steps) {
      const entries = await left(admin, call())
      expect(entries).toMatchObject([{ outcome: 'allowed', operation, target, status: expect.any(Number) }])
      expect([operation, Object.keys(entries[0].changes).sort()]).toEqual([operation, fields.sort()])
    }
  })

  it('is left by nothing that changes nothing, is read, fails or is an ordinary write', async () => {
    const company = await app.diwan.company()
    const { admin, api } = company
    const { id, name, email } = await app.diwan.person(company.id)
    const key = (await admin.post('/keys', { name: 'K', access: 'write' })).body.data
    const project = await app.diwan.project(company)
    await admin.post(`/projects/${project.id}/members`, { user_id: id })
    await admin.delete(`/keys/${key.id}`)
    const before = (await admin.get('/audit')).body.meta.total
    const answers = [
      await admin.patch(`/users/${id}`, {}),
      await admin.patch(`/users/${id}`, { name, email, role: 'member', active: true }),
      await admin.patch(`/keys/${key.id}`, { name: 'K', operations: key.operations.toReversed() }),
      await admin.delete(`/keys/${key.id}`),
      await admin.patch('', { time_zone: 'Asia/Riyadh' }),
      await above(company)({ plan: 'enterprise', rest_api: true }),
      await admin.post(`/projects/${project.id}/members`, { user_id: id }),
      await api.post('/projects', { name: 'x' }),
      await api.get('/projects'),
      await api.delete('/projects/prj-0000000000'),
      await admin.post('/keys', { name: 'x', access: 'read', operations: ['tasks:write'] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), 201, 201, 200, 404, 422])
    expect((await admin.get('/audit')).body.meta.total).toBe(before)
  })

  it('is left by every write of the administration, those of no consequence for people and rights aside', () => {
    const silent = adminEndpoints.filter(({ method, audited }) => method !== 'GET' && !audited)
    expect(silent.map(({ summary }) => summary).sort()).toEqual([
      'Give up a failed job',
      'Mark notifications as read',
      'Refuse an app access',
      'Run a failed job again',
      'Send a test message',
      'Set the category of a discussion',
    ])
  })
})

describe('A denial', () => {
  const denials = async (client: Client): Promise<Entry[]> => (await client.get('/audit?outcome=denied')).body.data
  /** The hour in which denials are counted must not end in the middle of the test. */
  const stopTheClock = (companyId: number, count: number) =>
    app.database.pool.query(
      `update denial_counts set hour = date_trunc('hour', now()) + interval '1 day', count = $2 where company_id = $1`,
      [companyId, count],
    )

  it('is kept with the caller, path, operation, request id and reason, without the query', async () => {
    const company = await app.diwan.company()
    const key = await app.diwan.key(company.id, { name: 'Reader', access: 'read', operations: [], rights: [] })
    const named = { 'x-request-id': 'trace-me-4711' }
    const denied = await app.diwan.api(key).post('/projects?secret=1', { name: 'x' }, named)
    expect(denied.status).toBe(403)
    const { id } = (await company.admin.get('/keys')).body.data.at(-1)
    const shown = { id, name: 'Reader', kind: 'key' }
    const entry = {
      operation: 'projects:write',
      method: 'POST',
      path: '/api/v1/projects',
      status: 403,
      created_at: INSTANT,
    }
    const [first, ...others] = await denials(company.admin)
    expect([first, others]).toMatchObject([
      {
        ...entry,
        reason: denied.body.error.message,
        actor: company.owner.name,
        by: { kind: 'key', id, name: 'Reader' },
        key: shown,
        count: 1,
      },
      [],
    ])
    expect(first).toMatchObject({ outcome: 'denied', target: null, changes: {}, request_id: 'trace-me-4711' })
  })

  it('of a person is kept in their own company, also where it was above all companies, and in no other', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const member = await app.diwan.person(company.id, { name: 'هدى' })
    const path = `/companies/${company.id}/keys`
    const own = app.diwan.client('/admin/v1', member.token)
    const { body } = await own.get(path)
    expectRefusal(await own.get('/companies'), 403, 'forbidden')
    for (const [token, status] of [
      [elsewhere.ownerToken, 404],
      ['svc_nonsense', 401],
    ] as const)
      expect((await app.diwan.client('/admin/v1', token).get(path)).status).toBe(status)
    const reason = body.error.message
    const expected = { actor: 'هدى', key: null, by: { kind: 'person', id: member.id } }
    expect(await denials(company.admin)).toMatchObject([
      { ...expected, operation: 'companies:read', path: '/admin/v1/companies' },
      { ...expected, operation: 'keys:read', path: `/admin/v1${path}`, reason },
    ])
    expect(await denials(elsewhere.admin)).toEqual([])
  })

  it('is kept one by one a hundred times an hour, and the rest are counted in one entry, exactly', async () => {
    const company = await app.diwan.company()
    const key = await app.diwan.key(company.id, { access: 'read', operations: [], rights: [] })
    const deny = () => app.diwan.api(key).get('/me')
    await deny()
    await stopTheClock(company.id, 90)
    await Promise.all(Array.from({ length: 25 }, deny))
    const counts = async () => (await denials(company.admin)).map(({ count }) => count).sort((a, b) => a - b)
    expect(await counts()).toEqual([...Array(11).fill(1), 15])
    await app.database.pool.query(`update denial_counts set hour = hour - interval '2 days' where company_id = $1`, [
      company.id,
    ])
    await deny()
    await deny()
    expect(await counts()).toEqual([...Array(13).fill(1), 15])
  })

  it('of the administration is counted for each person apart and with all their tokens', async () => {
    const company = await app.diwan.company()
    const [one, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    const token = (await one.admin.post(`/users/${one.id}/tokens`, { name: 'Second' })).body.data.token
    await one.admin.get('/users')
    await stopTheClock(company.id, 100)
    await one.admin.get('/keys')
    await app.diwan.admin(company.id, token).get('/audit')
    await other.admin.get('/timeline')
    expect((await denials(company.admin)).map(({ operation, count }) => [operation, count])).toEqual([
      ['timeline:read', 1],
      ['keys:read', 2],
      ['users:read', 1],
    ])
  })
})

/** Entries as if they had happened a second apart, the first one `secondsAgo`. */
async function fill(companyId: number, count: number, fields: Record<string, string> = {}, secondsAgo = 0) {
  const usual = { operation: 'tasks:destructive', outcome: 'allowed', by_kind: 'operator', by_name: 'operator' }
  const given = { ...usual, ...fields }
  const values = Object.values(given)
  await app.database.pool.query(
    `insert into audit_entries (company_id, created_at, method, path, status, reason, actor, request_id, ${Object.keys(given)})
     select $1, now() - make_interval(secs => $2 + n), 'DELETE', '/', 200, 'Permitted.', 'x', 'r' || n,
       ${values.map((_, n) => `$${n + 4}`)}
     from generate_series(1, $3::int) n`,
    [companyId, secondsAgo, count, ...values],
  )
}

describe('The filters of the audit', () => {
  it('each leave exactly what they name, and together what all of them do', async () => {
    const time_zone = noonZone()
    const company = await app.diwan.company({ time_zone })
    const { admin, owner } = company
    const member = await app.diwan.person(company.id)
    await member.admin.get('/users')
    const project = await app.diwan.project(company)
    await company.api.delete(`/projects/${project.id}`)
    await admin.patch(`/users/${member.id}`, { name: 'Omar' })
    await above(company)({ plan: 'pro' })
    const all: Entry[] = (await admin.get('/audit')).body.data
    expect(all).toHaveLength(7)
    const [{ id: keyId }] = (await admin.get('/keys')).body.data
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(new Date())
    const middle = all[3]?.created_at as string
    const cases: [string, (entry: Entry) => boolean][] = [
      ['outcome=denied', ({ outcome }) => outcome === 'denied'],
      ['operation=users:write', ({ operation }) => operation === 'users:write'],
      ['by_kind=person', ({ by }) => by.kind === 'person'],
      [`by_id=${owner.id}`, ({ by }) => by.id === owner.id],
      [`key_id=${keyId}`, ({ by }) => by.kind === 'key'],
      [`target_id=${member.id}`, ({ target }) => target?.id === member.id],
      [`target_id=${project.id}`, ({ target }) => target?.id === project.id],
      [`from=${middle}`, ({ created_at }) => created_at >= middle],
      [`to=${middle}`, ({ created_at }) => created_at <= middle],
      [`from=${today}&to=${today}`, () => true],
      ['to=2020-01-01', () => false],
      ['operation=nothing:write', () => false],
      [
        `by_kind=person&by_id=${owner.id}&operation=users:write&outcome=allowed`,
        ({ operation, by }) => operation === 'users:write' && by.id === owner.id,
      ],
    ]
    for (const [query, matches] of cases) {
      const { body } = await admin.get(`/audit?${query}`)
      const wanted = all.filter(matches).map(({ id }) => id)
      expect([query, body.data.map(({ id }: Entry) => id), body.meta.total]).toEqual([query, wanted, wanted.length])
    }
  })

  it('refuse with 422 what cannot be read, as JSON and as CSV', async () => {
    const company = await app.diwan.company()
    for (const query of [
      'outcome=maybe',
      'outcome=%20',
      'operation=everything',
      'operation=keys:write%00',
      'by_kind=robot',
      'by_id=0',
      'key_id=1.5',
      'key_id=99999999999999999999',
      `target_id=${'x'.repeat(65)}`,
      'from=yesterday',
      'to=2026-02-30',
      'from=%20',
    ]) {
      const message = expect.stringMatching(new RegExp(`^${query.split('=')[0]} `))
      for (const accept of ['application/json', 'text/csv']) {
        const { status, body } = await company.admin.get(`/audit?${query}`, { accept })
        expect([query, status, body.error]).toEqual([query, 422, { code: 'unprocessable_entity', message }])
      }
    }
  })
})

it('A large audit is counted up to 10,000, and beyond that said to be more', async () => {
  const company = await app.diwan.company()
  await fill(company.id, 9_999)
  const meta = async (query: string) => (await company.admin.get(`/audit?limit=1${query}`)).body.meta
  const counted = { total: 10_000, limit: 1, offset: 0, count: 1, next_cursor: expect.any(String) }
  expect(await meta('')).toEqual(counted)
  await fill(company.id, 1, {}, 20_000)
  const last = { total_is_lower_bound: true, offset: 10_000, next_cursor: null }
  expect(await meta('&offset=10000')).toEqual({ ...counted, ...last })
  expect(await meta('&operation=keys:write')).toMatchObject({ total: 1 })
})

describe('The audit as CSV', () => {
  const csv = async (client: Client, query = '', accept = 'text/csv') => client.get(`/audit${query}`, { accept })

  it('has all that the filters leave, newest first, without paging, behind a byte order mark', async () => {
    const company = await app.diwan.company()
    await fill(company.id, 1_002)
    const { status, headers, body } = await csv(company.admin, '?operation=tasks:destructive&limit=2')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const lines = body.split('\r\n')
    expect(lines[0]).toBe(
      'id,created_at,outcome,operation,method,path,status,reason,actor,by_kind,by_id,by_name,target_type,target_id,target_name,changes,request_id,count',
    )
    const requests = lines.slice(1, -1).map((line: string) => line.split(',').at(-2))
    expect(requests).toEqual(Array.from({ length: 1_002 }, (_, n) => `r${n + 1}`))
    const answer = await fetch(`${app.url}/admin/v1/companies/${company.id}/audit?limit=2`, {
      headers: { authorization: `Bearer ${company.ownerToken}`, accept: 'text/csv' },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.subarray(0, 5)).toEqual(Buffer.from('\ufeffid'))
    expect(bytes.lastIndexOf('\ufeff')).toBe(0)
  })

  it('has names and changes as they are, and is for those who read the audit', async () => {
    const company = await app.diwan.company()
    const member = await app.diwan.person(company.id, { name: '=هدى, "H"' })
    await company.admin.patch(`/users/${member.id}`, { role: 'manager', name: 'x' })
    const { body } = await csv(company.admin, '?operation=users:write')
    expect(body).toContain(`,user,${member.id},"'=هدى, ""H""",`)
    expect(body).toContain('""role"":{""to"":""manager"",""from"":""member""}')
    expectRefusal(await csv((await app.diwan.person(company.id)).admin), 403, 'forbidden')
    expect(await csv(company.admin, '', 'application/json, text/csv')).toMatchObject({
      body: { data: await audit(company, 50) },
    })
  })
})
