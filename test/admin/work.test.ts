import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { furnishWork, newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
const RECORDS = '/companies/:company/records'
const FOR_LEADERS = [
  'create_project',
  'update_project',
  'upsert_project',
  'delete_project',
  'archive_project',
  'unarchive_project',
  'delete_task_list',
  'delete_folder',
]
/** The endpoints that the API does not have. */
const OF_ONESELF = ['list_my_tasks', 'list_my_events', 'get_my_rights', 'list_todays_changes']
const JSON_TYPE = { 'content-type': 'application/json' }

const recordsFor = ({ id }: TestCompany, token: string) => app.diwan.client(`/admin/v1/companies/${id}/records`, token)
const idsIn = ({ body }: Answer): unknown[] => (body.data.files ?? body.data).map(({ id }: { id: unknown }) => id)
const namesIn = ({ body }: Answer): string[] => body.data.map(({ name }: { name: string }) => name)

/** Somebody with a role, at work in a company that has a project, a list and a task. */
async function atWork(role: 'owner' | 'manager' | 'member', settings = {}) {
  const furnished = await furnishWork(app.diwan, settings)
  const person = await app.diwan.person(furnished.company.id, { name: 'Huda Salem', role })
  return { ...furnished, person, work: recordsFor(furnished.company, person.token) }
}

describe('The records of a company', () => {
  /** Every address that people can read, as the API has it. */
  const READS = workEndpoints
    .filter(({ method, name }) => method === 'GET' && ![...OF_ONESELF, 'read_changes'].includes(name))
    .flatMap(({ at }) => at.map(address => address.slice(RECORDS.length)))
  let company: TestCompany
  let fill: (address: string) => string
  let list: string
  let owner: Client
  let manager: Client
  let member: Client
  let operator: Client
  beforeAll(async () => {
    const furnished = await furnishEveryRecord(app.diwan)
    company = furnished.company
    fill = furnished.fill
    list = furnished.names.list as string
    const people = []
    for (const role of ['manager', 'member']) people.push(await app.diwan.person(company.id, { role }))
    for (const { id } of people)
      await company.admin.post(`/projects/${furnished.names.project}/members`, { user_id: id })
    const tokens = [company.ownerToken, ...people.map(({ token }) => token), OPERATOR_TOKEN]
    ;[owner, manager, member, operator] = tokens.map(token => recordsFor(company, token)) as [
      Client,
      Client,
      Client,
      Client,
    ]
  })
  /** The body of an answer; a link leads somewhere instead. */
  const said = ({ status, body, headers }: Answer) => ({ status, body, location: headers.get('location') })

  it('are for leaders, and for members where it concerns no whole project, list or folder; the operator reads', async () => {
    // test/contract proves what members may not do.
    for (const [work, mayNot] of [
      [manager, false],
      [operator, true],
    ] as const)
      for (const { name, method, at } of workEndpoints.filter(
        ({ name }) => !/^(delete|(un)?complete|reopen|list_todays)_/.test(name),
      )) {
        const path = fill(at.at(-1) as string).slice(`/companies/${company.id}/records`.length)
        // Nothing is missing at the address, and the body is refused: so nothing is changed.
        if (/archive$|changes$/.test(path)) continue
        const { status, body } = await work.send(method, path, method === 'GET' ? {} : { body: '[' })
        const isForOthers = status === 403 && body.error.message.startsWith('This is for ')
        expect([name, isForOthers]).toEqual([name, mayNot && (method !== 'GET' || OF_ONESELF.includes(name))])
      }
    for (const [token, left] of [
      [(await app.diwan.person(company.id)).token, FOR_LEADERS],
      [company.ownerToken, []],
    ] as const) {
      const { may } = (await app.diwan.client('/admin/v1', token).get('/me')).body.data
      const names = workEndpoints.map(({ name }) => name)
      expect(names.filter(name => !may.includes(name)).sort()).toEqual([...left].sort())
    }
  })

  it('are shown to each of them as the API shows them to a key', async () => {
    const reads = apiEndpoints.filter(({ method }) => method === 'GET').flatMap(({ at }) => at)
    expect(READS).toEqual(reads.filter(address => !['/me', '/company/changes'].includes(address)))
    const queries = [
      '/company/tasks?project=:project&due_from=2020-01-01&sort=-due',
      '/projects/:project?calendar=islamic-umalqura',
      '/search?q=plan&types=folder&types=file&per_type=1',
      '/events?from=nonsense',
      '/lists/:list/tasks?limit=0&offset=-1',
    ]
    for (const address of [...READS, ...queries]) {
      const path = fill(address)
      const own = said(await company.api.get(path))
      // Events are for those who take part.
      for (const work of address.startsWith('/events') ? [owner] : [owner, manager, operator])
        expect([path, said(await work.get(path))]).toEqual([path, own])
      if (address.includes(':') && !address.startsWith('/events'))
        expect([path, said(await member.get(path))]).toEqual([path, own])
    }
  })

  it('lead from page to page at their own address, with cursors of their own, and answer 304 to who has seen them', async () => {
    const tasks = [await newTask(company, list), await newTask(company, list)]
    const first = `/admin/v1/companies/${company.id}/records/lists/${list}/tasks?limit=1`
    const seen: unknown[] = []
    for (let next: string | undefined = first, n = 0; next !== undefined && n < 5; n++) {
      const page: Answer = await app.diwan.client('', company.ownerToken).get(next)
      seen.push(...idsIn(page))
      next = page.headers
        .get('link')
        ?.match(/^<http:\/\/[^/]+(\/admin\/v1\/companies\/\d+\/records\/[^>]+)>; rel="next"$/)?.[1]
    }
    expect(seen.slice(1)).toEqual(tasks.map(({ id }) => id))
    const { next_cursor } = (await company.api.get('/company/tasks?limit=1')).body.meta
    expect((await owner.get(`/company/tasks?limit=1&cursor=${next_cursor}`)).status).toBe(422)
    const { headers } = await owner.get(`/lists/${list}`)
    expect((await owner.get(`/lists/${list}`, { 'if-none-match': headers.get('etag') as string })).status).toBe(304)
  })

  it('are seen by leaders in private projects of which they are no members, but not the events of others', async () => {
    const own = await app.diwan.company()
    const secret = await app.diwan.project(own, { is_public: false })
    const task = await newTask(own, (await newList(own, secret.id)).id)
    const [guest, other] = [
      await app.diwan.person(own.id, { role: 'manager' }),
      await app.diwan.person(own.id, { role: 'manager' }),
    ]
    const leader = recordsFor(own, other.token)
    expect([idsIn(await leader.get('/projects')), idsIn(await leader.get('/company/tasks'))]).toEqual([
      [secret.id],
      [task.id],
    ])
    expect((await leader.get(`/tasks/${task.id}`)).status).toBe(200)
    expect((await leader.get(`/projects/${secret.id}/members`)).body.data).toMatchObject([{ email: own.owner.email }])
    const times = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
    const { data } = await created(own.api.post('/events', { name: 'x', ...times, attendee_emails: [guest.email] }))
    for (const [token, seen] of [
      [own.ownerToken, [data.id]],
      [guest.token, [data.id]],
      [other.token, []],
      [OPERATOR_TOKEN, []],
    ] as const) {
      const work = recordsFor(own, token)
      expect(idsIn(await work.get('/events'))).toEqual(seen)
      expect((await work.get(`/events/${data.id}`)).status).toBe(seen.length > 0 ? 200 : 404)
    }
  })
})

describe('Work', () => {
  it('is of the person, without a key: in the record, the feed, the audit and the answer’s headers', async () => {
    const { company, project, list, work, person } = await atWork('member')
    const cursor = await cursorOfNow(app, company.api)
    const answer = await work.post(`/lists/${list.id}/tasks`, { title: 'Chairs', due_at: '2027-01-31' })
    const { id } = answer.body.data
    expect([answer.status, answer.headers.get('x-ratelimit-limit'), answer.headers.get('location')]).toEqual([
      201,
      null,
      `/admin/v1/companies/${company.id}/records/tasks/${id}`,
    ])
    expect((await newDiscussion({ api: work }, project.id)).author).toBe('Huda Salem')
    expect((await work.delete(`/tasks/${id}`)).status).toBe(200)
    expect(await entriesAfter(app, company.api, cursor)).toMatchObject([
      { kind: 'task', change: 'created', actor: 'Huda Salem' },
      { kind: 'discussion', change: 'created', actor: 'Huda Salem' },
      { kind: 'task', change: 'deleted', actor: 'Huda Salem' },
    ])
    const [recorded] = (await company.admin.get('/changes?limit=1')).body.data
    expect(recorded).toMatchObject({ actor: 'Huda Salem', key: null })
    const [entry] = (await company.admin.get('/audit?limit=1')).body.data
    expect(entry).toMatchObject({
      operation: 'tasks:destructive',
      outcome: 'allowed',
      by: { kind: 'person', id: person.id },
    })
  })

  it('of a member is to create, change, complete, move and comment', async () => {
    const { project, list, task, work } = await atWork('member')
    const other = await newList({ api: work }, project.id, { title: 'Later' })
    expect((await work.patch(`/lists/${other.id}`, { title: 'Much later' })).status).toBe(200)
    expect((await work.patch(`/tasks/${task.id}`, { title: 'Renamed' })).body.data.title).toBe('Renamed')
    expect((await work.post(`/tasks/${task.id}/complete`)).body.data.completed).toBe(true)
    expect((await work.post(`/tasks/${task.id}/move`, { list_id: other.id })).body.data.task_list_id).toBe(other.id)
    const folder = (await created(work.post(`/projects/${project.id}/folders`, { name: 'Plans' }))).data
    const file = { name: 'a.md', content: '# A', folder_id: folder.id }
    const { data } = await created(work.post(`/projects/${project.id}/files`, file))
    expect(data).toMatchObject({ uploaded_by: 'Huda Salem', folder_id: folder.id })
    for (const address of [
      `/projects/${project.id}`,
      `/lists/${list.id}`,
      `/projects/${project.id}/folders/${folder.id}`,
    ])
      expectRefusal(await work.delete(address), 403, 'forbidden')
    const times = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
    expect((await work.post('/events', { name: 'My own', ...times })).body.data.organizer).toBe('Huda Salem')
  })

  it('is carried out once under an Idempotency-Key, for each person by themselves, and for the version that If-Match names', async () => {
    const { company, list, task, work } = await atWork('member')
    const colleague = recordsFor(company, (await app.diwan.person(company.id)).token)
    const once = (by: Client) => by.post(`/lists/${list.id}/tasks`, { title: 'Once' }, { 'idempotency-key': 'one' })
    const [first, again, theirs] = [await once(work), await once(work), await once(colleague)]
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body])
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(theirs.body.data.id).not.toBe(first.body.data.id)
    const { headers } = await work.get(`/tasks/${task.id}`)
    const options = { body: '{"title":"A"}', headers: { ...JSON_TYPE, 'if-match': headers.get('etag') as string } }
    expect((await work.send('PATCH', `/tasks/${task.id}`, options)).status).toBe(200)
    expectRefusal(await work.send('PATCH', `/tasks/${task.id}`, options), 412, 'precondition_failed')
  })

  it('goes on with every plan, without the API and without calls left; time tracking stays the plan’s', async () => {
    const { company, list, task, work } = await atWork('member', { daily_calls: 4 })
    expect((await company.api.get('/projects')).status).toBe(429)
    const answer = await work.get('/projects')
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null])
    expect((await company.admin.get('/usage?days=1')).body.data.at(-1)).toMatchObject({ calls: 4 })
    await app.diwan.operator.patch(`/companies/${company.id}`, { plan: 'free', rest_api: false })
    expect((await work.post(`/lists/${list.id}/tasks`, { title: 'x' })).status).toBe(201)
    expectRefusal(await work.post(`/tasks/${task.id}/time`, { time_spent: '1:00' }), 403, 'plan_upgrade_required')
  })

  it('is frozen with the subscription and in an archived project, and may still be read', async () => {
    const { company, project, list, work } = await atWork('manager')
    const write = () => work.post(`/lists/${list.id}/tasks`, { title: 'x' })
    await work.post(`/projects/${project.id}/archive`)
    expectRefusal(await write(), 403, 'forbidden')
    expect((await work.post(`/projects/${project.id}/unarchive`)).status).toBe(200)
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expectRefusal(await write(), 403, 'forbidden')
    expect((await work.get('/projects')).status).toBe(200)
  })

  it('ends with the person’s right to it: a manager who becomes a member, and a member who is dismissed', async () => {
    const { company, project, list, work, person } = await atWork('manager')
    expect((await work.patch(`/projects/${project.id}`, { name: 'Renamed' })).status).toBe(200)
    await company.admin.patch(`/users/${person.id}`, { role: 'member' })
    expectRefusal(await work.patch(`/projects/${project.id}`, { name: 'Again' }), 403, 'forbidden')
    await company.admin.patch(`/users/${person.id}`, { active: false })
    expect((await work.post(`/lists/${list.id}/tasks`, { title: 'x' })).status).toBe(401)
  })
})

