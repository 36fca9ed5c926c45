import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, type TestApp, useApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const CONSOLE = { 'x-diwan-console': '1' }
const accept = (code: unknown, { diwan }: TestApp = app) =>
  diwan.client('/admin/v1').post('/invitations/accept', { code })
const invite = (client: Client, id: number) => client.post(`/users/${id}/invitation`)
const statusWith = async (token: string, { diwan }: TestApp = app) =>
  (await diwan.client('/admin/v1', token).get('/me')).status
const tokenEntries = async ({ admin }: TestCompany) =>
  (await admin.get('/audit?limit=100')).body.data.filter(
    ({ target, changes }: { target: { type: string } | null; changes: object }) =>
      target?.type === 'token' && 'revoked_at' in changes,
  )

async function add(client: Client, fields: object = {}) {
  const { status, body } = await client.post('/users', {
    name: 'هدى',
    email: `huda.${randomUUID()}@example.com`,
    ...fields,
  })
  expect(status).toBe(201)
  return body.data as { id: number; email: string; invitation: { code: string } }
}

/** Begins a session of the console with a token, and gives a function that tells whether it is still good. */
async function beginSession(token: string) {
  const { status, headers } = await app.diwan.client('/admin/v1').post('/sessions', { token })
  expect(status).toBe(201)
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] as string
  const client = (path: string, method = 'GET', body?: object) =>
    app.diwan.client('/admin/v1').send(method, path, {
      headers: { cookie, ...CONSOLE, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return { send: client, status: async () => (await client('/me')).status }
}

describe('Whoever knew a credential of a person has nothing from it when the person gains rights', () => {
  it('a manager who accepted the code of a member he added is nobody once she is an owner', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const huda = await add(manager.admin)
    const { token } = (await accept(huda.invitation.code)).body.data
    const session = await beginSession(token)
    const second = (
      await app.diwan.admin(company.id, token).post(`/users/${huda.id}/tokens`, { name: 'Kept for later' })
    ).body.data.token
    const promoted = await company.admin.patch(`/users/${huda.id}`, { role: 'owner' })
    expect(promoted.status).toBe(200)
    expect([await statusWith(token), await statusWith(second), await session.status()]).toEqual([401, 401, 401])
    expect(await tokenEntries(company)).toMatchObject([
      { by: { id: company.owner.id }, operation: 'users:write', changes: { revoked_at: null } },
      { by: { id: company.owner.id }, operation: 'users:write', changes: { revoked_at: null } },
    ])
  })

  it.each([
    ['is made a manager', {}, { role: 'manager' }],
    ['may manage API keys from now on', {}, { can_manage_api_keys: true }],
    ['rises from manager to owner', { role: 'manager' }, { role: 'owner' }],
    ['has another e-mail address', {}, { email: () => `new.${randomUUID()}@example.com` }],
  ])('every token and session of somebody who %s has ended', async (_, was, change) => {
    const company = await app.diwan.company()
    for (const by of [company.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)]) {
      const person = await app.diwan.person(company.id, was)
      const session = await beginSession(person.token)
      const email = 'email' in change ? { email: (change.email as () => string)() } : {}
      expect((await by.patch(`/users/${person.id}`, { ...change, ...email })).status).toBe(200)
      expect([await statusWith(person.token), await session.status()]).toEqual([401, 401])
      expect((await company.admin.get(`/users/${person.id}/tokens`)).body.data).toEqual([])
    }
  })

  it.each([
    ['a lower role', { role: 'manager' }, { role: 'member' }],
    ['fewer rights', { can_manage_api_keys: true }, { can_manage_api_keys: false }],
    ['another name and language', {}, { name: 'Huda', language: 'ar' }],
    ['the same again', { role: 'manager' }, { role: 'manager', active: true }],
  ])('%s ends nothing', async (_, was, change) => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, was)
    const { status, body } = await company.admin.patch(`/users/${person.id}`, change)
    expect([status, body.data.invitation, await statusWith(person.token)]).toEqual([200, null, 200])
  })

  it('an invitation of somebody who has tokens ends them at once', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const session = await beginSession(person.token)
    const { code } = (await invite(company.admin, person.id)).body.data.invitation
    expect([await statusWith(person.token), await session.status()]).toEqual([401, 401])
    expect(await tokenEntries(company)).toHaveLength(1)
    expect((await accept(code)).status).toBe(201)
  })

  it('a promotion while sessions are begun and tokens are made leaves none of them', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < 3; round++) {
      const person = await app.diwan.person(company.id)
      const attempts = Array.from({ length: 3 }, () => [
        person.admin.post(`/users/${person.id}/tokens`, { name: 'x' }),
        app.diwan.client('/admin/v1').post('/sessions', { token: person.token }),
      ]).flat()
      await Promise.all([...attempts, company.admin.patch(`/users/${person.id}`, { role: 'owner' })])
      expect((await company.admin.get(`/users/${person.id}/tokens`)).body.meta.total).toBe(0)
      expect((await company.admin.get(`/users/${person.id}/sessions`)).body.meta.total).toBe(0)
    }
  })
})

