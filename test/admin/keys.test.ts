import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { createKeyring } from '../../src/domain/access/keyring.ts'
import { useApp } from '../support/app.ts'
import { inPagesOfTwo } from '../support/furnished.ts'

const app = useApp()

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }

const READS = [
  'account:read',
  'projects:read',
  'task_lists:read',
  'tasks:read',
  'discussions:read',
  'comments:read',
  'files:read',
  'events:read',
]
const WRITES = READS.filter(operation => operation !== 'account:read').map(read => read.replace('read', 'write'))

describe('POST …/keys', () => {
  it.each([
    ['read', READS, []],
    ['write', [...READS, ...WRITES], ['manage_files']],
  ])('gives a key of %s access the preset, and shows exactly what was made', async (access, operations, rights) => {
    const company = await app.diwan.company()
    const { status, body } = await company.admin.post('/keys', { name: 'تقارير', access })
    expect(status).toBe(201)
    const { key } = body.data
    expect(key).toMatch(/^svc_api_[0-9A-Za-z]{49}$/)
    expect({ ...body.data, operations: body.data.operations.toSorted() }).toEqual({
      id: expect.any(Number),
      name: 'تقارير',
      access,
      operations: operations.toSorted(),
      rights,
      kind: 'key',
      app_host: null,
      last_four: key.slice(-4),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      created_by: { id: company.owner.id, name: company.owner.name, email: company.owner.email },
      created_at: INSTANT,
      replaces: null,
      replaced_by: null,
      key,
    })
  })

  it('keeps the ticked operations and rights, an empty list included', async () => {
    const company = await app.diwan.company()
    for (const ticked of [
      { operations: [], rights: [] },
      { operations: ['projects:destructive'], rights: ['delete_any_file', 'delete_any_task_or_list'] },
    ]) {
      const { data } = (await company.admin.post('/keys', { name: 'x', access: 'write', ...ticked })).body
      expect(data).toMatchObject(ticked)
      expect((await app.diwan.api(data.key).get('/me')).status).toBe(403)
    }
  })

  it.each([
    ['name', "can't be blank", { name: undefined }],
    ['access', "can't be blank", { access: undefined }],
    ['access', 'must be one of read, write', { access: 'admin' }],
    ['operations', 'must be a list', { operations: 'projects:read' }],
    ['operations', "can't be blank", { operations: null }],
    ['operations[1]', 'must be one of', { operations: ['projects:read', 'projects:fly'] }],
    ['operations', "can't include projects:write", { access: 'read', operations: ['projects:read', 'projects:write'] }],
    ['operations', "can't include tasks:destructive", { access: 'read', operations: ['tasks:destructive'] }],
    ['rights[0]', 'must be one of', { rights: ['rule_the_world'] }],
    ['rights', 'must be a list', { rights: {} }],
    ['expires_at', 'must be', { expires_at: 'tomorrow' }],
    ['expires_at', 'must be', { expires_at: 1_800_000_000 }],
    ['expires_at', 'must be', { expires_at: '2027-02-30T10:00:00Z' }],
    ['expires_at', 'must be', { expires_at: '0000-01-01T00:00:00Z' }],
    ['created_by', 'must be at least 1', { created_by: -1 }],
    ['created_by', 'must be at least 1', { created_by: 0 }],
    ['created_by', 'must be at most', { created_by: 1e20 }],
    ['created_by', 'must be', { created_by: 9_007_199_254_740_991 }],
    ['created_by', 'must be a whole number', { created_by: '1' }],
    ['created_by', 'must be a whole number', { created_by: 1.5 }],
    ['created_by', "can't be blank", { created_by: null }],
  ])('answers 422 with "%s %s" to %j', async (field, problem, fields) => {
    const company = await app.diwan.company()
    const { status, body } = await company.admin.post('/keys', { name: 'x', access: 'write', ...fields })
    expect([status, body.error?.code]).toEqual([422, 'unprocessable_entity'])
    expect(body.error.message.startsWith(`${field} ${problem}`), body.error.message).toBe(true)
    expect((await company.admin.get('/keys')).body.meta.total).toBe(1)
  })

  it('is signed by the caller, by the owner for the operator, or by whom it was said', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { can_manage_api_keys: true })
    const make = { name: 'x', access: 'read' }
    const own = await person.admin.post('/keys', make)
    expect(own.body.data.created_by.id).toBe(person.id)
    const operators = await app.diwan.operator.post(`/companies/${company.id}/keys`, make)
    expect(operators.body.data.created_by.id).toBe(company.owner.id)
    const others = await company.admin.post('/keys', { ...make, created_by: person.id })
    expect(others.body.data.created_by).toEqual({ id: person.id, name: person.name, email: person.email })
    expect((await app.diwan.api(others.body.data.key).get('/me')).body.data.created_by.email).toBe(person.email)
  })

  it("takes nobody's signature from another company", async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const make = { name: 'x', access: 'read', created_by: elsewhere.owner.id }
    for (const answer of [
      await company.admin.post('/keys', make),
      await app.diwan.operator.post(`/companies/${company.id}/keys`, make),
    ])
      expect([answer.status, answer.body.error.message.split(' ')[0]]).toEqual([422, 'created_by'])
  })

  it('keeps working after its creator has left', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { can_manage_api_keys: true })
    const { key } = (await person.admin.post('/keys', { name: 'x', access: 'read' })).body.data
    await company.admin.patch(`/users/${person.id}`, { active: false })
    expect((await person.admin.get('/keys')).status).toBe(401)
    expect((await app.diwan.api(key).get('/me')).body.data.created_by.email).toBe(person.email)
  })

  it('shows the key once: neither a later answer nor the database holds a secret', async () => {
    const company = await app.diwan.company()
    const repeatable = { 'idempotency-key': 'once' }
    const { id, key } = (await company.admin.post('/keys', { name: 'x', access: 'write' }, repeatable)).body.data
    const answers = [
      await company.admin.get('/keys'),
      await company.admin.patch(`/keys/${id}`, { name: 'y' }),
      await company.admin.get('/audit'),
      await app.diwan.api(key).get('/me'),
      await company.admin.delete(`/keys/${id}`),
    ]
    for (const { status } of answers) expect(status).toBe(200)
    const { rows: tables } = await app.database.pool.query(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    )
    const stored = tables.map(({ relname }) => app.database.pool.query(`select t::text as row from "${relname}" t`))
    const everything = JSON.stringify([answers.map(({ body }) => body), (await Promise.all(stored)).map(t => t.rows)])
    expect(everything).toContain(company.owner.email)
    for (const secret of [key, company.key]) expect(everything).not.toContain(secret.slice(8, -6))
    expect(everything).not.toContain(company.ownerToken.slice(4, -6))
  })
})