describe('GET …/records/me/rights', () => {
  const rightsOf = async (client: Client, ref: string, query = '') => {
    const { status, body } = await client.get(`/me/rights?of=${ref}${query}`)
    expect([ref, status]).toEqual([ref, 200])
    return body.data
  }
  const ADDRESSES = { task: 'tasks', discussion: 'discussions', file: 'files', list: 'lists' } as const
  const KINDS = Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[]
  const MADE = ['task', 'discussion', 'file'] as const

  /** A company whose owner made one of everything, and a member who did too. */
  async function furnish() {
    const furnished = await atWork('member')
    const { company, project, list, task, discussion, work } = furnished
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const by = { api: work }
    const others = {
      list: list.id,
      task: task.id,
      discussion: discussion.id,
      file: (await newLink(company, project.id)).ref,
    }
    const own = {
      list: (await newList(by, project.id)).id,
      task: (await newTask(by, list.id)).id,
      discussion: (await newDiscussion(by, project.id)).id,
      file: (await newLink(by, project.id, { name: 'Mine' })).ref,
    }
    return { ...furnished, own, others, leader: recordsFor(company, manager.token) }
  }

  it('says what the deletion itself decides: of members what they made, of leaders anything', async () => {
    const { company, work, leader, own, others, list } = await furnish()
    const byColleague = recordsFor(company, (await app.diwan.person(company.id)).token)
    const put = await created(byColleague.put(`/lists/${list.id}/tasks/ext:y`, { title: 'x' }))
    expect((await work.put(`/lists/${list.id}/tasks/ext:y`, { title: 'Taken over' })).status).toBe(200)
    const asked: [Client, string, string, boolean][] = [
      [work, 'tasks', put.data.id, false],
      ...MADE.map((kind): [Client, string, string, boolean] => [work, ADDRESSES[kind], own[kind], true]),
      ...KINDS.map((kind): [Client, string, string, boolean] => [work, ADDRESSES[kind], others[kind], false]),
      [work, 'lists', own.list, false],
      ...KINDS.map((kind): [Client, string, string, boolean] => [leader, ADDRESSES[kind], others[kind], true]),
    ]
    for (const [client, kind, ref, may] of asked) {
      expect([kind, ref, await rightsOf(client, ref)]).toEqual([kind, ref, { delete: may }])
      expect([kind, ref, (await client.delete(`/${kind}/${ref}`)).status]).toEqual([kind, ref, may ? 200 : 403])
    }
    // Once it was restored, it is their own again.
    await company.admin.post(`/trash/${own.discussion}/restore`)
    expect((await byColleague.delete(`/discussions/${own.discussion}`)).status).toBe(403)
    expect((await work.delete(`/discussions/${own.discussion}`)).status).toBe(200)
  })

  it('is no for everybody in an archived project, and with a read-only subscription', async () => {
    const { company, work, leader, own, project, others } = await furnish()
    const comment = (await newComment({ api: work }, `/tasks/${own.task}`)).id
    const rights = async () => [
      await rightsOf(work, own.task, `&comment=${comment}`),
      await rightsOf(leader, others.discussion),
      await rightsOf(leader, others.file),
    ]
    const frozen = [{ delete: false, comments: [] }, { delete: false }, { delete: false }]
    const open = [{ delete: true, comments: [comment] }, { delete: true }, { delete: true }]
    expect(await rights()).toEqual(open)
    await leader.post(`/projects/${project.id}/archive`)
    expect(await rights()).toEqual(frozen)
    await leader.post(`/projects/${project.id}/unarchive`)
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expect(await rights()).toEqual(frozen)
  })

  it('finds nothing where there is nothing, where it is hidden, and where it is no record of this kind', async () => {
    const { company, work, others, project } = await furnish()
    const hidden = await app.diwan.project(company, { name: 'Secret', is_public: false })
    const secret = (await newDiscussion(company, hidden.id)).id
    for (const ref of ['tsk-0000000000', secret, project.id, 'nonsense', '%F0%9F%98%80', 'tsk-', `${others.task}x`])
      expectRefusal(await work.get(`/me/rights?of=${ref}`), 404, 'not_found')
    expectRefusal(await work.get('/me/rights'), 422, 'unprocessable_entity', "of can't be blank")
  })

  it('names the comments on a record that the caller wrote, and so may edit', async () => {
    const { company, work, leader, others } = await furnish()
    for (const [kind, other] of [
      ['task', others.discussion],
      ['discussion', others.task],
    ] as const) {
      const address = `/${ADDRESSES[kind]}/${others[kind]}`
      const theirs = (await newComment(company, address)).id
      const mine = (await newComment({ api: work }, address)).id
      const asked = `&comment=${theirs}&comment=${mine}&comment=nonsense&comment=999999999`
      const answers = [
        await rightsOf(work, others[kind], asked),
        await rightsOf(leader, others[kind], asked),
        await rightsOf(work, other, asked),
      ]
      expect(answers.map(({ comments }) => comments)).toEqual([[mine], [], []])
      const edit = async (id: number) => (await work.patch(`${address}/comments/${id}`, { content: 'Changed' })).status
      expect([await edit(theirs), await edit(mine)]).toEqual([403, 200])
    }
    const many = await work.get(`/me/rights?of=${others.task}${'&comment=1'.repeat(101)}`)
    expectRefusal(many, 422, 'unprocessable_entity')
  })
})