describe('The person who makes the change', () => {
  it('keeps the token of the call, and no other', async () => {
    const company = await app.diwan.company()
    const session = await beginSession(company.ownerToken)
    const path = `/users/${company.owner.id}`
    const other = (await company.admin.post(`${path}/tokens`, { name: 'Other' })).body.data.token
    const { status, body } = await company.admin.patch(path, { email: `me.${randomUUID()}@example.com` })
    expect([status, body.data.invitation]).toEqual([200, null])
    expect([await statusWith(company.ownerToken), await statusWith(other), await session.status()]).toEqual([
      200, 401, 401,
    ])
  })

  it('keeps the session of the call with its token, and no other', async () => {
    const company = await app.diwan.company()
    const [session, another] = [await beginSession(company.ownerToken), await beginSession(company.ownerToken)]
    const path = `/companies/${company.id}/users/${company.owner.id}`
    const email = { email: `me.${randomUUID()}@example.com` }
    expect((await session.send(path, 'PATCH', email)).status).toBe(200)
    expect([await session.status(), await another.status(), await statusWith(company.ownerToken)]).toEqual([
      200, 401, 200,
    ])
  })
})

describe('Somebody whose tokens have ended', () => {
  it('comes in again by the code that the owner or the operator is given, where there is no mail', async () => {
    const company = await app.diwan.company()
    for (const by of [company.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)]) {
      const person = await app.diwan.person(company.id)
      const { invitation } = (await by.patch(`/users/${person.id}`, { role: 'manager' })).body.data
      const { token } = (await accept(invitation.code)).body.data
      const { user } = (await app.diwan.client('/admin/v1', token).get('/me')).body.data
      expect(user).toMatchObject({ id: person.id, role: 'manager' })
    }
  })

  it('is invited by the operator after becoming an owner: nobody is shown the code of another owner', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const byOwner = await company.admin.patch(`/users/${person.id}`, { role: 'owner' })
    expect([byOwner.status, byOwner.body.data.invitation]).toEqual([200, null])
    expectRefusal(await invite(company.admin, person.id), 403, 'forbidden')
    const operator = app.diwan.admin(company.id, OPERATOR_TOKEN)
    expect((await invite(operator, person.id)).status).toBe(201)
  })

  it('is not invited by a manager who changed the address, nor while inactive', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const [member, gone] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    const email = () => `new.${randomUUID()}@example.com`
    const moved = await manager.admin.patch(`/users/${member.id}`, { email: email() })
    expect([moved.status, moved.body.data.invitation, await statusWith(member.token)]).toEqual([200, null, 401])
    const dismissed = await company.admin.patch(`/users/${gone.id}`, { email: email(), active: false })
    expect([dismissed.status, dismissed.body.data.invitation]).toEqual([200, null])
  })
})

describe('The e-mail address of somebody who manages API keys', () => {
  it('is changed by an owner, the operator or the person, and by no manager', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const admin = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    const email = () => ({ email: `new.${randomUUID()}@example.com` })
    expectRefusal(await manager.admin.patch(`/users/${admin.id}`, email()), 403, 'forbidden')
    expectRefusal(await manager.admin.patch(`/users/${company.owner.id}`, email()), 403, 'forbidden')
    const kept = { email: admin.email, name: 'Omar' }
    expect((await manager.admin.patch(`/users/${admin.id}`, kept)).status).toBe(200)
    expect((await admin.admin.patch(`/users/${admin.id}`, email())).status).toBe(200)
    expect((await company.admin.patch(`/users/${admin.id}`, email())).status).toBe(200)
  })
})
