import { createHmac } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { mintCredential } from '../../src/domain/access/credentials.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp } from '../support/app.ts'
import { ALL_OPERATIONS, created, type TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

/** Creates a key, with its record as the administration shows it. */
async function makeKey(settings: Record<string, unknown> = {}) {
  const fields = { name: 'Test', access: 'write', operations: ALL_OPERATIONS, ...settings }
  const { data } = await created(app.diwan.operator.post(`/companies/${company.id}/keys`, fields))
  const at = `/companies/${company.id}/keys/${data.id}`
  return { ...data, api: app.diwan.api(data.key), change: (body: object) => app.diwan.operator.patch(at, body), at }
}

const flip = (key: string, position: number) => {
  const at = (key.length + position) % key.length
  return key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
}

describe('A call without a valid key is 401', () => {
  it.each<[string, (key: string) => string | undefined]>([
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the bare key', key => key],
    ['another scheme', key => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['two keys', key => `Bearer ${key} ${key}`],
    ['nonsense', () => 'Bearer nonsense'],
    ['the prefix alone', () => 'Bearer svc_api_'],
    ['a key cut short', key => `Bearer ${key.slice(0, -1)}`],
    ['a key with more behind it', key => `Bearer ${key}0`],
    ['a broken checksum', key => `Bearer ${flip(key, -1)}`],
    ['a mistyped secret', key => `Bearer ${flip(key, 8)}`],
    ['the prefix of the other store', key => `Bearer ${key.replace('svc_api_', 'svc_')}`],
    ['a well-formed key of another service', () => `Bearer ${mintCredential('svc_api_', 'another secret').token}`],
    [
      'a key under our own secret that was never stored',
      () => `Bearer ${mintCredential('svc_api_', SERVER_SECRET).token}`,
    ],
  ])('%s', async (_, header) => {
    const authorization = header(company.key)
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const answer = await app.diwan.api().get('/me', headers)
    expectRefusal(answer, 401, 'unauthorized')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect([...answer.headers.keys()].filter(name => name.startsWith('x-ratelimit'))).toEqual([])
  })

  it('a key in the query is no key', async () => {
    expectRefusal(
      await app.diwan.api().get(`/me?api_key=${company.key}&access_token=${company.key}`),
      401,
      'unauthorized',
    )
  })

  it('a revoked key', async () => {
    const key = await makeKey()
    expect((await key.api.get('/me')).status).toBe(200)
    await app.diwan.operator.delete(key.at)
    expectRefusal(await key.api.get('/me'), 401, 'unauthorized')
    expectRefusal(await key.api.post('/projects', {}), 401, 'unauthorized')
  })

  it('a key past its expiry', async () => {
    const key = await makeKey({ expires_at: '2999-01-01T00:00:00Z' })
    expect((await key.api.get('/me')).status).toBe(200)
    await app.database.pool.query(`update api_keys set expires_at = '2020-01-01T00:00:00Z' where id = $1`, [key.id])
    expectRefusal(await key.api.get('/me'), 401, 'unauthorized')
  })
})

describe('The two stores are apart', () => {
  it('a personal token does not open the API, nor does the operator token', async () => {
    const { token } = await app.diwan.person(company.id, { role: 'owner' })
    for (const other of [token, company.ownerToken, OPERATOR_TOKEN])
      expectRefusal(await app.diwan.api(other).get('/me'), 401, 'unauthorized')
  })

  it('an API key does not open the administration', async () => {
    const admin = app.diwan.client('/admin/v1', company.key)
    for (const path of [`/companies/${company.id}`, `/companies/${company.id}/keys`, '/companies'])
      expectRefusal(await admin.get(path), 401, 'unauthorized')
  })
})

describe('A change takes effect on the very next call:', () => {
  it.each<[string, object, number, string]>([
    ['the flag turned off', { rest_api: false }, 404, 'not_found'],
    ['a plan without access', { plan: 'pro' }, 403, 'plan_upgrade_required'],
    ['an allowance of nothing', { daily_calls: 0 }, 403, 'plan_upgrade_required'],
  ])('%s, and back', async (_, change, status, code) => {
    const { id, api } = await app.diwan.company()
    expect((await api.get('/me')).status).toBe(200)
    await app.diwan.operator.patch(`/companies/${id}`, change)
    expectRefusal(await api.get('/me'), status, code)
    await app.diwan.operator.patch(`/companies/${id}`, { rest_api: true, plan: 'enterprise', daily_calls: null })
    expect((await api.get('/me')).status).toBe(200)
  })

  it('operations taken from a key and given back', async () => {
    const { api, change } = await makeKey()
    expect((await api.get('/projects')).status).toBe(200)
    await change({ operations: ['account:read'] })
    expectRefusal(await api.get('/projects'), 403, 'forbidden')
    expect((await api.get('/me')).body.data.key.operations).toEqual(['account:read'])
    await change({ operations: ['projects:read'] })
    expect((await api.get('/projects')).status).toBe(200)
  })

  it('the scope of a key', async () => {
    const { api, change } = await makeKey()
    expect((await api.post('/projects', { name: 'Before' })).status).toBe(201)
    await change({ access: 'read', operations: ['account:read'] })
    expectRefusal(await api.post('/projects', { name: 'After' }), 403, 'forbidden')
    expect((await api.get('/me')).body.data.key.access).toBe('read')
  })

  it('the names of company, key and creator', async () => {
    const { id, api, admin, owner } = await app.diwan.company()
    const { body } = await admin.get('/keys')
    await api.get('/me')
    await admin.patch('', { name: 'شركة الساحل' })
    await admin.patch(`/keys/${body.data[0].id}`, { name: 'Nightly' })
    await admin.patch(`/users/${owner.id}`, { name: 'ليلى حداد' })
    const { data } = (await api.get('/me')).body
    expect([data.company.name, data.key.name, data.created_by.name]).toEqual(['شركة الساحل', 'Nightly', 'ليلى حداد'])
    expect(id).toBeGreaterThan(0)
  })
})

describe('A key belongs to the company', () => {
  it('and keeps working, with its signature, after its creator was deactivated', async () => {
    const { id, name, email } = await app.diwan.person(company.id, { name: 'سلمى العمري' })
    const key = await makeKey({ created_by: id })
    await company.admin.patch(`/users/${id}`, { active: false })
    const { status, body } = await key.api.get('/me')
    expect(status).toBe(200)
    expect(body.data.created_by).toEqual({ name, email })
    expect((await key.api.post('/projects', { name: 'Signed' })).status).toBe(201)
  })

  it("and reaches private projects whatever its creator's role", async () => {
    const project = await app.diwan.project(company, { is_public: false })
    const { id } = await app.diwan.person(company.id, { role: 'member' })
    const { api } = await makeKey({ created_by: id })
    expect((await api.get(`/projects/${project.id}`)).body.data).toEqual(project)
    expect((await api.delete(`/projects/${project.id}`)).status).toBe(200)
  })
})

describe('A key is shown once', () => {
  it('and only its digest and last four characters are stored', async () => {
    const { id, key, last_four, at } = await makeKey()
    expect(key).toMatch(/^svc_api_[0-9A-Za-z]{49}$/)
    expect(last_four).toBe(key.slice(-4))
    const stored = await app.database.db.one<{ digest: Buffer; last_four: string; row: string }>(
      sql`select k.digest, k.last_four, to_jsonb(k)::text as row from api_keys k where id = ${id}`,
    )
    expect(Buffer.from(stored.digest)).toEqual(createHmac('sha256', SERVER_SECRET).update(key).digest())
    expect(stored.row).not.toContain(key.slice(8, 51))
    const answers = [
      await app.diwan.operator.patch(at, {}),
      await company.admin.get('/keys'),
      await company.admin.get('/audit'),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(key.slice(8, 51))
    }
  })
})

describe('Scope and allowlist must both hold', () => {
  it.each(['projects:write', 'projects:destructive'])('a read key cannot be made with %s', async operation => {
    const body = { name: 'Wide', access: 'read', operations: ['account:read', operation] }
    const answer = await app.diwan.operator.post(`/companies/${company.id}/keys`, body)
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^operations .*projects:/))
  })

  it('a key cannot be lowered to read while it holds more, nor given more than read permits', async () => {
    const { api, change } = await makeKey()
    expectRefusal(await change({ access: 'read' }), 422, 'unprocessable_entity')
    expect((await api.get('/me')).body.data.key.access).toBe('write')
    await change({ access: 'read', operations: [] })
    expectRefusal(await change({ operations: ['tasks:write'] }), 422, 'unprocessable_entity')
  })

  it('the scope is a ceiling even over an allowlist that says more', async () => {
    const { id, api } = await makeKey()
    await app.database.db.run(sql`update api_keys set access = 'read' where id = ${id}`)
    expect((await api.get('/projects')).status).toBe(200)
    expectRefusal(await api.post('/projects', { name: 'Above' }), 403, 'forbidden')
  })

  it('an empty allowlist allows nothing', async () => {
    const project = await app.diwan.project(company)
    const { api } = await makeKey({ operations: [] })
    const at = `/projects/${project.id}`
    for (const path of ['/me', '/projects', at, `${at}/members`]) expectRefusal(await api.get(path), 403, 'forbidden')
    for (const path of ['/projects', `${at}/archive`, `${at}/unarchive`])
      expectRefusal(await api.post(path, { name: 'X' }), 403, 'forbidden')
    expectRefusal(await api.patch(at, { name: 'X' }), 403, 'forbidden')
    expectRefusal(await api.delete(at), 403, 'forbidden')
  })

  it.each(['read', 'write'])('the %s preset holds all that its scope permits but nothing destructive', async access => {
    const key = await makeKey({ access, operations: undefined })
    const expected = ALL_OPERATIONS.filter(name => /:read$/.test(name) || (access === 'write' && /:write$/.test(name)))
    expect([...key.operations].sort()).toEqual(expected.sort())
    expect(key.rights).toEqual(access === 'write' ? ['manage_files'] : [])
    const project = await app.diwan.project(company)
    expectRefusal(await key.api.delete(`/projects/${project.id}`), 403, 'forbidden')
  })

  it('a denied call is audited with its key, and an allowed destructive one too', async () => {
    const project = await app.diwan.project(company)
    const key = await makeKey({ name: 'Ticked', operations: ['projects:destructive'] })
    const denied = await key.api.get('/projects?limit=1', { 'x-request-id': 'denied-1' })
    expectRefusal(denied, 403, 'forbidden')
    expect((await key.api.delete(`/projects/${project.id}`)).status).toBe(200)
    const { body } = await company.admin.get('/audit?limit=2')
    const by = { key: { id: key.id, name: 'Ticked' }, actor: company.owner.name }
    expect(body.data).toMatchObject([
      { outcome: 'allowed', operation: 'projects:destructive', method: 'DELETE', status: 200, ...by },
      { outcome: 'denied', operation: 'projects:read', method: 'GET', path: '/api/v1/projects', status: 403, ...by },
    ])
    expect(body.data[1].request_id).toBe('denied-1')
  })
})
