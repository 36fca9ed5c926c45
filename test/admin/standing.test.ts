import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useOwnApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'

const app = useOwnApp()
/** Races show on PostgreSQL only; the embedded database has one session. */
const ROUNDS = process.env.TEST_ENGINE === 'postgres' ? 12 : 2
const AT_ONCE = 4

type Person = Awaited<ReturnType<typeof app.diwan.person>>

/** Keeps the same call in flight, several at once, until somebody has done something else. */
async function during<T>(keepTrying: () => Promise<Answer>, doing: () => Promise<T>): Promise<[T, Answer[]]> {
  let isOver = false
  const answers: Answer[] = []
  const trying = Array.from({ length: AT_ONCE }, async () => {
    do answers.push(await keepTrying())
    while (!isOver)
  })
  await new Promise(resolve => setTimeout(resolve, Math.random() * 20))
  const done = await doing()
  isOver = true
  await Promise.all(trying)
  return [done, answers]
}

async function userOf(company: TestCompany, id: number) {
  const { body } = await company.admin.get('/users')
  return body.data.find((user: { id: number }) => user.id === id)
}

describe('Somebody who is dismissed while calls of theirs are in flight', () => {
  const MEMBER = { role: 'member', can_manage_api_keys: false }

  it.each<[string, object, object, object]>([
    ['an owner', { role: 'owner' }, { role: 'owner' }, { role: 'member' }],
    ['a manager', { role: 'manager' }, { role: 'manager' }, { role: 'member' }],
    [
      'an owner who manages keys',
      { role: 'owner', can_manage_api_keys: true },
      { role: 'owner', can_manage_api_keys: true },
      MEMBER,
    ],
    [
      'a manager who manages keys',
      { role: 'manager', can_manage_api_keys: true },
      { can_manage_api_keys: true },
      MEMBER,
    ],
    ['a deactivated owner', { role: 'owner' }, { active: true }, { active: false }],
    ['a deactivated manager', { role: 'manager' }, { active: true }, { active: false }],
  ])('stays dismissed: %s', async (_, was, wanted, becomes) => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id, was as Record<string, unknown>)
      const path = `/users/${person.id}`
      const [dismissal, tries] = await during(
        () => person.admin.patch(path, wanted),
        () => company.admin.patch(path, becomes),
      )
      expect(dismissal.status, JSON.stringify(dismissal.body)).toBe(200)
      expect(await userOf(company, person.id)).toMatchObject(becomes)
      expect(tries.map(({ status }) => status).filter(status => ![200, 401, 403].includes(status))).toEqual([])
    }
  })

  it.each<
    [string, (person: Person, company: TestCompany) => Promise<Answer>, (company: TestCompany) => Promise<number>]
  >([
    [
      'makes no owner',
      ({ admin }) => admin.post('/users', { name: 'x', email: `${Math.random()}@example.com`, role: 'owner' }),
      async ({ admin }) => (await admin.get('/users')).body.meta.total,
    ],
    [
      'makes no key',
      ({ admin }) => admin.post('/keys', { name: 'x', access: 'write' }),
      async ({ admin }) => (await admin.get('/keys')).body.meta.total,
    ],
  ])('%s once the dismissal has been answered', async (_, attempt, count) => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id, { role: 'owner' })
      const [before, answers] = await during(
        () => attempt(person, company),
        async () => {
          await company.admin.patch(`/users/${person.id}`, MEMBER)
          return count(company)
        },
      )
      expect(await count(company)).toBe(before)
      expect(answers.map(({ status }) => status).filter(status => ![201, 403].includes(status))).toEqual([])
    }
  })

  it('makes no token once the own token has been revoked', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id)
      const tokens = `/users/${person.id}/tokens`
      const [{ id }] = (await company.admin.get(tokens)).body.data
      const total = async () => (await company.admin.get(tokens)).body.meta.total
      const [left] = await during(
        () => person.admin.post(tokens, { name: 'x' }),
        async () => {
          expect((await company.admin.delete(`${tokens}/${id}`)).status).toBe(200)
          return total()
        },
      )
      expect(await total()).toBe(left)
    }
  })
})

