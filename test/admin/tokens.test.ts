import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { inPagesOfTwo } from '../support/furnished.ts'

const app = useApp()

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }

describe('POST …/users/{uid}/tokens', () => {
  it('makes a token that signs in at once, and shows exactly what was made', async () => {
    const company = await app.diwan.company()
    const { status, body } = await company.admin.post(`/users/${company.owner.id}/tokens`, { name: 'My laptop' })
    expect(status).toBe(201)
    const { token } = body.data
    expect(token).toMatch(/^svc_[0-9A-Za-z]{49}$/)
    expect(body).toEqual({
      data: { id: expect.any(Number), name: 'My laptop', last_four: token.slice(-4), created_at: INSTANT, token },
    })
    expect((await app.diwan.admin(company.id, token).get('')).status).toBe(200)
  })

  it('shows the token once and never in a later answer', async () => {
    const company = await app.diwan.company()
    const path = `/users/${company.owner.id}/tokens`
    const { id, token } = (await company.admin.post(path, { name: 'x' })).body.data
    const later = [
      await company.admin.get(path),
      await company.admin.get('/users'),
      await company.admin.get('/audit'),
      await company.admin.delete(`${path}/${id}`),
    ]
    for (const answer of later) {
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain(token.slice(4, -4))
    }
  })

  it.each([
    ['name', {}],
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['name', { name: ['x'] }],
  ])('answers 422 naming %s to %j', async (field, body) => {
    const company = await app.diwan.company()
    const answer = await company.admin.post(`/users/${company.owner.id}/tokens`, body)
    expect([answer.status, answer.body.error.message.split(' ')[0]]).toEqual([422, field])
  })

  it('is for the own person and the operator: an owner or manager makes none for another', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    const member = await app.diwan.person(company.id)
    const asked = [
      [company.admin, member.id, 403],
      [manager.admin, member.id, 403],
      [manager.admin, company.owner.id, 403],
      [member.admin, company.owner.id, 403],
      [company.admin, company.owner.id, 201],
      [manager.admin, manager.id, 201],
      [member.admin, member.id, 201],
    ] as const
    for (const [client, user, status] of asked)
      expect((await client.post(`/users/${user}/tokens`, { name: 'x' })).status).toBe(status)
    const path = `/companies/${company.id}/users/${member.id}/tokens`
    expect((await app.diwan.operator.post(path, { name: 'x' })).status).toBe(201)
  })

  it("gives no token for another company's person, not even to the operator", async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const path = `/companies/${company.id}/users/${elsewhere.owner.id}/tokens`
    const { status, body } = await app.diwan.operator.post(path, { name: 'x' })
    expect([status, body]).toEqual([404, NOT_FOUND])
  })
})

describe('GET …/users/{uid}/tokens', () => {
  it("pages through that person's tokens and nobody else's", async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    for (const name of ['b', 'c']) await person.admin.post(`/users/${person.id}/tokens`, { name })
    const pages = await inPagesOfTwo(person.admin, `/users/${person.id}/tokens`)
    const tokens = pages.flatMap(page => page.data)
    expect(tokens.map(({ name }) => name)).toEqual(['Test', 'b', 'c'])
    expect(tokens[0]).toEqual({
      id: expect.any(Number),
      name: 'Test',
      last_four: person.token.slice(-4),
      created_at: INSTANT,
    })
    expect(pages.at(-1).meta).toEqual({ total: 3, limit: 2, offset: 4, count: 0, next_cursor: null })
  })
})

describe('DELETE …/users/{uid}/tokens/{tid}', () => {
  it('revokes at once, and only that token', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const path = `/users/${person.id}/tokens`
    const second = (await person.admin.post(path, { name: 'Second' })).body.data
    const { status, body } = await person.admin.delete(`${path}/${second.id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, token: { id: second.id, name: 'Second' } } }])
    expect((await app.diwan.admin(company.id, second.token).get(path)).status).toBe(401)
    expect((await person.admin.get(path)).body.meta.total).toBe(1)
    expect((await person.admin.delete(`${path}/${second.id}`)).body).toEqual(NOT_FOUND)
  })

  it('finds a token only under its own person', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const [token] = (await person.admin.get(`/users/${person.id}/tokens`)).body.data
    const wrongPerson = await company.admin.delete(`/users/${company.owner.id}/tokens/${token.id}`)
    expect([wrongPerson.status, wrongPerson.body]).toEqual([404, NOT_FOUND])
    expect((await person.admin.get(`/users/${person.id}/tokens`)).status).toBe(200)
  })

  it("lets an owner revoke a member's token, and a manager not an owner's", async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const tokenOf = async (id: number) => (await company.admin.get(`/users/${id}/tokens`)).body.data[0].id
    const owners = await tokenOf(company.owner.id)
    expect((await manager.admin.delete(`/users/${company.owner.id}/tokens/${owners}`)).status).toBe(403)
    const managers = await tokenOf(manager.id)
    expect((await company.admin.delete(`/users/${manager.id}/tokens/${managers}`)).status).toBe(200)
    expect((await manager.admin.get('/users')).status).toBe(401)
  })
})
