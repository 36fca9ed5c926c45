import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { createKeyring } from '../../src/domain/access/keyring.ts'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { type Answer, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT } from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
const hoursUntil = (instant: string) => (Date.parse(instant) - Date.now()) / HOUR_MS

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

const add = async ({ admin }: Pick<TestCompany, 'admin'>, settings: object = {}) =>
  (await created(admin.post('/keys', { name: 'x', access: 'read', ...settings }))).data
const shown = async ({ admin }: TestCompany, id: number) => (await admin.get(`/keys/${id}`)).body.data
const namesIn = (data: { name: string }[]) => data.map(({ name }) => name)
const statusWith = async (key: string) => (await app.diwan.api(key).get('/me')).status

function expectUnprocessable(answer: Answer, field: string, problem: string): void {
  const message = expect.stringMatching(new RegExp(`^${`${field} ${problem}`.replace(/[[\]]/g, '\\$&')}`))
  expectRefusal(answer, 422, 'unprocessable_entity', message)
}

describe('POST …/keys', () => {
  it('gives a key the preset of its access, and shows exactly what was made', async () => {
    const company = await app.diwan.company()
    for (const [access, operations, rights] of [
      ['read', READS, []],
      ['write', [...READS, ...WRITES], ['manage_files']],
    ] as const) {
      const { status, body } = await company.admin.post('/keys', { name: 'تقارير', access })
      const { key } = body.data
      expect(key).toMatch(/^svc_api_[0-9A-Za-z]{49}$/)
      expect([status, { ...body.data, operations: body.data.operations.toSorted() }]).toEqual([
        201,
        {
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
        },
      ])
    }
  })

  it('keeps the ticked operations and rights, an empty list included', async () => {
    const company = await app.diwan.company()
    for (const ticked of [
      { operations: [], rights: [] },
      { operations: ['projects:destructive'], rights: ['delete_any_file', 'delete_any_task_or_list'] },
    ]) {
      const made = await add(company, { access: 'write', ...ticked })
      expect([made, await statusWith(made.key)]).toEqual([expect.objectContaining(ticked), 403])
    }
  })

  it('answers 422 naming the field to what makes no key, and makes none', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    for (const [field, problem, fields] of [
      ['name', "can't be blank", { name: undefined }],
      ['access', "can't be blank", { access: undefined }],
      ['access', 'must be one of read, write', { access: 'admin' }],
      ['operations', 'must be a list', { operations: 'projects:read' }],
      ['operations', "can't be blank", { operations: null }],
      ['operations[1]', 'must be one of', { operations: ['projects:read', 'projects:fly'] }],
      [
        'operations',
        "can't include projects:write",
        { access: 'read', operations: ['account:read', 'projects:write'] },
      ],
      ['operations', "can't include tasks:destructive", { access: 'read', operations: ['tasks:destructive'] }],
      ['rights[0]', 'must be one of', { rights: ['rule_the_world'] }],
      ['expires_at', 'must be', { expires_at: 'tomorrow' }],
      ['expires_at', 'must be', { expires_at: 1_800_000_000 }],
      ['expires_at', "can't be in the past", { expires_at: new Date(Date.now() - 1000).toISOString() }],
      ['created_by', 'must be at least 1', { created_by: 0 }],
      ['created_by', 'must be', { created_by: 9_007_199_254_740_991 }],
      ['created_by', 'must be a whole number', { created_by: '1' }],
      ['created_by', "can't be blank", { created_by: null }],
      ['created_by', 'must be', { created_by: elsewhere.owner.id }],
    ] as const)
      expectUnprocessable(await company.admin.post('/keys', { name: 'x', access: 'write', ...fields }), field, problem)
    expect((await company.admin.get('/keys')).body.meta.total).toBe(1)
  })

  it('is signed by the caller, by the owner for the operator, or by whom an owner or the operator names', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { can_manage_api_keys: true })
    const operator = { admin: app.diwan.admin(company.id, OPERATOR_TOKEN) }
    const signers = []
    for (const [by, created_by] of [
      [person, undefined],
      [person, person.id],
      [operator, undefined],
      [company, person.id],
      [operator, person.id],
    ] as const)
      signers.push((await add(by, { created_by })).created_by.id)
    expect(signers).toEqual([person.id, person.id, company.owner.id, person.id, person.id])
    // Nor do others learn who exists.
    for (const created_by of [company.owner.id, 999_999])
      expectRefusal(await person.admin.post('/keys', { name: 'x', access: 'read', created_by }), 403, 'forbidden')
  })

  it('keeps working after its creator has left', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { can_manage_api_keys: true })
    const { key } = await add(person)
    await company.admin.patch(`/users/${person.id}`, { active: false })
    expect((await app.diwan.api(key).get('/me')).body.data.created_by.email).toBe(person.email)
  })

  it('shows the key once: neither a later answer nor the database holds a secret', async () => {
    const company = await app.diwan.company()
    const { id, key } = await add(company)
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
  it('pages through the keys of the own company, and selects those that work, have expired or were revoked', async () => {
    const [company] = [await app.diwan.company(), await app.diwan.company()]
    const make = async (name: string) => (await add(company, { name, expires_at: '2999-01-01T00:00:00Z' })).id
    await make('live')
    const [ended, revoked, both] = [await make('ended'), await make('revoked'), await make('both')]
    for (const id of [revoked, both]) await company.admin.delete(`/keys/${id}`)
    await app.database.pool.query('update api_keys set expires_at = now() where id in ($1, $2)', [ended, both])
    const pages = await inPagesOfTwo(company.admin, '/keys')
    expect(pages.flatMap(({ data }) => namesIn(data))).toEqual(['Test', 'live', 'ended', 'revoked', 'both'])
    for (const [state, names] of [
      ['live', ['Test', 'live']],
      ['expired', ['ended']],
      ['revoked', ['revoked', 'both']],
      ['dead', []],
    ] as const) {
      const { data, meta } = (await company.admin.get(`/keys?state=${state}`)).body
      expect([state, namesIn(data), meta.total]).toEqual([state, names, names.length])
    }
  })

  it('shows when a key was last used', async () => {
    const company = await app.diwan.company()
    const { id, key } = await add(company)
    await app.diwan.api(key).get('/me')
    await expect.poll(async () => (await shown(company, id)).last_used_at, { timeout: 50_000 }).toEqual(INSTANT)
  })

  it('is written that a key was used once a minute, however many nodes it is used on', async () => {
    const company = await app.diwan.company()
    const { id } = await add(company)
    const { db, pool } = app.database
    const touchOnNode = () =>
      new Promise<number>((resolve, reject) => {
        const run: typeof db.run = async query => {
          const written = await db.run(query)
          resolve(written)
          return written
        }
        createKeyring({ ...db, run }, reject).touch({ company, key: { id } } as unknown as Caller)
      })
    const writtenByThree = async () => (await Promise.all([1, 2, 3].map(touchOnNode))).sort()
    expect([await writtenByThree(), await writtenByThree()]).toEqual([
      [0, 0, 1],
      [0, 0, 0],
    ])
    await pool.query(`update api_keys set last_used_at = last_used_at - interval '61 seconds' where id = $1`, [id])
    expect(await writtenByThree()).toEqual([0, 0, 1])
  })
})

