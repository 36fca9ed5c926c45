import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { inPagesOfTwo } from '../support/furnished.ts'

const app = useApp()

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }

describe('POST …/users', () => {
  it('adds an active member without rights over keys, and shows exactly that', async () => {
    const company = await app.diwan.company()
    const { status, body } = await company.admin.post('/users', { name: ' يوسف ', email: 'Yusuf@Example.com' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.any(Number),
        name: ' يوسف ',
        email: 'Yusuf@Example.com',
        role: 'member',
        can_manage_api_keys: false,
        active: true,
        language: 'en',
        created_at: INSTANT,
        invitation: { code: expect.stringMatching(/^svc_inv_[0-9A-Za-z]{49}$/), expires_at: INSTANT },
      },
    })
  })

  it.each(['owner', 'manager', 'member'])(
    'lets an owner add a person with the role %s and every setting',
    async role => {
      const company = await app.diwan.company()
      const settings = { name: 'Huda', email: 'huda@example.com', role, can_manage_api_keys: true, active: false }
      expect((await company.admin.post('/users', settings)).body.data).toMatchObject(settings)
    },
  )

  it.each([
    ['name', "can't be blank", {}],
    ['name', 'is too long', { name: 'x'.repeat(256) }],
    ['email', "can't be blank", { name: 'x', email: undefined }],
    ['email', 'must be an e-mail address', { name: 'x', email: 'nobody' }],
    ['email', 'must be an e-mail address', { name: 'x', email: 'a b@example.com' }],
    ['email', 'must be an e-mail address', { name: 'x', email: 'a@example.com\r\nBcc: b@example.com' }],
    ['email', 'is too long', { name: 'x', email: `${'x'.repeat(250)}@example.com` }],
    ['role', 'must be one of owner, manager, member', { name: 'x', role: 'king' }],
    ['can_manage_api_keys', 'must be true or false', { name: 'x', can_manage_api_keys: 1 }],
    ['active', "can't be blank", { name: 'x', active: null }],
    ['language', 'must be one of en, ar', { name: 'x', language: 'fr' }],
  ])('answers 422 with "%s %s" to %j', async (field, problem, fields) => {
    const company = await app.diwan.company()
    const { status, body } = await company.admin.post('/users', { email: 'x@example.com', ...fields })
    expect(status).toBe(422)
    expect(body.error.message.startsWith(`${field} ${problem}`), body.error.message).toBe(true)
  })

  it('keeps e-mails unique within a company whatever their case, and free in another', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const first = await company.admin.post('/users', { name: 'A', email: 'Same@Example.com' })
    expect(first.status).toBe(201)
    const again = await company.admin.post('/users', { name: 'B', email: 'sAME@example.COM' })
    expect([again.status, again.body.error.message.split(' ')[0]]).toEqual([422, 'email'])
    const other = await app.diwan.person(company.id)
    const moved = await company.admin.patch(`/users/${other.id}`, { name: 'Moved', email: 'same@example.com' })
    expect([moved.status, moved.body.error.message.split(' ')[0]]).toEqual([422, 'email'])
    const recased = await company.admin.patch(`/users/${first.body.data.id}`, { email: 'same@example.com' })
    expect(recased.body.data.email).toBe('same@example.com')
    expect((await elsewhere.admin.post('/users', { name: 'A', email: 'same@example.com' })).status).toBe(201)
  })

  it('lets exactly one of many who race for an e-mail have it', async () => {
    const company = await app.diwan.company()
    const racing = Array.from({ length: 5 }, () => company.admin.post('/users', { name: 'A', email: 'a@example.com' }))
    const statuses = (await Promise.all(racing)).map(answer => answer.status)
    expect(statuses.sort()).toEqual([201, 422, 422, 422, 422])
  })
})

describe('GET …/users', () => {
  it('finds people by part of their name in any spelling, or of their address, and nobody else', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const add = (to: typeof company, name: string, email: string) => to.admin.post('/users', { name, email })
    await add(company, 'أحمد الشمري', 'a_1@example.com')
    await add(company, 'Sara 100%', 'sara.q@example.com')
    await add(elsewhere, 'أحمد الآخر', 'other@example.com')
    const found = async (q: string) => {
      const { body } = await company.admin.get(`/users?q=${encodeURIComponent(q)}`)
      return body.data.map(({ name }: { name: string }) => name)
    }
    expect(await found('احمد')).toEqual(['أحمد الشمري'])
    expect(await found('  SARA ')).toEqual(['Sara 100%'])
    expect(await found('A_1@e')).toEqual(['أحمد الشمري'])
    expect(await found('sara_q')).toEqual([])
    expect(await found('%')).toEqual([])
    expect(await found('nobody')).toEqual([])
  })

  it('pages through the own company and nothing else', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    await app.diwan.person(elsewhere.id)
    const people = [company.owner.id]
    for (let n = 0; n < 3; n++) people.push((await app.diwan.person(company.id)).id)
    const pages = await inPagesOfTwo(company.admin, '/users')
    expect(pages.flatMap(page => page.data.map(({ id }: { id: number }) => id))).toEqual(people)
    expect(pages.map(page => page.meta)).toEqual([
      { total: 4, limit: 2, offset: 0, count: 2, next_cursor: expect.any(String) },
      { total: 4, limit: 2, offset: 2, count: 2, next_cursor: null },
      { total: 4, limit: 2, offset: 4, count: 0, next_cursor: null },
    ])
  })
})

