import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp, useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { callsInRace, roundsOfRace } from '../support/races.ts'

const app = useOwnApp()
/** Races show on PostgreSQL only; the embedded database has one session. */
const ROUNDS = process.env.TEST_ENGINE === 'postgres' ? roundsOfRace(8) : 1
const AT_ONCE = callsInRace(4)

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()

/** Keeps the same call in flight, several at once, until something else has been answered. Nothing is written after that. */
async function during(keepTrying: () => Promise<Answer>, doing: () => Promise<Answer>, count: () => Promise<number>) {
  let isOver = false
  const statuses: number[] = []
  const once = async () => {
    statuses.push((await keepTrying()).status)
  }
  const first = Array.from({ length: AT_ONCE }, once)
  const trying = first.map(async answered => {
    await answered
    while (!isOver) await once()
  })
  await Promise.race(first)
  const done = await doing()
  const counted = await count()
  isOver = true
  await Promise.all(trying)
  expect([done.status, done.body.error]).toEqual([200, undefined])
  expect(await count()).toBe(counted)
  return statuses
}

describe('A write of somebody who loses the right to it meanwhile', () => {
  type Begun = { writer: Client; end: () => Promise<Answer> }
  /** An owner with a session, the addresses at which others change them, and a session of the operator. */
  const begin = async ({ id, admin }: TestCompany) => {
    const person = await app.diwan.person(id, { role: 'owner' })
    const [token] = (await admin.get(`/users/${person.id}/tokens`)).body.data
    const session = await signIn(app.diwan, { token: person.token })
    const operator = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const path = `/users/${person.id}`
    const at = { path, session: `${path}/sessions/${session.id}`, token: `${path}/tokens/${token.id}` }
    return { admin, ...at, operator, browser: session.browser, withToken: app.diwan.client('/admin/v1', person.token) }
  }

  it.each<[string, (begun: Awaited<ReturnType<typeof begin>>) => Begun]>([
    ['the session is ended', ({ browser, admin, session }) => ({ writer: browser, end: () => admin.delete(session) })],
    ['their token is revoked', ({ browser, admin, token }) => ({ writer: browser, end: () => admin.delete(token) })],
    ['they sign out', ({ browser }) => ({ writer: browser, end: () => browser.delete('/sessions/current') })],
    [
      'the session of the operator is ended',
      ({ operator: { id, browser } }) => ({ writer: browser, end: () => app.diwan.operator.delete(`/sessions/${id}`) }),
    ],
    [
      'they become a member',
      ({ withToken, admin, path }) => ({ writer: withToken, end: () => admin.patch(path, { role: 'member' }) }),
    ],
  ])('is written before the answer, or not at all: %s', async (_, from) => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const { writer, end } = from(await begin(company))
      const statuses = await during(
        () => writer.post(`/companies/${company.id}/keys`, { name: 'x', access: 'read' }),
        end,
        async () => (await company.admin.get('/keys')).body.meta.total,
      )
      expect(statuses.filter(status => ![201, 401, 403].includes(status))).toEqual([])
    }
  })

  it.each([
    ['an owner', { role: 'owner' }, { role: 'owner' }, { role: 'member' }],
    [
      'a manager who manages keys',
      { role: 'manager', can_manage_api_keys: true },
      { can_manage_api_keys: true },
      { role: 'member', can_manage_api_keys: false },
    ],
    ['somebody who is deactivated', { role: 'manager' }, { active: true }, { active: false }],
  ])('does not undo that: %s', async (_, was, wanted, becomes) => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id, was)
      const path = `/users/${person.id}`
      const statuses = await during(
        () => person.admin.patch(path, wanted),
        () => company.admin.patch(path, becomes),
        async () => 0,
      )
      expect((await company.admin.get(path)).body.data).toMatchObject(becomes)
      expect(statuses.filter(status => ![200, 401, 403].includes(status))).toEqual([])
    }
  })

  it('leaves no token or session of somebody who is promoted, nor lets an old code make one', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id)
      const { id, invitation } = await created(
        company.admin.post('/users', { name: 'Huda', email: `huda.${round}@example.com` }),
      ).then(({ data }) => data)
      const accept = () => app.diwan.client('/admin/v1').post('/invitations/accept', { code: invitation.code })
      const attempts = Array.from({ length: 3 }, () => [
        person.admin.post(`/users/${person.id}/tokens`, { name: 'x' }),
        app.diwan.client('/admin/v1').post('/sessions', { token: person.token }),
      ]).flat()
      const promotions = [person.id, id].map(each => company.admin.patch(`/users/${each}`, { role: 'owner' }))
      await Promise.all([...attempts, accept(), ...promotions])
      expect((await accept()).status).toBe(401)
      for (const path of [`/users/${person.id}/tokens`, `/users/${person.id}/sessions`, `/users/${id}/tokens`])
        expect([path, (await company.admin.get(path)).body.meta.total]).toEqual([path, 0])
    }
  })
})