describe('My tasks, notifications and events', () => {
  it('are the tasks assigned to me, with the filters of the other lists', async () => {
    const { company, list, work, person } = await atWork('member')
    const mine = await newTask(company, list.id, { assignee_email: person.email, due_at: '2027-01-01' })
    const done = await newTask(company, list.id, { assignee_email: person.email })
    await newTask(company, list.id, { assignee_email: company.owner.email })
    await company.api.post(`/tasks/${done.id}/complete`)
    expect(idsIn(await work.get('/me/tasks'))).toEqual([mine.id, done.id])
    expect(idsIn(await work.get('/me/tasks?completed=false&sort=due&due_to=2027-12-31'))).toEqual([mine.id])
    expectRefusal(await work.get('/me/tasks?sort=nonsense'), 422, 'unprocessable_entity')
    const ignored = await work.get(`/me/tasks?assignee_email=${company.owner.email}`)
    expect([ignored.body.data.length, ignored.headers.get('x-ignored-parameters')]).toEqual([2, 'assignee_email'])
  })

  it('are read up to one of them, and counted in GET /me', async () => {
    const { company, project, work, person } = await atWork('member')
    for (const title of ['One', 'Two', 'Three']) await newDiscussion(company, project.id, { title })
    await tellPeople(app)
    const me = app.diwan.client('/admin/v1', person.token)
    const unread = async () => (await me.get('/me')).body.data.unread_notifications
    const { data } = (await work.get('/me/notifications?limit=3')).body
    expect(data).toMatchObject(
      ['Three', 'Two', 'One'].map(title => ({
        kind: 'discussion_created',
        project_id: project.id,
        actor: company.owner.name,
        subject: { title },
        read_at: null,
      })),
    )
    expect(await unread()).toBe(4)
    const read = (up_to?: number) => work.post('/me/notifications/read', { up_to })
    expect(await read(data[1].id)).toMatchObject({ status: 200, body: { data: { unread_notifications: 1 } } })
    expect((await work.get('/me/notifications?unread=true')).body.data).toMatchObject([{ subject: { title: 'Three' } }])
    expect((await work.get('/me/notifications')).body.data[2].read_at).not.toBeNull()
    expectRefusal(await read(), 422, 'unprocessable_entity')
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expect([(await read(data[0].id)).body.data.unread_notifications, await unread()]).toEqual([0, 0])
  })

  it('are the own events that take place in a period of the company’s days, also if they started earlier', async () => {
    const company = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    const work = recordsFor(company, company.ownerToken)
    for (const [name, starts_at, ends_at, all_day] of [
      ['Fair', '2030-01-28', '2030-02-03', true],
      ['Night shift', '2030-01-31T22:00', '2030-02-01T02:00', false],
      ['Lunch', '2030-02-14T12:00', '2030-02-14T13:00', false],
      ['Ended', '2030-01-31T09:00', '2030-01-31T23:59', false],
      ['Last evening', '2030-02-28T21:00', '2030-03-01T01:00', false],
      ['March', '2030-03-01T00:00', '2030-03-01T01:00', false],
    ])
      await created(work.post('/events', { name, starts_at, ends_at, all_day }))
    const february = '/me/events?from=2030-02-01&to=2030-02-28'
    for (const [path, names] of [
      [february, ['Fair', 'Night shift', 'Lunch', 'Last evening']],
      ['/me/events?from=2030-02-04&to=2030-02-13', []],
      // The last day of an all-day event is one of its days.
      ['/me/events?from=2030-02-03&to=2030-02-03', ['Fair']],
      ['/me/events', ['Fair', 'Ended', 'Night shift', 'Lunch', 'Last evening', 'March']],
    ] as const)
      expect([path, namesIn(await work.get(path))]).toEqual([path, names])
    const { meta } = (await work.get(`${february}&limit=3`)).body
    expect(meta).toMatchObject({ total: 4, count: 3 })
    expect(namesIn(await work.get(`${february}&limit=3&cursor=${meta.next_cursor}`))).toEqual(['Last evening'])
    expectRefusal(await work.get('/me/events?from=nonsense'), 422, 'unprocessable_entity')
    const { token } = await app.diwan.person(company.id)
    expect(namesIn(await recordsFor(company, token).get(february))).toEqual([])
  })
})

