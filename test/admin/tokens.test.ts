import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { INSTANT } from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

describe('POST …/users/{uid}/tokens', () => {
  it('makes a token that signs in at once, and shows it once', async () => {
    const company = await app.diwan.company()
    const path = `/users/${company.owner.id}/tokens`
    const { status, body } = await company.admin.post(path, { name: 'My laptop' })
    const { id, token } = body.data
    expect(token).toMatch(/^svc_[0-9A-Za-z]{49}$/)
    const made = { id, name: 'My laptop', last_four: token.slice(-4), created_at: INSTANT }
    expect([status, body]).toEqual([201, { data: { ...made, token } }])
    expect((await app.diwan.admin(company.id, token).get('')).status).toBe(200)
  })

  it('answers 422 naming the name where there is none', async () => {
    const company = await app.diwan.company()
    for (const name of [undefined, '  ', 'x'.repeat(256), ['x']])
      expectRefusal(
        await company.admin.post(`/users/${company.owner.id}/tokens`, { name }),
        422,
        'unprocessable_entity',
        expect.stringMatching(/^name /),
      )
  })
})

it("GET …/users/{uid}/tokens pages through that person's tokens and nobody else's", async () => {
  const company = await app.diwan.company()
  const person = await app.diwan.person(company.id)
  for (const name of ['b', 'c']) await person.admin.post(`/users/${person.id}/tokens`, { name })
  const pages = await inPagesOfTwo(person.admin, `/users/${person.id}/tokens`)
  const tokens = pages.flatMap(page => page.data)
  expect(tokens.map(({ name }) => name)).toEqual(['Test', 'b', 'c'])
  const last_four = person.token.slice(-4)
  expect(tokens[0]).toEqual({ id: expect.any(Number), name: 'Test', last_four, created_at: INSTANT })
  expect(pages.at(-1).meta).toEqual({ total: 3, limit: 2, offset: 4, count: 0, next_cursor: null })
})

describe('DELETE …/users/{uid}/tokens/{tid}', () => {
  it('revokes at once, and only that token, which is found only under its own person', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const path = `/users/${person.id}/tokens`
    const { id, token } = (await person.admin.post(path, { name: 'Second' })).body.data
    const second = app.diwan.admin(company.id, token)
    expectRefusal(await company.admin.delete(`/users/${company.owner.id}/tokens/${id}`), 404, 'not_found')
    expect((await second.get(path)).status).toBe(200)
    const { status, body } = await person.admin.delete(`${path}/${id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, token: { id, name: 'Second' } } }])
    expect([(await second.get(path)).status, (await person.admin.get(path)).body.meta.total]).toEqual([401, 1])
    expectRefusal(await person.admin.delete(`${path}/${id}`), 404, 'not_found')
  })

  it("lets an owner revoke a manager's token, and a manager not an owner's", async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const tokenOf = async (id: number) =>
      `/users/${id}/tokens/${(await company.admin.get(`/users/${id}/tokens`)).body.data[0].id}`
    expectRefusal(await manager.admin.delete(await tokenOf(company.owner.id)), 403, 'forbidden')
    expect((await company.admin.delete(await tokenOf(manager.id))).status).toBe(200)
    expect((await manager.admin.get('/users')).status).toBe(401)
  })
})
