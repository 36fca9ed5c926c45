import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { INSTANT } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const problem = (text: string) => expect.stringMatching(new RegExp(`^${text}`))
const add = async ({ admin }: Pick<TestCompany, 'admin'>, name: string, email: string) =>
  (await created(admin.post('/users', { name, email }))).data

it('GET /admin/v1/me tells a person who one is, where, and what one may do', async () => {
  const company = await app.diwan.company()
  const { token, id, email } = await app.diwan.person(company.id, { name: 'هدى', can_manage_api_keys: true })
  const { name, plan, rest_api, daily_calls } = (await company.admin.get('')).body.data
  expect((await app.diwan.client('/admin/v1', token).get('/me')).body.data).toEqual({
    kind: 'person',
    user: { id, name: 'هدى', email, role: 'member', can_manage_api_keys: true },
    company: {
      id: company.id,
      name,
      time_zone: 'Asia/Riyadh',
      second_calendar: null,
      plan,
      rest_api,
      daily_calls,
      sandbox: false,
    },
    unread_notifications: 0,
    may: expect.arrayContaining(['get_me', 'list_keys', 'create_token']),
    session: null,
  })
  expect((await app.diwan.operator.get('/me')).body.data).toEqual({
    kind: 'operator',
    user: null,
    company: null,
    unread_notifications: 0,
    may: expect.any(Array),
    session: null,
  })
})

describe('POST …/users', () => {
  it('adds an active member without rights over keys, shows exactly that, and lets an owner choose each role and setting', async () => {
    const company = await app.diwan.company()
    const made = await add(company, ' يوسف ', 'Yusuf@Example.com')
    expect(made).toEqual({
      id: expect.any(Number),
      name: ' يوسف ',
      email: 'Yusuf@Example.com',
      role: 'member',
      can_manage_api_keys: false,
      active: true,
      language: 'en',
      created_at: INSTANT,
      invitation: { code: expect.stringMatching(/^svc_inv_[0-9A-Za-z]{49}$/), expires_at: INSTANT },
    })
    const { invitation, ...shown } = made
    const listed = (await company.admin.get('/users')).body.data
    expect(listed[1]).toEqual({
      ...shown,
      has_token: false,
      invited_until: invitation.expires_at,
      first_token_at: null,
    })
    for (const each of listed) expect((await company.admin.get(`/users/${each.id}`)).body).toEqual({ data: each })
    for (const role of ['owner', 'manager', 'member']) {
      const settings = { name: 'Huda', email: `${role}@example.com`, role, can_manage_api_keys: true, active: false }
      expect((await company.admin.post('/users', settings)).body.data).toMatchObject(settings)
    }
  })

  it('answers 422 naming the field to what makes no person', async () => {
    const company = await app.diwan.company()
    for (const [text, fields] of [
      ["name can't be blank", { name: undefined }],
      ['name is too long', { name: 'x'.repeat(256) }],
      ["email can't be blank", { email: undefined }],
      ['email must be an e-mail address', { email: 'nobody' }],
      ['email must be an e-mail address', { email: 'a b@example.com' }],
      ['email must be an e-mail address', { email: 'a@example.com\r\nBcc: b@example.com' }],
      ['email is too long', { email: `${'x'.repeat(250)}@example.com` }],
      ['role must be one of owner, manager, member', { role: 'king' }],
      ['can_manage_api_keys must be true or false', { can_manage_api_keys: 1 }],
      ["active can't be blank", { active: null }],
      ['language must be one of en, ar', { language: 'fr' }],
    ] as const) {
      const answer = await company.admin.post('/users', { name: 'x', email: 'x@example.com', ...fields })
      expectRefusal(answer, 422, 'unprocessable_entity', problem(text))
    }
    expect((await company.admin.get('/users')).body.meta.total).toBe(1)
  })

  it('keeps e-mails unique within a company whatever their case, and free in another', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const racing = Array.from({ length: 4 }, () =>
      company.admin.post('/users', { name: 'A', email: 'Same@Example.com' }),
    )
    const answers = await Promise.all(racing)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    const first = answers.find(({ status }) => status === 201)?.body.data
    const other = await app.diwan.person(company.id)
    for (const answer of [
      await company.admin.post('/users', { name: 'B', email: 'sAME@example.COM' }),
      await company.admin.patch(`/users/${other.id}`, { name: 'Moved', email: 'same@example.com' }),
    ])
      expectRefusal(answer, 422, 'unprocessable_entity', problem('email '))
    const recased = await company.admin.patch(`/users/${first.id}`, { email: 'same@example.com' })
    expect(recased.body.data.email).toBe('same@example.com')
    await add(elsewhere, 'A', 'same@example.com')
  })
})

