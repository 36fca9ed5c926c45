import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { listAudit } from '../../src/admin/audit.ts'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import type { AdminCall } from '../../src/admin/gate.ts'
import type { Db } from '../../src/db/db.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
import { useOwnApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { noonZone } from '../support/noon-zone.ts'
import { type Plan, planOf } from '../support/plans.ts'
import { expectRefusal } from '../support/refusal.ts'
import { doStep } from '../support/upkeep.ts'

const app = useOwnApp()

interface Entry {
  id: number
  created_at: string
  operation: string
  by: object
  target: { type: string; id: number | string; name: string } | null
  changes: Record<string, unknown>
}

/** What a call left in the audit, oldest first. */
async function left(client: Client, calling: Promise<Answer>): Promise<Entry[]> {
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
    const [renamed] = await left(company.admin, manager.admin.patch(`/users/${manager.id}`, { name: 'operator' }))
    expect(renamed).toMatchObject({ by: { kind: 'person', id: manager.id, name: 'Huda' }, actor: 'Huda' })
    const [own] = await left(company.admin, manager.admin.patch('', { name: 'Renamed' }))
    expect(own).toMatchObject({ by: { kind: 'person', id: manager.id, name: 'operator' }, actor: 'operator' })
    const [others] = await left(company.admin, above(company)({ name: 'Renamed again' }))
    expect(others).toMatchObject({ by: { kind: 'operator', id: null, name: 'operator' }, actor: 'operator', key: null })
    const project = await app.diwan.project(company)
    const [{ id }] = (await company.admin.get('/keys')).body.data
    const [deleted] = await left(company.admin, company.api.delete(`/projects/${project.id}`))
    expect(deleted).toMatchObject({ by: { kind: 'key', id, name: 'Test' }, key: { id, name: 'Test' } })
  })

  it('shows what became of roles, grants, plan, flag, allowance, subscription and zone, and no other value', async () => {
    const company = await app.diwan.company()
    const { id, name } = await app.diwan.person(company.id)
    const person = {
      role: 'manager',
      can_manage_api_keys: true,
      email: 'new@example.com',
      active: false,
      language: 'ar',
    }
    const [promoted] = await left(company.admin, company.admin.patch(`/users/${id}`, person))
    expect([promoted?.target, promoted?.changes]).toEqual([
      { type: 'user', id, name },
      {
        role: { from: 'member', to: 'manager' },
        can_manage_api_keys: { from: false, to: true },
        email: null,
        active: null,
        language: null,
      },
    ])
    const settings = {
      plan: 'pro',
      rest_api: false,
      daily_calls: 7,
      subscription: 'read_only',
      time_zone: 'UTC',
      name: 'New',
    }
    const [changed] = await left(company.admin, above(company)(settings))
    expect([changed?.target, changed?.changes]).toEqual([
      { type: 'company', id: company.id, name: 'New' },
      {
        plan: { from: 'enterprise', to: 'pro' },
        rest_api: { from: true, to: false },
        daily_calls: { from: null, to: 7 },
        subscription: { from: 'active', to: 'read_only' },
        time_zone: { from: 'Asia/Riyadh', to: 'UTC' },
        name: null,
      },
    ])
  })

  it('names the key that was made, changed and revoked, and shows its access, operations and rights', async () => {
    const { admin } = await app.diwan.company()
    const making = admin.post('/keys', { name: 'K', access: 'read', operations: ['tasks:read'], rights: [] })
    const [made] = await left(admin, making)
    const { id, key } = (await making).body.data
    expect([made?.target, made?.changes]).toEqual([
      { type: 'key', id, name: 'K' },
      {
        name: null,
        access: { from: null, to: 'read' },
        operations: { from: null, to: ['tasks:read'] },
        rights: { from: null, to: [] },
        created_by: null,
      },
    ])
    const change = { access: 'write', operations: ['tasks:write'], expires_at: '2031-01-01T00:00:00Z' }
    const [changed] = await left(admin, admin.patch(`/keys/${id}`, change))
    expect(changed?.changes).toEqual({
      access: { from: 'read', to: 'write' },
      operations: { from: ['tasks:read'], to: ['tasks:write'] },
      expires_at: null,
    })
    const [revoked] = await left(admin, admin.delete(`/keys/${id}`))
    expect(revoked).toMatchObject({ target: { type: 'key', id }, changes: { revoked_at: null } })
    expect(JSON.stringify((await admin.get('/audit')).body)).not.toContain(key.slice(8, 51))
  })

  it('is left by people, tokens, members and restores too', async () => {
    const company = await app.diwan.company()
    const { admin, owner } = company
    const project = await app.diwan.project(company, { name: 'Move' })
    const adding = admin.post('/users', { name: 'Huda', email: 'huda@example.com' })
    const { id } = (await adding).body.data
    const token = admin.post(`/users/${owner.id}/tokens`, { name: 'Laptop' })
    const tokenId = (await token).body.data.id
    const user = { type: 'user', id, name: 'Huda' }
    const ownToken = { type: 'token', id: tokenId, name: 'Laptop' }
    const members = `/projects/${project.id}/members`
    const steps: [Promise<Answer>, object, string[]][] = [
      [adding, user, ['name', 'email', 'role', 'can_manage_api_keys', 'active', 'language', 'invitation']],
      [token, ownToken, ['name']],
      [admin.delete(`/users/${owner.id}/tokens/${tokenId}`), ownToken, []],
    ]
    for (const [step, target, fields] of steps) {
      const entries = await left(admin, step)
      expect(entries.map(entry => [entry.target, Object.keys(entry.changes).sort()])).toEqual([[target, fields.sort()]])
    }
    for (const call of [() => admin.post(members, { user_id: id }), () => admin.delete(`${members}/${id}`)])
      expect(await left(admin, call())).toMatchObject([{ target: user, changes: { project: null } }])
    await company.api.delete(`/projects/${project.id}`)
    const restored = await left(admin, admin.post(`/trash/${project.id}/restore`))
    expect(restored).toMatchObject([
      { target: { type: 'project', id: project.id, name: 'Move' }, changes: { deleted_at: null } },
    ])
  })

  it('names what every destructive call of the API destroyed', async () => {
    const company = await app.diwan.company()
    const { api, admin } = company
    const project = await app.diwan.project(company, { name: 'P' })
    const [list, other] = [await newList(company, project.id, { title: 'L' }), await newList(company, project.id)]
    const task = await newTask(company, other.id, { title: 'T' })
    const discussion = await newDiscussion(company, project.id, { title: 'D' })
    const at = `/projects/${project.id}`
    const folder = (await api.post(`${at}/folders`, { name: 'F' })).body.data
    const file = (await api.post(`${at}/links`, { name: 'X', external_url: 'https://example.com/' })).body.data
    const times = { starts_at: '2031-01-01T10:00:00Z', ends_at: '2031-01-01T11:00:00Z' }
    const event = (await api.post('/events', { name: 'E', ...times })).body.data
    for (const [path, target] of [
      [`/tasks/${task.id}`, { type: 'task', id: task.id, name: 'T' }],
      [`/lists/${list.id}`, { type: 'task_list', id: list.id, name: 'L' }],
      [`${at}/discussions/${discussion.id}`, { type: 'discussion', id: discussion.id, name: 'D' }],
      [`${at}/folders/${folder.id}`, { type: 'folder', id: folder.id, name: 'F' }],
      [`/files/${file.ref}`, { type: 'file', id: file.ref, name: 'X' }],
      [`/events/${event.id}`, { type: 'event', id: event.id, name: 'E' }],
      [at, { type: 'project', id: project.id, name: 'P' }],
    ] as const)
      expect(await left(admin, api.delete(path))).toMatchObject([{ outcome: 'allowed', target, changes: {} }])
  })

  it('is left by nothing that changes nothing', async () => {
    const company = await app.diwan.company()
    const { admin } = company
    const { id, name, email } = await app.diwan.person(company.id)
    const key = (await admin.post('/keys', { name: 'K', access: 'write' })).body.data
    const project = await app.diwan.project(company)
    await admin.post(`/projects/${project.id}/members`, { user_id: id })
    await admin.delete(`/keys/${key.id}`)
    const calls = [
      () => admin.patch(`/users/${id}`, {}),
      () => admin.patch(`/users/${id}`, { name, email, role: 'member', active: true }),
      () => admin.patch(`/keys/${key.id}`, { name: 'K', operations: key.operations.toReversed() }),
      () => admin.delete(`/keys/${key.id}`),
      () => admin.patch('', { time_zone: 'Asia/Riyadh' }),
      () => above(company)({ plan: 'enterprise', rest_api: true }),
      () => admin.post(`/projects/${project.id}/members`, { user_id: id }),
    ]
    for (const call of calls) expect(await left(admin, call())).toEqual([])
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

describe('GET /admin/v1/audit', () => {
  it('tells the operator which companies were made, and a company nothing of it', async () => {
    const company = await app.diwan.company({ name: 'نجد', plan: 'pro' })
    const { body } = await app.diwan.operator.get(`/audit?target_id=${company.id}`)
    expect(body).toMatchObject({
      data: [
        {
          operation: 'companies:write',
          by: { kind: 'operator', id: null, name: 'operator' },
          target: { type: 'company', id: company.id, name: 'نجد' },
          changes: { plan: { from: null, to: 'pro' }, time_zone: { from: null, to: 'Asia/Riyadh' }, name: null },
        },
      ],
      meta: { total: 1 },
    })
    const own = (await company.admin.get('/audit')).body.data
    expect(own.map(({ operation }: Entry) => operation)).toEqual(['keys:write'])
    expectRefusal(await app.diwan.client('/admin/v1', company.ownerToken).get('/audit'), 403, 'forbidden')
  })
})

/** Entries as if they had happened a second apart, the first one `secondsAgo`. */
async function fill(companyId: number, count: number, fields: Record<string, string> = {}, secondsAgo = 0) {
  const given = {
    operation: 'tasks:destructive',
    outcome: 'allowed',
    by_kind: 'operator',
    by_name: 'operator',
    ...fields,
  }
  await app.database.pool.query(
    `insert into audit_entries (company_id, created_at, method, path, status, reason, actor, request_id, ${Object.keys(given).join(', ')})
     select $1, now() - make_interval(secs => $2 + n), 'DELETE', '/', 200, 'Permitted.', 'x', 'r' || n,
       ${Object.keys(given)
         .map((_, n) => `$${n + 4}`)
         .join(', ')}
     from generate_series(1, $3::int) n`,
    [companyId, secondsAgo, count, ...Object.values(given)],
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
    const all: (Entry & { outcome: string; by: { kind: string; id: number | null } })[] = (await admin.get('/audit'))
      .body.data
    expect(all).toHaveLength(7)
    const [{ id: keyId }] = (await admin.get('/keys')).body.data
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(new Date())
    const middle = all[3]?.created_at as string
    const cases: [string, (entry: (typeof all)[number]) => boolean][] = [
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
        e => e.operation === 'users:write' && e.by.id === owner.id,
      ],
    ]
    for (const [query, matches] of cases) {
      const { body } = await admin.get(`/audit?${query}`)
      const wanted = all.filter(matches).map(({ id }) => id)
      expect([query, body.data.map(({ id }: Entry) => id), body.meta.total]).toEqual([query, wanted, wanted.length])
    }
  })

  it.each([
    'outcome=maybe',
    'outcome=%20',
    'operation=everything',
    'operation=keys:write%00',
    'by_kind=robot',
    'by_id=abc',
    'by_id=0',
    'key_id=1.5',
    'key_id=99999999999999999999',
    `target_id=${'x'.repeat(65)}`,
    'from=yesterday',
    'to=2026-02-30',
    'from=%20',
  ])('refuse ?%s with 422, naming the filter', async query => {
    const company = await app.diwan.company()
    const [field = ''] = query.split('=')
    const message = expect.stringMatching(new RegExp(`^${field} `))
    for (const accept of ['application/json', 'text/csv']) {
      const answer = await company.admin.get(`/audit?${query}`, { accept })
      expectRefusal(answer, 422, 'unprocessable_entity', message)
    }
  })
})