describe('Owners who dismiss each other at the same moment', () => {
  it('are one fewer', async () => {
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
      expect(statusesOf(answers)).toEqual([200, 403])
    }
  })

  it('leave an owner when all of them go', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const company = await app.diwan.company()
      const owners = [{ admin: company.admin, id: company.owner.id }]
      for (let n = 0; n < 3; n++) owners.push(await app.diwan.person(company.id, { role: 'owner' }))
      const answers = await Promise.all(owners.map(({ admin, id }) => admin.patch(`/users/${id}`, { active: false })))
      expect(statusesOf(answers)).toEqual([200, 200, 200, 422])
    }
  })
})

describe('Two changes of one record at the same moment', () => {
  it('leave a key whose operations its access permits', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const made = { name: 'x', access: 'write', operations: ['projects:read'] }
      const { id } = (await company.admin.post('/keys', made)).body.data
      const answers = await Promise.all([
        company.admin.patch(`/keys/${id}`, { access: 'read' }),
        app.diwan.operator.patch(`/companies/${company.id}/keys/${id}`, { operations: ['projects:write'] }),
      ])
      const { access, operations } = (await company.admin.get(`/keys/${id}`)).body.data
      expect(['read projects:read', 'write projects:write']).toContain(`${access} ${operations}`)
      expect(statusesOf(answers)).toEqual([200, 422])
    }
  })

  it('revoke a token, remove a member, restore a project and end a session once', async () => {
    const company = await app.diwan.company()
    const operator = app.diwan.client(`/admin/v1/companies/${company.id}`, OPERATOR_TOKEN)
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id)
      const [deleted, kept] = [await app.diwan.project(company), await app.diwan.project(company)]
      await company.api.delete(`/projects/${deleted.id}`)
      await company.admin.post(`/projects/${kept.id}/members`, { user_id: person.id })
      const [token] = (await company.admin.get(`/users/${person.id}/tokens`)).body.data
      for (const [method, path] of [
        ['POST', `/trash/${deleted.id}/restore`],
        ['DELETE', `/projects/${kept.id}/members/${person.id}`],
        ['DELETE', `/users/${person.id}/tokens/${token.id}`],
      ] as const) {
        const answers = await Promise.all([company.admin.send(method, path), operator.send(method, path)])
        expect([path, ...statusesOf(answers)]).toEqual([path, 200, 404])
      }
      const [a, b] = [
        await signIn(app.diwan, { token: OPERATOR_TOKEN }),
        await signIn(app.diwan, { token: OPERATOR_TOKEN }),
      ]
      const ended = await Promise.all([
        a.browser.delete(`/sessions/${b.id}`),
        b.browser.delete(`/sessions/${a.id}`),
        a.browser.delete(`/sessions/${b.id}`),
      ])
      expect(statusesOf(ended)).toEqual([200, expect.toBeOneOf([401, 404]), expect.toBeOneOf([401, 404])])
    }
  })
})

describe('Somebody who is dismissed while a calendar server takes its time', () => {
  const app = useApp({ allowPrivateCalendars: true })
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

/** Two members of a private project that has a list. */
async function atWork() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company, { name: 'Closed', is_public: false })
  const list = await newList(company, project.id)
  const people = [await app.diwan.person(company.id), await app.diwan.person(company.id)] as const
  for (const { id } of people) await company.admin.post(`/projects/${project.id}/members`, { user_id: id })
  const [one, other] = people.map(({ token }) => app.diwan.client(`/admin/v1/companies/${company.id}/records`, token))
  return { company, project, list, id: people[0].id, one: one as Client, other: other as Client }
}

const rowsIn = async ({ id }: TestCompany, table: string) =>
  Number((await app.database.pool.query(`select count(*) from ${table} where company_id = $1`, [id])).rows[0].count)