describe('Two who dismiss each other at the same moment', () => {
  it('both get an answer, and one of them remains', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [
        await app.diwan.person(company.id, { role: 'owner' }),
        await app.diwan.person(company.id, { role: 'owner' }),
      ]
      const answers = await Promise.all([
        a.admin.patch(`/users/${b.id}`, { role: 'member' }),
        b.admin.patch(`/users/${a.id}`, { role: 'member' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
      await app.diwan.operator.patch(`/companies/${company.id}/users/${a.id}`, { role: 'member' })
      await app.diwan.operator.patch(`/companies/${company.id}/users/${b.id}`, { role: 'member' })
    }
  })

  it('leave an owner when all of them go at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const company = await app.diwan.company()
      const owners = [company.admin]
      const ids = [company.owner.id]
      for (let n = 0; n < 3; n++) {
        const owner = await app.diwan.person(company.id, { role: 'owner' })
        owners.push(owner.admin)
        ids.push(owner.id)
      }
      const answers = await Promise.all(
        owners.map((admin: Client, n) => admin.patch(`/users/${ids[n]}`, { active: false })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422])
    }
  })
})

describe('Two changes of one record at the same moment', () => {
  it('leave a key whose operations its access permits', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await company.admin.post('/keys', { name: 'x', access: 'write', operations: ['projects:read'] }))
        .body.data
      const answers = await Promise.all([
        company.admin.patch(`/keys/${id}`, { access: 'read' }),
        app.diwan.operator.patch(`/companies/${company.id}/keys/${id}`, { operations: ['projects:write'] }),
      ])
      const key = (await company.admin.get('/keys?limit=100')).body.data.find((one: { id: number }) => one.id === id)
      expect([
        { access: 'read', operations: ['projects:read'] },
        { access: 'write', operations: ['projects:write'] },
      ]).toContainEqual({ access: key.access, operations: key.operations })
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  it('revoke a token, remove a member and restore a project once', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id)
      const project = await app.diwan.project(company)
      await company.admin.post(`/projects/${project.id}/members`, { user_id: person.id })
      await company.api.delete(`/projects/${project.id}`)
      const [token] = (await company.admin.get(`/users/${person.id}/tokens`)).body.data
      const kept = await app.diwan.project(company)
      await company.admin.post(`/projects/${kept.id}/members`, { user_id: person.id })
      const operator = app.diwan.client(`/admin/v1/companies/${company.id}`, OPERATOR_TOKEN)
      for (const [method, path] of [
        ['POST', `/trash/${project.id}/restore`],
        ['DELETE', `/projects/${kept.id}/members/${person.id}`],
        ['DELETE', `/users/${person.id}/tokens/${token.id}`],
      ] as const) {
        const answers = await Promise.all([company.admin.send(method, path), operator.send(method, path)])
        expect([path, ...answers.map(({ status }) => status).sort()]).toEqual([path, 200, 404])
      }
    }
  })
})

it('None of these waited in a circle: PostgreSQL had to give up nobody for the sake of another', async () => {
  const { rows } = await app.database.pool.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(Number(rows[0]?.deadlocks)).toBe(0)
})

describe('Somebody who is dismissed while a calendar server takes its time', () => {
  const app = useOwnApp({ allowPrivateCalendars: true })
  const A_CALENDAR = `<multistatus xmlns="DAV:"><response><href>/</href><propstat><prop>
    <resourcetype><collection/><calendar xmlns="urn:ietf:params:xml:ns:caldav"/></resourcetype>
  </prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`

  it('connects no calendar', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const changes = [{ active: false }, { active: true }]
    const slow = createServer(async (_, response) => {
      await company.admin.patch(`/users/${person.id}`, changes.shift() ?? {})
      response.writeHead(207, { 'content-type': 'application/xml' }).end(A_CALENDAR)
    })
    await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    const connect = () => person.admin.post('/calendars', { url, username: 'x', password: 'x' })
    expect((await connect()).status).toBe(401)
    expect((await company.admin.get('/calendars')).body.data).toEqual([])
    await company.admin.patch(`/users/${person.id}`, { active: true })
    expect((await connect()).status).toBe(201)
    slow.close()
  })
})