describe('A large audit', () => {
  const readCursor = createCursors('secret')

  it('is counted up to 10,000, and beyond that said to be more', async () => {
    const company = await app.diwan.company()
    await fill(company.id, 9_999)
    expect((await company.admin.get('/audit?limit=1')).body.meta).toEqual({
      total: 10_000,
      limit: 1,
      offset: 0,
      count: 1,
      next_cursor: expect.any(String),
    })
    await fill(company.id, 1, {}, 20_000)
    const meta = {
      total: 10_000,
      total_is_lower_bound: true,
      limit: 1,
      offset: 10_000,
      count: 1,
      next_cursor: null,
    }
    expect((await company.admin.get('/audit?limit=1&offset=10000')).body.meta).toEqual(meta)
    expect((await company.admin.get('/audit?operation=keys:write')).body.meta).toMatchObject({ total: 1 })
  })

  /** How many entries the database looks at for a page: by the plans of the statements that the endpoint sends. */
  async function entriesRead(companyId: number, query: Record<string, string>): Promise<number> {
    const { db } = app.database
    let read = 0
    const explained: Pick<Db, 'many' | 'maybe'> = {
      async many(statement) {
        read += entriesOf(await planOf(app.database.pool, statement))
        return db.many(statement)
      },
      maybe: statement => db.maybe(statement),
    }
    assert(listAudit.method === 'GET')
    await listAudit.read({ db: explained, companyId, headers: {}, params: {}, readCursor } as AdminCall, query)
    return read
  }

  function entriesOf(plan: Plan): number {
    const isScan = plan['Relation Name'] === 'audit_entries'
    const own = isScan ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0
    return own + (plan.Plans ?? []).map(entriesOf).reduce((sum, each) => sum + each, 0)
  }

  it('reads no more for a page when it is large, nor when that of others is, whatever the filter', {
    tags: 'long',
  }, async () => {
    const [small, large] = [await app.diwan.company(), await app.diwan.company()]
    const rare = { outcome: 'denied', operation: 'keys:write', by_kind: 'person', by_id: '7', target_id: 'rare' }
    await fill(small.id, 100)
    await fill(large.id, 30_000)
    // The newest and the oldest are rare: what is in between must not be read to find both.
    for (const ago of [0, 10_000_000]) await fill(large.id, 3, rare, ago)
    await app.database.pool.query('vacuum analyze audit_entries')
    const span = { from: '1999-01-01', to: '2099-01-01' }
    const read: [query: Record<string, string>, atMost: number][] = [
      ...Object.entries(rare).flatMap(([name, value]): [Record<string, string>, number][] => [
        [{ [name]: value }, 50],
        [{ [name]: value, ...span }, 50],
      ]),
      [rare, 50],
      [{ by_kind: 'person', by_id: '7' }, 50],
      [{ to: new Date(Date.now() - 9_000_000_000).toISOString() }, 50],
      // The page, and what is counted.
      [{}, 10_100],
      [span, 10_100],
      [{ outcome: 'allowed' }, 10_100],
      [{ operation: 'tasks:destructive' }, 10_100],
      [{ by_kind: 'operator', outcome: 'allowed', ...span }, 10_100],
    ]
    for (const [query, atMost] of read)
      expect(await entriesRead(large.id, query), JSON.stringify(query)).toBeLessThan(atMost)
    expect(await entriesRead(small.id, {})).toBeLessThan(200)
  })

  it('is kept for 400 days', async () => {
    const company = await app.diwan.company()
    const day = 86_400
    await fill(company.id, 1_500, {}, 400 * day)
    await fill(company.id, 2, {}, 400 * day - 60)
    expect(await doStep(app, 'audit_entries')).toEqual([1_000, 500])
    expect((await company.admin.get('/audit')).body.meta.total).toBe(1 + 2)
  })
})