describe('Work of a member', () => {
  const TASKS = callsInRace(100)
  const batch = { tasks: Array.from({ length: TASKS }, (_, n) => ({ title: `Task ${n}` })) }

  it('is all written before they are removed from the project, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { company, project, list, id, one } = await atWork()
      const tasks = () => rowsIn(company, 'tasks')
      const statuses = await during(
        () => one.post(`/lists/${list.id}/tasks/batch`, batch),
        () => company.admin.delete(`/projects/${project.id}/members/${id}`),
        tasks,
      )
      expect(statuses.filter(status => status !== 201 && status !== 404)).toEqual([])
      expect(await tasks()).toBe(TASKS * statuses.filter(status => status === 201).length)
    }
  })

  it('of each kind is written before the project is closed to them, or not at all', async () => {
    for (const [table, below] of [
      ['tasks', 'list'],
      ['discussions', 'project'],
      ['files', 'project'],
      ['comments', 'list'],
    ] as const)
      for (let round = 0; round < ROUNDS; round++) {
        const { company, project, list } = await atWork()
        await company.api.patch(`/projects/${project.id}`, { is_public: true })
        const outsider = await app.diwan.person(company.id)
        const address = below === 'list' ? `/lists/${list.id}/${table}` : `/projects/${project.id}/${table}`
        const statuses = await during(
          () => outsider.admin.post(`/records${address}`, { title: 'x', name: 'x.md', content: 'x' }),
          () => company.api.patch(`/projects/${project.id}`, { is_public: false }),
          () => rowsIn(company, table),
        )
        expect([table, ...statuses.filter(status => status !== 201 && status !== 404)]).toEqual([table])
      }
  })

  it('is written before they are dismissed or the company is closed, or not at all, and so are keys', async () => {
    const dismiss = ({ admin }: TestCompany, id: number) => admin.patch(`/users/${id}`, { active: false })
    const close = async ({ id }: TestCompany) => {
      const { name } = (await app.diwan.operator.get(`/companies/${id}`)).body.data
      return app.diwan.operator.post(`/companies/${id}/close`, { name })
    }
    for (const [end, table] of [
      [dismiss, 'tasks'],
      [close, 'tasks'],
      [close, 'api_keys'],
    ] as const)
      for (let round = 0; round < ROUNDS; round++) {
        const { company, list, id, one } = await atWork()
        const statuses = await during(
          () =>
            table === 'tasks'
              ? one.post(`/lists/${list.id}/tasks`, { title: 'x' })
              : company.admin.post('/keys', { name: 'x', access: 'read' }),
          () => end(company, id),
          () => rowsIn(company, table),
        )
        expect(statuses.filter(status => ![201, 401, 404].includes(status))).toEqual([])
      }
  })

  it('of two at the same moment creates one record by its external id, completes it once, and moves it to one list', async () => {
    const { company, project, list, one, other } = await atWork()
    const [a, b] = [
      await newList(company, project.id, { title: 'A' }),
      await newList(company, project.id, { title: 'B' }),
    ]
    for (let round = 0; round < ROUNDS; round++) {
      const put = (work: Client) => work.put(`/lists/${list.id}/tasks/ext:crm-${round}`, { title: 'Same' })
      const made = await Promise.all([one, other].map(put))
      expect(statusesOf(made)).toEqual([200, 201])
      const [id, ...same] = new Set(made.map(({ body }) => body.data.id))
      expect(same).toEqual([])
      const completed = await Promise.all([one, other].map(work => work.post(`/tasks/${id}/complete`)))
      expect(new Set(completed.map(({ body }) => body.data.completed_at)).size).toBe(1)
      const move = (work: Client, list_id: string) => work.post(`/tasks/${id}/move`, { list_id })
      expect(statusesOf(await Promise.all([move(one, a.id), move(other, b.id)]))).toEqual([200, 200])
      expect([a.id, b.id]).toContain((await company.api.get(`/tasks/${id}`)).body.data.task_list_id)
    }
    expect(await rowsIn(company, 'tasks')).toBe(ROUNDS)
  })

  it('is deleted once, by the one who made it', async () => {
    const { list, one, other } = await atWork()
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await newTask({ api: one }, list.id)
      const [own, again, theirs] = await Promise.all([one, one, other].map(work => work.delete(`/tasks/${id}`)))
      expect(statusesOf([own, again] as Answer[])).toEqual([200, 404])
      expect([403, 404]).toContain(theirs?.status)
    }
  })
})

it('None of these waited in a circle: PostgreSQL had to give up nobody for the sake of another', async () => {
  const { rows } = await app.database.pool.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(Number(rows[0]?.deadlocks)).toBe(0)
})