describe('PATCH …/keys/{kid}', () => {
  it('changes only what was sent, from the very next call on', async () => {
    const company = await app.diwan.company()
    const { key, ...made } = await add(company, { access: 'write' })
    let now = made
    for (const [change, status] of [
      [{}, 200],
      [{ name: 'y' }, 200],
      [{ operations: ['projects:read'] }, 403],
      [{ operations: ['account:read'], access: 'read', rights: [] }, 200],
      [{ expires_at: '2031-01-01T00:00:00.000Z' }, 200],
      [{ expires_at: null }, 200],
    ] as const) {
      const { body } = await company.admin.patch(`/keys/${now.id}`, change)
      now = { ...now, ...change, last_used_at: body.data.last_used_at }
      expect([body, await statusWith(key)]).toEqual([{ data: now }, status])
    }
  })

  it('answers 422 naming the field to what makes no key, and changes nothing', async () => {
    const company = await app.diwan.company()
    const { key: _, ...made } = await add(company, { access: 'write' })
    for (const [field, problem, change] of [
      ['operations', "can't include projects:write", { access: 'read' }],
      ['operations', "can't include files:write", { access: 'read', operations: ['files:write'] }],
      ['expires_at', "can't be in the past", { expires_at: '2020-01-01T00:00:00Z' }],
      ['name', "can't be blank", { name: '' }],
      ['access', "can't be blank", { access: null }],
    ] as const)
      expectUnprocessable(await company.admin.patch(`/keys/${made.id}`, change), field, problem)
    expect(await shown(company, made.id)).toEqual(made)
  })

  it('never changes whose signature a key carries, nor the key', async () => {
    const company = await app.diwan.company()
    const { key: _, ...made } = await add(company)
    const sent = { created_by: (await app.diwan.person(company.id)).id, last_four: 'xxxx', revoked_at: INSTANT }
    const { headers, body } = await company.admin.patch(`/keys/${made.id}`, sent)
    expect([body.data, headers.get('x-ignored-fields')]).toEqual([made, 'created_by, last_four, revoked_at'])
  })

  it('reads expires_at in the zone of the company when it has no offset', async () => {
    const company = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    const { id } = await add(company)
    for (const [sent, expires_at] of [
      ['2031-01-01T10:00:00+23:59', '2030-12-31T10:01:00.000Z'],
      ['2031-01-01T10:00:00.5Z', '2031-01-01T10:00:00.500Z'],
      ['2031-01-01T10:00', '2031-01-01T07:00:00.000Z'],
    ])
      expect((await company.admin.patch(`/keys/${id}`, { expires_at: sent })).body.data.expires_at).toBe(expires_at)
  })
})