it('GET …/users finds people by part of their name in any spelling, or of their address, and nobody else', async () => {
  const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
  await add(company, 'أحمد الشمري', 'a_1@example.com')
  await add(company, 'Sara 100%', 'sara.q@example.com')
  await add(elsewhere, 'أحمد الآخر', 'other@example.com')
  for (const [q, names] of [
    ['احمد', ['أحمد الشمري']],
    ['  SARA ', ['Sara 100%']],
    ['A_1@e', ['أحمد الشمري']],
    ['sara_q', []],
    ['%', []],
  ] as const) {
    const { data } = (await company.admin.get(`/users?q=${encodeURIComponent(q)}`)).body
    expect([q, data.map(({ name }: { name: string }) => name)]).toEqual([q, names])
  }
})

it('PATCH …/users/{uid} changes only what was sent', async () => {
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

it('Nobody lifts oneself nor another, without being an owner; a manager does everything else to those who are not owners', async () => {
  const company = await app.diwan.company()
  const manager = await app.diwan.person(company.id, { role: 'manager' })
  const keyMember = await app.diwan.person(company.id, { can_manage_api_keys: true })
  const member = await app.diwan.person(company.id)
  const promotions = [{ role: 'owner' }, { role: 'manager' }, { can_manage_api_keys: true }]
  for (const promotion of promotions) {
    expectRefusal(await manager.admin.patch(`/users/${member.id}`, promotion), 403, 'forbidden')
    const puppet = { name: 'Puppet', email: 'puppet@example.com', ...promotion }
    expectRefusal(await manager.admin.post('/users', puppet), 403, 'forbidden')
  }
  for (const [person, change] of [
    [manager, { role: 'owner' }],
    [manager, { role: 'member' }],
    [manager, { can_manage_api_keys: true }],
    [keyMember, { role: 'manager' }],
    [keyMember, { name: 'Renamed' }],
  ] as const)
    expectRefusal(await person.admin.patch(`/users/${person.id}`, change), 403, 'forbidden')
  expectRefusal(await manager.admin.patch(`/users/${company.owner.id}`, { active: false }), 403, 'forbidden')
  const { data } = (await company.admin.get('/users')).body
  expect(data).toHaveLength(4)
  expect(data[3]).toMatchObject({ id: member.id, role: 'member', can_manage_api_keys: false })
  for (const change of [{ name: 'Renamed' }, { email: 'renamed@example.com' }, { active: false }, { role: 'member' }])
    expect((await manager.admin.patch(`/users/${member.id}`, change)).status).toBe(200)
})

it('The last active owner stays one, and may go once there is another', async () => {
  const company = await app.diwan.company()
  await app.diwan.person(company.id, { role: 'owner', active: false })
  const path = `/users/${company.owner.id}`
  for (const admin of [company.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)])
    for (const [field, change] of [
      ['role', { role: 'manager' }],
      ['active', { active: false }],
    ] as const)
      expectRefusal(await admin.patch(path, change), 422, 'unprocessable_entity', problem(`${field} `))
  expect((await company.admin.get('/users')).body.data[0]).toMatchObject({ role: 'owner', active: true })
  const second = await app.diwan.person(company.id, { role: 'owner' })
  expect((await company.admin.patch(path, { active: false })).status).toBe(200)
  expect((await company.admin.get('')).status).toBe(401)
  expect((await second.admin.get('')).body.data.owner.id).toBe(second.id)
})
