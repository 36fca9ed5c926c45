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

// test/contract/access.test.ts proves of every endpoint that it is closed without a key, and asks for its operation.

describe('A key', () => {
  it('is one only in the form and place of one, and only if we gave it out', async () => {
    const { key } = company
    const never = mintCredential('svc_api_', SERVER_SECRET).token
    for (const authorization of [
      'Bearer',
      key,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Bearer ${key} ${key}`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
      `Bearer ${key.replace('svc_api_', 'svc_')}`,
      `Bearer ${mintCredential('svc_api_', 'another secret').token}`,
      `Bearer ${never}`,
      `Bearer ${company.ownerToken}`,
      `Bearer ${OPERATOR_TOKEN}`,
    ]) {
      const answer = await app.diwan.api().get('/me', { authorization })
      expect([authorization, answer.status, answer.body.error?.code]).toEqual([authorization, 401, 'unauthorized'])
    }
    expect((await app.diwan.api().get(`/me?api_key=${key}&access_token=${key}`)).status).toBe(401)
    expect((await app.diwan.api().get('/me', { authorization: `bearer ${key}` })).status).toBe(200)
  })

  it('is none after it was revoked, or its end', async () => {
    const [revoked, expired] = [await makeKey(), await makeKey({ expires_at: '2999-01-01T00:00:00Z' })]
    for (const { api } of [revoked, expired]) expect((await api.get('/me')).status).toBe(200)
    await app.diwan.operator.delete(revoked.at)
    await app.database.pool.query(`update api_keys set expires_at = '2020-01-01T00:00:00Z' where id = $1`, [expired.id])
    for (const { api } of [revoked, expired]) expectRefusal(await api.get('/me'), 401, 'unauthorized')
  })

  it('is shown once: only its digest and last four characters are stored', async () => {
    const { id, key, last_four, at } = await makeKey()
    expect(key).toMatch(/^svc_api_[0-9A-Za-z]{49}$/)
    expect(last_four).toBe(key.slice(-4))
    const stored = await app.database.db.one<{ digest: Buffer; row: string }>(
      sql`select k.digest, to_jsonb(k)::text as row from api_keys k where id = ${id}`,
    )
    expect(Buffer.from(stored.digest)).toEqual(createHmac('sha256', SERVER_SECRET).update(key).digest())
    const answers = [await app.diwan.operator.patch(at, {}), await company.admin.get('/keys')]
    for (const text of [stored.row, JSON.stringify(answers.map(({ body }) => body))])
      expect(text).not.toContain(key.slice(8, 51))
  })

  it('belongs to the company: it works on, signed, after its creator has left, whatever the role of that one', async () => {
    const project = await app.diwan.project(company, { is_public: false })
    const { id, name, email } = await app.diwan.person(company.id, { name: 'سلمى العمري', role: 'member' })
    const { api } = await makeKey({ created_by: id })
    expect((await api.get(`/projects/${project.id}`)).body.data).toEqual(project)
    await company.admin.patch(`/users/${id}`, { active: false })
    expect((await api.get('/me')).body.data.created_by).toEqual({ name, email })
    expect((await api.delete(`/projects/${project.id}`)).status).toBe(200)
  })
})

describe('A change takes effect on the very next call:', () => {
  it('of the flag, the plan and the allowance, there and back', async () => {
    const { id, api } = await app.diwan.company()
    for (const [change, status, code] of [
      [{ rest_api: false }, 404, 'not_found'],
      [{ plan: 'pro' }, 403, 'plan_upgrade_required'],
      [{ daily_calls: 0 }, 403, 'plan_upgrade_required'],
    ] as const) {
      await app.diwan.operator.patch(`/companies/${id}`, change)
      expectRefusal(await api.get('/me'), status, code)
      await app.diwan.operator.patch(`/companies/${id}`, { rest_api: true, plan: 'enterprise', daily_calls: null })
      expect((await api.get('/me')).status).toBe(200)
    }
  })

  it('of the operations and the scope of a key', async () => {
    const { api, change } = await makeKey()
    expect((await api.get('/projects')).status).toBe(200)
    await change({ access: 'read', operations: ['account:read'] })
    for (const answer of [await api.get('/projects'), await api.post('/projects', { name: 'After' })])
      expectRefusal(answer, 403, 'forbidden')
    expect((await api.get('/me')).body.data.key).toMatchObject({ access: 'read', operations: ['account:read'] })
  })

  it('of the names of company, key and creator', async () => {
    const { api, admin, owner } = await app.diwan.company()
    const { body } = await admin.get('/keys')
    await api.get('/me')
    await admin.patch('', { name: 'شركة الساحل' })
    await admin.patch(`/keys/${body.data[0].id}`, { name: 'Nightly' })
    await admin.patch(`/users/${owner.id}`, { name: 'ليلى حداد' })
    const { data } = (await api.get('/me')).body
    expect([data.company.name, data.key.name, data.created_by.name]).toEqual(['شركة الساحل', 'Nightly', 'ليلى حداد'])
  })
})

describe('Scope and allowlist must both hold', () => {
  it('so a read key neither is made with more than reading, nor becomes one while it holds more', async () => {
    for (const operation of ['projects:write', 'projects:destructive']) {
      const body = { name: 'Wide', access: 'read', operations: ['account:read', operation] }
      const answer = await app.diwan.operator.post(`/companies/${company.id}/keys`, body)
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^operations .*projects:/))
    }
    const { id, api, change } = await makeKey()
    expectRefusal(await change({ access: 'read' }), 422, 'unprocessable_entity')
    // The scope is a ceiling even over an allowlist that says more.
    await app.database.db.run(sql`update api_keys set access = 'read' where id = ${id}`)
    expect((await api.get('/projects')).status).toBe(200)
    expectRefusal(await api.post('/projects', { name: 'Above' }), 403, 'forbidden')
    await change({ operations: [] })
    expectRefusal(await api.get('/me'), 403, 'forbidden')
    expectRefusal(await change({ operations: ['tasks:write'] }), 422, 'unprocessable_entity')
  })

  it.each(['read', 'write'])('the %s preset holds all that its scope permits but nothing destructive', async access => {
    const key = await makeKey({ access, operations: undefined })
    const expected = ALL_OPERATIONS.filter(name => /:read$/.test(name) || (access === 'write' && /:write$/.test(name)))
    expect([...key.operations].sort()).toEqual(expected.sort())
    expect(key.rights).toEqual(access === 'write' ? ['manage_files'] : [])
  })

  it('and a denied call is in the audit with its key and signature, as is an allowed destructive one', async () => {
    const project = await app.diwan.project(company)
    const key = await makeKey({ name: 'Ticked', operations: ['projects:destructive'] })
    expectRefusal(await key.api.get('/projects?limit=1'), 403, 'forbidden')
    expect((await key.api.delete(`/projects/${project.id}`)).status).toBe(200)
    const { body } = await company.admin.get('/audit?limit=2')
    const by = { key: { id: key.id, name: 'Ticked' }, actor: company.owner.name }
    expect(body.data).toMatchObject([
      { outcome: 'allowed', operation: 'projects:destructive', method: 'DELETE', status: 200, ...by },
      { outcome: 'denied', operation: 'projects:read', method: 'GET', path: '/api/v1/projects', status: 403, ...by },
    ])
  })
})