describe('A stream of somebody who is signed in', () => {
  const streams: Listening[] = []
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave()
  })

  /** Somebody with a role who follows the feed of their company in a browser and with a token. */
  async function follower(role: 'owner' | 'manager' | 'member') {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { role })
    const session = await signIn(app.diwan, { token: person.token })
    const listen = async (headers: Record<string, string>) => {
      const stream = await listenTo(`${app.url}/admin/v1/companies/${company.id}/records/company/changes`, headers)
      streams.push(stream)
      return stream
    }
    const inBrowser = await listen({ cookie: session.cookie })
    const withToken = await listen({ authorization: `Bearer ${person.token}` })
    return { company, person, session, listen, inBrowser, withToken }
  }
  type Follower = Awaited<ReturnType<typeof follower>>
  /** Nothing is written meanwhile, so that no entry of the feed can be the reason. By itself it would stay open for an hour. */
  const endsAtOnce = (stream: Listening) => until(async () => stream.ended(), 20_000)

  it('ends with the session, and only that one', async () => {
    const { session, inBrowser, withToken, listen } = await follower('member')
    const operators = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const operator = await listen({ cookie: operators.cookie })
    for (const { browser } of [session, operators]) await browser.delete('/sessions/current')
    await Promise.all([endsAtOnce(inBrowser), endsAtOnce(operator)])
    expect(withToken.ended()).toBe(false)
  })

  it.each<[string, (follower: Follower) => Promise<Answer>]>([
    [
      'their token is revoked',
      async ({ company: { admin }, person: { id } }) =>
        admin.delete(`/users/${id}/tokens/${(await admin.get(`/users/${id}/tokens`)).body.data[0].id}`),
    ],
    ['they are dismissed', ({ company, person }) => company.admin.patch(`/users/${person.id}`, { active: false })],
    [
      'the company is closed',
      async ({ company: { id, admin } }) =>
        app.diwan.operator.post(`/companies/${id}/close`, { name: (await admin.get('')).body.data.name }),
    ],
  ])('ends when %s, also in the browser', async (_, end) => {
    const following = await follower('manager')
    expect((await end(following)).status).toBe(200)
    await Promise.all([endsAtOnce(following.inBrowser), endsAtOnce(following.withToken)])
  })

  it('shows a leader who became a member nothing more of private projects', async () => {
    const { company, person, inBrowser } = await follower('manager')
    const [closed, shared] = [await app.diwan.project(company, { is_public: false }), await app.diwan.project(company)]
    const secret = await newTask(company, (await newList(company, closed.id)).id)
    await until(async () => inBrowser.changes.some(({ id }) => id === secret.id))
    await company.admin.patch(`/users/${person.id}`, { role: 'member' })
    const count = inBrowser.changes.length
    await company.api.post(`/tasks/${secret.id}/complete`)
    const { id: last } = await newList(company, shared.id)
    await until(async () => inBrowser.changes.some(({ id }) => id === last))
    expect(inBrowser.changes.slice(count).map(({ id }) => id)).toEqual([last])
  })

  it('is one of five at most, whichever credential opened them', async () => {
    const { company, person, listen } = await follower('member')
    for (let n = 0; n < 3; n++) await listen({ authorization: `Bearer ${person.token}` })
    const sixth = await person.admin.get('/records/company/changes', { accept: 'text/event-stream' })
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '10'])
    const other = await app.diwan.person(company.id)
    expect((await listen({ authorization: `Bearer ${other.token}` })).status).toBe(200)
  })
})