describe('GET …/keys', () => {
  it('pages through the keys of the own company, revoked ones included', async () => {
    const [company] = [await app.diwan.company(), await app.diwan.company()]
    for (const name of ['b', 'c']) await company.admin.post('/keys', { name, access: 'read' })
    const { data } = (await company.admin.get('/keys')).body
    await company.admin.delete(`/keys/${data[1].id}`)
    const pages = await inPagesOfTwo(company.admin, '/keys')
    expect(pages.flatMap(page => page.data.map(({ name }: { name: string }) => name))).toEqual(['Test', 'b', 'c'])
    expect(pages.map(page => page.meta.total)).toEqual([3, 3, 3])
  })

  it('selects those that work, have expired or were revoked, each once and with its own total', async () => {
    const company = await app.diwan.company()
    const make = async (name: string) =>
      (await company.admin.post('/keys', { name, access: 'read', expires_at: '2999-01-01T00:00:00Z' })).body.data.id
    await make('live')
    const [ended, revoked, both] = [await make('ended'), await make('revoked'), await make('both')]
    for (const id of [revoked, both]) await company.admin.delete(`/keys/${id}`)
    await app.database.pool.query('update api_keys set expires_at = now() where company_id = $1 and id in ($2, $3)', [
      company.id,
      ended,
      both,
    ])
    const inState = async (state: string) => {
      const { data, meta } = (await company.admin.get(`/keys?state=${state}`)).body
      expect(meta.total).toBe(data.length)
      return data.map(({ name }: { name: string }) => name)
    }
    expect(await inState('live')).toEqual(['Test', 'live'])
    expect(await inState('expired')).toEqual(['ended'])
    expect(await inState('revoked')).toEqual(['revoked', 'both'])
    expect(await inState('dead')).toEqual([])
  })

  it('shows when a key was last used', async () => {
    const company = await app.diwan.company()
    const { id, key } = (await company.admin.post('/keys', { name: 'x', access: 'read' })).body.data
    await app.diwan.api(key).get('/me')
    const lastUsed = async () =>
      (await company.admin.get('/keys')).body.data.find((each: { id: number }) => each.id === id).last_used_at
    await expect.poll(lastUsed, { timeout: 50_000 }).toEqual(INSTANT)
  })

  it('is written that a key was used once a minute, however many nodes it is used on', async () => {
    const company = await app.diwan.company()
    const { id } = (await company.admin.post('/keys', { name: 'x', access: 'read' })).body.data
    const { db, pool } = app.database
    const writtenBy = (nodes: number) =>
      Promise.all(
        Array.from(
          { length: nodes },
          () =>
            new Promise<number>((resolve, reject) => {
              const run: typeof db.run = async query => {
                const written = await db.run(query)
                resolve(written)
                return written
              }
              createKeyring({ ...db, run }, reject).touch({ company, key: { id } } as unknown as Caller)
            }),
        ),
      )
    expect((await writtenBy(3)).sort()).toEqual([0, 0, 1])
    expect(await writtenBy(3)).toEqual([0, 0, 0])
    await pool.query(`update api_keys set last_used_at = last_used_at - interval '61 seconds' where id = $1`, [id])
    expect((await writtenBy(3)).sort()).toEqual([0, 0, 1])
  })
})