describe('PATCH …/users/{uid}', () => {
  it('changes only what was sent', async () => {
    const company = await app.diwan.company()
    let { token: _, admin: __, invitation: ___, ...shown } = await app.diwan.person(company.id)
    // Only the first change finds a token that it ends.
    const newOne = { code: expect.any(String), expires_at: INSTANT }
    for (const [change, invitation] of [
      [{}, null],
      [{ name: 'Huda' }, null],
      [{ email: 'huda@example.com' }, newOne],
      [{ role: 'manager' }, null],
      [{ can_manage_api_keys: true }, null],
      [{ active: false }, null],
      [{ language: 'ar' }, null],
      [{ active: true, role: 'owner', can_manage_api_keys: false }, null],
    ] as const) {
      const { status, body } = await company.admin.patch(`/users/${shown.id}`, change)
      shown = { ...shown, ...change }
      expect([status, body]).toEqual([200, { data: { ...shown, invitation } }])
    }
  })

  it("finds another company's person as little as one that never was", async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const missing = await company.admin.patch('/users/999999', { name: 'x' })
    const foreign = await company.admin.patch(`/users/${elsewhere.owner.id}`, { name: 'x' })
    const byOperator = await app.diwan.operator.patch(`/companies/${company.id}/users/${elsewhere.owner.id}`, {
      name: 'x',
    })
    for (const answer of [missing, foreign, byOperator]) expect([answer.status, answer.body]).toEqual([404, NOT_FOUND])
    expect((await elsewhere.admin.get('/users')).body.data[0].name).toBe('Layla Haddad')
  })

  it('outranks a bad body with a missing person', async () => {
    const company = await app.diwan.company()
    expect((await company.admin.patch('/users/999999', { role: 'king' })).status).toBe(404)
  })
})

describe('Nobody lifts oneself', () => {
  const PERSONS = { manager: { role: 'manager' }, 'key member': { role: 'member', can_manage_api_keys: true } }

  it.each([
    ['manager', { role: 'owner' }],
    ['manager', { role: 'member' }],
    ['manager', { can_manage_api_keys: true }],
    ['key member', { role: 'owner' }],
    ['key member', { role: 'manager' }],
    ['key member', { name: 'Renamed' }],
  ] as const)('refuses a %s who gives oneself %j', async (who, change) => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, PERSONS[who])
    const { status, body } = await person.admin.patch(`/users/${person.id}`, change)
    expect([status, body.error.code]).toEqual([403, 'forbidden'])
  })

  it.each([{ role: 'owner' }, { role: 'manager' }, { can_manage_api_keys: true }])(
    'refuses a manager who gives %j to another, or to a new person',
    async promotion => {
      const company = await app.diwan.company()
      const manager = await app.diwan.person(company.id, { role: 'manager' })
      const member = await app.diwan.person(company.id)
      expect((await manager.admin.patch(`/users/${member.id}`, promotion)).status).toBe(403)
      const made = await manager.admin.post('/users', { name: 'Puppet', email: 'puppet@example.com', ...promotion })
      expect(made.status).toBe(403)
      const { data } = (await company.admin.get('/users')).body
      expect(data.find((user: { id: number }) => user.id === member.id)).toMatchObject({
        role: 'member',
        can_manage_api_keys: false,
      })
      expect(data).toHaveLength(3)
    },
  )

  it('lets a manager do everything else to those who are not owners', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const member = await app.diwan.person(company.id)
    for (const change of [{ name: 'Renamed' }, { email: 'renamed@example.com' }, { active: false }, { role: 'member' }])
      expect((await manager.admin.patch(`/users/${member.id}`, change)).status).toBe(200)
    expect((await manager.admin.patch(`/users/${company.owner.id}`, { active: false })).status).toBe(403)
  })
})

describe('The last active owner', () => {
  it.each([
    ['role', 'company', { role: 'manager' }],
    ['active', 'company', { active: false }],
    ['role', 'operator', { role: 'member' }],
    ['active', 'operator', { active: false }],
  ] as const)('stays one: 422 naming %s from the %s for %j', async (field, who, change) => {
    const company = await app.diwan.company()
    await app.diwan.person(company.id, { role: 'owner', active: false })
    const client =
      who === 'operator' ? app.diwan.client(`/admin/v1/companies/${company.id}`, OPERATOR_TOKEN) : company.admin
    const { status, body } = await client.patch(`/users/${company.owner.id}`, change)
    expect([status, body.error?.message.split(' ')[0]]).toEqual([422, field])
    expect((await company.admin.get('/users')).body.data[0]).toMatchObject({ role: 'owner', active: true })
  })

  it('may go once there is another', async () => {
    const company = await app.diwan.company()
    const second = await app.diwan.person(company.id, { role: 'owner' })
    expect((await company.admin.patch(`/users/${company.owner.id}`, { active: false })).status).toBe(200)
    expect((await company.admin.get('')).status).toBe(401)
    expect((await second.admin.get('')).body.data.owner.id).toBe(second.id)
  })

  it('remains when two owners leave at the same moment', async () => {
    const company = await app.diwan.company()
    const second = await app.diwan.person(company.id, { role: 'owner' })
    const path = `/companies/${company.id}/users`
    const leaving = [company.owner.id, second.id].map(id =>
      app.diwan.operator.patch(`${path}/${id}`, { active: false }),
    )
    const statuses = (await Promise.all(leaving)).map(answer => answer.status)
    expect(statuses.sort()).toEqual([200, 422])
  })
})