it('DELETE …/keys/{kid} revokes at once and for good, and keeps the first time when repeated', async () => {
  const company = await app.diwan.company()
  const { id, key } = await add(company)
  expect(await statusWith(key)).toBe(200)
  const first = await company.admin.delete(`/keys/${id}`)
  expect(first.body.data).toMatchObject({ deleted: true, key: { id, revoked_at: INSTANT } })
  expect(await statusWith(key)).toBe(401)
  await company.admin.patch(`/keys/${id}`, { expires_at: null })
  const again = await company.admin.delete(`/keys/${id}`)
  expect([again.body.data.key.revoked_at, await statusWith(key)]).toEqual([first.body.data.key.revoked_at, 401])
})

describe('POST …/keys/{kid}/rotate', () => {
  async function makeKey(settings: object = {}) {
    const company = await app.diwan.company()
    const { key, ...made } = await add(company, {
      name: 'Reports',
      access: 'write',
      operations: ['account:read', 'tasks:write'],
      rights: [],
      ...settings,
    })
    const rotate = (body: object = {}) => company.admin.post(`/keys/${made.id}/rotate`, body)
    return { company, key, made, rotate }
  }

  it('gives a new key of the same settings and signature, both work during the overlap, and each names the other', async () => {
    const { company, made, key, rotate } = await makeKey({ expires_at: inHours(1000) })
    const { status, body } = await rotate()
    const { key: fresh, ...rotated } = body.data
    const { name, access, operations, rights, created_by, expires_at } = made
    expect([status, rotated]).toMatchObject([201, { name, access, operations, rights, created_by, expires_at }])
    expect([rotated.id === made.id, fresh === key]).toEqual([false, false])
    expect([await statusWith(key), await statusWith(fresh)]).toEqual([200, 200])
    expect(hoursUntil((await shown(company, made.id)).expires_at)).toBeCloseTo(24, 1)
    const { data } = (await company.admin.get('/audit?operation=keys:write&limit=2')).body
    expect(data).toMatchObject([
      {
        target: { type: 'key', id: rotated.id, name },
        changes: { access: { from: null, to: access }, operations: { from: null, to: operations }, name: null },
      },
      { target: { type: 'key', id: made.id, name }, changes: { expires_at: null } },
    ])
    const inBrief = ({ id, name, last_four }: typeof made) => ({ id, name, last_four })
    const first = (await rotate()).body.data
    expect(first).toMatchObject({ replaces: inBrief(made), replaced_by: null })
    const second = (await rotate()).body.data
    expect(await shown(company, made.id)).toMatchObject({ replaces: null, replaced_by: inBrief(second) })
    expect(await shown(company, first.id)).toMatchObject({ replaces: inBrief(made), replaced_by: null })
  })

  it('ends the old key after the overlap that is asked for, at once when it is 0, never later than its own end', async () => {
    for (const [expires_at, overlap_hours, hours] of [
      [null, 168, 168],
      [inHours(2), 168, 2],
      [inHours(200), 3, 3],
    ] as const) {
      const { company, made, rotate } = await makeKey({ expires_at })
      await rotate({ overlap_hours })
      expect(hoursUntil((await shown(company, made.id)).expires_at)).toBeCloseTo(hours, 1)
    }
    const { key, rotate } = await makeKey()
    expect(await statusWith(key)).toBe(200)
    const fresh = (await rotate({ overlap_hours: 0 })).body.data.key
    expect([await statusWith(key), await statusWith(fresh)]).toEqual([401, 200])
  })

  it('takes another end for the new key, or none', async () => {
    const { rotate } = await makeKey({ expires_at: inHours(9) })
    for (const expires_at of [inHours(2000), null])
      expect((await rotate({ expires_at })).body.data.expires_at).toBe(expires_at)
  })

  it('refuses what it cannot read, and a dead key, and makes none', async () => {
    const { company, made, rotate } = await makeKey()
    for (const [field, body] of [
      ['overlap_hours', { overlap_hours: -1 }],
      ['overlap_hours', { overlap_hours: 169 }],
      ['overlap_hours', { overlap_hours: 1.5 }],
      ['overlap_hours', { overlap_hours: null }],
      ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ] as const)
      expectUnprocessable(await rotate(body), field, '')
    expect(await shown(company, made.id)).toEqual(made)
    await app.database.pool.query('update api_keys set expires_at = now() where id = $1', [made.id])
    expectUnprocessable(await rotate(), 'key', "can't be rotated: it has expired")
    await company.admin.delete(`/keys/${made.id}`)
    expectUnprocessable(await rotate(), 'key', "can't be rotated: it is revoked")
    expect((await company.admin.get('/keys')).body.meta.total).toBe(2)
  })

  it('is for an owner or the operator where somebody else signs', async () => {
    const { company, made } = await makeKey()
    const person = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    expectRefusal(await person.admin.post(`/keys/${made.id}/rotate`, {}), 403, 'forbidden')
    const own = await add(person)
    for (const { admin } of [person, { admin: app.diwan.admin(company.id, OPERATOR_TOKEN) }]) {
      const { status, body } = await admin.post(`/keys/${own.id}/rotate`, {})
      expect([status, body.data.created_by.id]).toEqual([201, person.id])
    }
  })
})