describe('PATCH …/keys/{kid}', () => {
  it('changes only what was sent, from the very next call on', async () => {
    const company = await app.diwan.company()
    const { key, ...made } = (await company.admin.post('/keys', { name: 'x', access: 'write' })).body.data
    let shown = made
    const api = app.diwan.api(key)
    expect((await api.get('/me')).status).toBe(200)
    for (const [change, name, status] of [
      [{}, 'x', 200],
      [{ name: 'y' }, 'y', 200],
      [{ operations: ['projects:read'] }, undefined, 403],
      [{ operations: ['account:read'], access: 'read', rights: [] }, 'y', 200],
      [{ expires_at: '2031-01-01T00:00:00.000Z' }, 'y', 200],
      [{ expires_at: null }, 'y', 200],
    ] as const) {
      const { body } = await company.admin.patch(`/keys/${shown.id}`, change)
      shown = { ...shown, ...change, last_used_at: body.data.last_used_at }
      expect(body).toEqual({ data: shown })
      const me = await api.get('/me')
      expect([change, me.status, me.body.data?.key.name]).toEqual([change, status, name])
    }
  })

  it.each([
    ['operations', 'projects:write', { access: 'read' }],
    ['operations', 'files:write', { access: 'read', operations: ['files:write'] }],
    ['rights[0]', 'must be one of', { rights: ['x'] }],
    ['name', "can't be blank", { name: '' }],
    ['access', "can't be blank", { access: null }],
  ])('answers 422 naming %s and "%s" to %j', async (field, problem, change) => {
    const company = await app.diwan.company()
    const { id } = (await company.admin.post('/keys', { name: 'x', access: 'write' })).body.data
    const { status, body } = await company.admin.patch(`/keys/${id}`, change)
    expect([status, body.error.message.split(' ')[0]]).toEqual([422, field])
    expect(body.error.message).toContain(problem)
  })

  it('never changes whose signature a key carries, nor the key', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const [key] = (await company.admin.get('/keys')).body.data
    const sent = { created_by: person.id, last_four: 'xxxx', revoked_at: null }
    const { status, headers, body } = await company.admin.patch(`/keys/${key.id}`, sent)
    expect([status, body.data.created_by.id, body.data.last_four]).toEqual([200, company.owner.id, key.last_four])
    expect(headers.get('x-ignored-fields')).toBe('created_by, last_four, revoked_at')
  })

  it.each([
    ['2031-01-01T10:00:00+03:00', '2031-01-01T07:00:00.000Z'],
    ['2031-01-01T10:00:00+23:59', '2030-12-31T10:01:00.000Z'],
    ['2031-01-01T10:00:00.5Z', '2031-01-01T10:00:00.500Z'],
    ['2031-01-01T10:00', '2031-01-01T07:00:00.000Z'],
    ['2031-01-01T10:00:00', '2031-01-01T07:00:00.000Z'],
  ])('reads expires_at %s as %s, in the company zone when it has no offset', async (sent, expires_at) => {
    const company = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    const [key] = (await company.admin.get('/keys')).body.data
    expect((await company.admin.patch(`/keys/${key.id}`, { expires_at: sent })).body.data).toMatchObject({ expires_at })
  })
})

describe('DELETE …/keys/{kid}', () => {
  it('revokes at once and for good, and keeps the first time when repeated', async () => {
    const company = await app.diwan.company()
    expect((await company.api.get('/me')).status).toBe(200)
    const [key] = (await company.admin.get('/keys')).body.data
    const first = await company.admin.delete(`/keys/${key.id}`)
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({ deleted: true, key: { id: key.id, revoked_at: INSTANT } })
    expect((await company.api.get('/me')).status).toBe(401)
    await company.admin.patch(`/keys/${key.id}`, { expires_at: null })
    const again = await company.admin.delete(`/keys/${key.id}`)
    expect(again.body.data.key.revoked_at).toBe(first.body.data.key.revoked_at)
    expect((await company.api.get('/me')).status).toBe(401)
  })

  it("finds another company's key as little as one that never was, and leaves it working", async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const [key] = (await elsewhere.admin.get('/keys')).body.data
    for (const id of [key.id, 999_999]) {
      const deleted = await company.admin.delete(`/keys/${id}`)
      const patched = await company.admin.patch(`/keys/${id}`, { name: 1 })
      for (const answer of [deleted, patched]) expect([answer.status, answer.body]).toEqual([404, NOT_FOUND])
    }
    expect((await elsewhere.api.get('/me')).status).toBe(200)
  })
})