describe('Accept: text/csv', () => {
  const csv = async (client: Client, query = '', accept = 'text/csv') => client.get(`/audit${query}`, { accept })

  it('gives all that the filters leave, newest first, without paging', async () => {
    const company = await app.diwan.company()
    await fill(company.id, 1_234)
    const { status, headers, body } = await csv(company.admin, '?operation=tasks:destructive&limit=2')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const lines = body.split('\r\n')
    expect(lines[0]).toBe(
      'id,created_at,outcome,operation,method,path,status,reason,actor,by_kind,by_id,by_name,target_type,target_id,target_name,changes,request_id,count',
    )
    const requests = lines.slice(1, -1).map((line: string) => line.split(',').at(-2))
    expect(requests).toEqual(Array.from({ length: 1_234 }, (_, n) => `r${n + 1}`))
  })

  it('begins with a byte order mark, without which Excel misreads Arabic', async () => {
    const { id, ownerToken } = await app.diwan.company()
    const answer = await fetch(`${app.url}/admin/v1/companies/${id}/audit`, {
      headers: { authorization: `Bearer ${ownerToken}`, accept: 'text/csv' },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.subarray(0, 5)).toEqual(Buffer.from('\ufeffid'))
    expect(bytes.lastIndexOf('\ufeff')).toBe(0)
  })

  it.each(['=1+1', '+cmd', '-1', '@SUM(A1)', '\t=1'])('makes a cell that begins as %j harmless', async name => {
    const company = await app.diwan.company()
    const { admin } = company
    await admin.post('/users', { name, email: `${randomUUID()}@example.com` })
    const { body } = await csv(admin, '?operation=users:write')
    expect(body).toContain(`,'${name},`)
    expect(body).not.toContain(`,${name},`)
  })

  it('quotes what would break a line, and keeps Arabic and changes as they are', async () => {
    const { admin } = await app.diwan.company()
    const { id } = (await admin.post('/users', { name: 'هدى, "H"\nx', email: 'h@example.com' })).body.data
    await admin.patch(`/users/${id}`, { role: 'manager' })
    const { body } = await csv(admin, '?operation=users:write')
    expect(body).toContain('"هدى, ""H""\nx"')
    expect(body).toContain('"{""role"":{""to"":""manager"",""from"":""member""}}"')
  })

  it('is for those who read the audit, and JSON where that is named first', async () => {
    const company = await app.diwan.company()
    const member = await app.diwan.person(company.id)
    expectRefusal(await csv(member.admin), 403, 'forbidden')
    for (const accept of ['application/json, text/csv', '*/*', 'text/csvx'])
      expect((await csv(company.admin, '', accept)).body.meta.total).toBeGreaterThan(0)
  })
})
