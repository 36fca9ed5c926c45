import { beforeAll, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import { mailNotification } from '../../src/jobs/mail-notification.ts'
import { SERVER_SECRET, useApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter, feedSettled } from '../support/feed.ts'
import {
  type GeneratedRequest,
  generateRequest,
  type Known,
  withNames,
  withoutNames,
} from '../support/generated-requests.ts'
import { furnishNamed, missingFor, type Names, numberFromHigh } from '../support/hidden-work.ts'
import { listenTo } from '../support/listening.ts'
import { startMailServer } from '../support/mail-server.ts'
import { drawsFrom } from '../support/random.ts'
import { until } from '../support/servers.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
const COMPANY = '/companies/:company'

/** Every endpoint that people work with, and every read of the administration of a company. */
const ENDPOINTS = [
  ...workEndpoints,
  ...adminEndpoints.filter(({ at }) => at.every(address => address.startsWith(`${COMPANY}/records/`))),
  ...adminEndpoints.filter(({ method, at }) => method === 'GET' && at.every(address => address.startsWith(COMPANY))),
].flatMap(({ name, method, at, query, body }) =>
  at.map(address => ({
    name,
    method,
    at: [address.slice(COMPANY.length)],
    ...(query && { query }),
    ...(body && { body }),
  })),
)

const HIDDEN = ['Zuhalstar', 'Mirrikhstar'] as const
type Person = Awaited<ReturnType<typeof app.diwan.person>>
let company: TestCompany
let member: Person
/** The member, at everything of the company and at its records. */
let admin: Client
let work: Client
let known: Known
let open: Names
/** A project that was never the member's, and one that they worked in until they were removed from it. */
let never: Names
let lost: Names
let firstCursor: string

const secretsIn = (text: string) => {
  const refs = [never, lost].flatMap(names => Object.values(names).filter(name => /^[a-z]{3}-/.test(name)))
  return [...HIDDEN, ...refs].filter(secret => text.toLowerCase().includes(secret.toLowerCase()))
}
const named = (names: Names, key: string) => names[key] as string

beforeAll(async () => {
  await numberFromHigh(app)
  company = await app.diwan.company()
  member = await app.diwan.person(company.id)
  admin = member.admin
  work = app.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
  firstCursor = await cursorOfNow(app, work)
  const project = (word: string, is_public: boolean) =>
    app.diwan.project(company, { name: `${word} project`, is_public, external_id: `${word}-project` })
  open = await furnishNamed(company, await project('Common', true), 'Common')
  never = await furnishNamed(company, await project(HIDDEN[0], false), HIDDEN[0])
  const left = await project(HIDDEN[1], false)
  const membership = `/projects/${left.id}/members`
  await company.admin.post(membership, { user_id: member.id })
  lost = await furnishNamed(company, left, HIDDEN[1], work)
  await company.api.patch(`/tasks/${lost['task.ref']}`, { assignee_email: member.email })
  await company.admin.delete(`${membership}/${member.id}`)
  // Hidden records that are newer and match better must not push out what the member sees.
  for (let n = 0; n < 26; n++) await newTask(company, named(never, 'list.ref'), { title: 'Common', notes: HIDDEN[0] })
  await tellPeople(app)
  await feedSettled(app.database.pool)
  known = { open, emails: [member.email, company.owner.email], ...(await knownOfTheOwner()) }
})

/** The member's colleague was careless: entity tags, cursors and an Idempotency-Key of the owner are known. */
async function knownOfTheOwner() {
  const owner = (path: string) => company.admin.get(`/records${path}`)
  const [task, list] = [`/tasks/${never['task.ref']}`, `/lists/${never['list.ref']}`]
  const tags = (await Promise.all([task, `${list}/tasks`].map(owner))).map(({ headers }) => headers.get('etag'))
  const pages = await Promise.all(['/company/tasks?limit=1', '/projects?limit=1', `${list}/tasks?limit=1`].map(owner))
  const idempotencyKey = 'the-owners'
  const comment = { content: HIDDEN[0] }
  await company.admin.post(`/records${list}/comments`, comment, { 'idempotency-key': idempotencyKey })
  return {
    tags: ['*', ...(tags as string[])],
    cursors: [firstCursor, ...pages.map(({ body }) => body.meta.next_cursor as string)],
    idempotencyKey,
  }
}

/** Everything that lies in the hidden projects, and what happened there. */
async function hiddenRows(): Promise<string> {
  const refs = [never, lost].map(names => names['project.ref'])
  const inProjects = 'project_id in (select id from projects where ref = any ($1))'
  const comments = `comments where task_list_id in (select id from task_lists where ${inProjects})
    or task_id in (select id from tasks where ${inProjects}) or discussion_id in (select id from discussions where ${inProjects})`
  const sources = [
    'projects where ref = any ($1)',
    ...['task_lists', 'tasks', 'discussions', 'folders', 'files', 'project_members'].map(
      table => `${table} where ${inProjects}`,
    ),
    comments,
    `comment_attachments where comment_id in (select id from ${comments})`,
    `discussion_subscriptions where discussion_id in (select id from discussions where ${inProjects})`,
    'changes where project_id = any ($1) or left_project_id = any ($1)',
  ]
  const rows: unknown[] = []
  for (const source of sources)
    rows.push(
      (await app.database.pool.query(`select r::text from (select * from ${source}) r order by 1`, [refs])).rows,
    )
  return JSON.stringify(rows)
}

const OF_THE_MOMENT = ['date', 'x-request-id', 'keep-alive']

/** An answer to a member, with the names that were sent taken out. A search repeats them, so its tag depends on them. */
async function told({ method, path, headers, body }: GeneratedRequest, names: Names) {
  const answer = await admin.send(method, withNames(path, names), {
    headers,
    // A number that stands for a hidden id is sent as a number.
    ...(body !== undefined && { body: withNames(body.replace(/"(⟦[\w.]+\.id⟧)"/g, '$1'), names) }),
  })
  const ignored = path.includes('/search') ? [...OF_THE_MOMENT, 'etag'] : OF_THE_MOMENT
  const kept = [...answer.headers].filter(([name]) => !ignored.includes(name))
  return {
    status: answer.status,
    headers: kept.map(([name, value]) => `${name}: ${withoutNames(value, names)}`).sort(),
    text: withoutNames(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body), names),
  }
}

describe('A record of a project that a member does not see', () => {
  it('is nowhere in what goes across projects, and takes no place there', async () => {
    const [secret] = HIDDEN
    for (const address of [
      '/projects?include_archived=true',
      `/projects?external_id=${secret}-project`,
      '/company/tasks?include_archived=true&limit=100',
      `/company/tasks?external_id=${secret}-task`,
      `/company/tasks?metadata[word]=${secret}`,
      '/company/tasks?sort=-updated&unassigned=true&completed=false',
      '/me/tasks',
      '/me/events',
      '/me/today',
      '/me/notifications',
      `/search?q=${secret}`,
      '/search?q=task&types=task',
      `/company/changes?after=${firstCursor}`,
      '/events',
    ]) {
      const { status, body } = await work.get(address)
      const shown = JSON.stringify({ ...body.data, query: undefined })
      expect([address, status, secretsIn(shown)]).toEqual([address, 200, []])
      if (body.meta?.total !== undefined) expect([address, body.meta.total]).toEqual([address, body.data.length])
    }
    for (const project of [named(never, 'project.ref'), named(never, 'project.slug')]) {
      const [there, missing] = [
        await work.get(`/company/tasks?project=${project}`),
        await work.get('/company/tasks?project=no-such'),
      ]
      expect(there.body.error.message.replace(project, 'no-such')).toBe(missing.body.error.message)
    }
    const found = async (query: string) => (await work.get(`/search?q=Common&${query}`)).body.data.results
    expect(await found('types=task&per_type=1')).toMatchObject([{ title: 'Common task' }])
    const types = (await found('')).map(({ type }: { type: string }) => type)
    expect(types).toEqual(['project', 'task_list', 'task', 'folder', 'file', 'discussion'])
  })

  it('takes no task, gives no file, and keeps its external ids to itself', async () => {
    const list = open['list.ref']
    const before = await hiddenRows()
    const { id } = await newTask({ api: work }, named(open, 'list.ref'))
    const move = (list_id: string) => work.post(`/tasks/${id}/move`, { list_id })
    const [moved, nowhere] = [await move(named(never, 'list.ref')), await move('lst-0000000000')]
    expect([moved.status, moved.body]).toEqual([422, nowhere.body])
    const attached = await work.post(`/tasks/${id}/comments`, { content: 'x', attachments: [never['file.ref']] })
    expect([attached.status, attached.body.error.code]).toEqual([422, 'unprocessable_entity'])
    const external_id = never['task.ext']
    for (const answer of [
      await work.post(`/lists/${list}/tasks`, { title: 'x', external_id }),
      await work.patch(`/tasks/${id}`, { external_id }),
      await work.put(`/lists/${list}/tasks/ext:${external_id}`, { title: 'Taken over' }),
      await work.post(`/lists/${list}/tasks/batch`, { tasks: [{ title: 'x', external_id }] }),
    ]) {
      expect([answer.status, answer.body.error.code, answer.body.error.id]).toEqual([409, 'conflict', undefined])
      expect(JSON.stringify(answer.body)).not.toContain(never['task.ref'])
    }
    const batch = (task: string) => work.post('/company/tasks/batch', { changes: [{ task, do: 'complete' }] })
    expect([(await batch(named(never, 'task.ref'))).status, (await batch('tsk-0000000000')).status]).toEqual([404, 404])
    expect(await hiddenRows()).toBe(before)
  })

  it('is there from the moment that they are added to the project', async () => {
    const [address, members] = [`/tasks/${never['task.ref']}`, `/projects/${never['project.ref']}/members`]
    await company.admin.post(members, { user_id: member.id })
    expect([(await work.get(address)).status, (await work.patch(address, { notes: 'Seen' })).status]).toEqual([
      200, 200,
    ])
    expect((await work.get(`/search?q=${HIDDEN[0]}&types=project&types=file`)).body.data.results).toHaveLength(2)
    await company.admin.delete(`${members}/${member.id}`)
    expect((await work.get(address)).status).toBe(404)
  })
})

describe('A record that leaves the sight of a member', () => {
  it('is a deleted task in their feed when it is moved away, and a moved one for leaders', async () => {
    const task = await newTask(company, named(open, 'list.ref'))
    const cursor = await cursorOfNow(app, work)
    await company.api.post(`/tasks/${task.id}/move`, { list_id: never['list.ref'] })
    await company.api.post(`/tasks/${task.id}/complete`)
    const data = await entriesAfter(app, work, cursor)
    const [project_id, parent_id] = [open['project.ref'], open['list.ref']]
    expect(data).toMatchObject([{ kind: 'task', change: 'deleted', id: task.id, project_id, parent_id, fields: null }])
    const leader = await company.admin.get(`/records/company/changes?after=${cursor}`)
    expect(leader.body.data.map(({ change }: { change: string }) => change)).toEqual(['moved', 'completed'])
  })

  it('takes its files with it: a comment that they see names no ref of a hidden one', async () => {
    const task = await newTask(company, named(never, 'list.ref'))
    await newComment(company, `/tasks/${task.id}`, { attachments: [never['file.ref']] })
    await company.api.post(`/tasks/${task.id}/move`, { list_id: open['list.ref'] })
    const [mine] = (await work.get(`/tasks/${task.id}/comments`)).body.data
    const [theirs] = (await company.api.get(`/tasks/${task.id}/comments`)).body.data
    expect([mine.attachment_refs, theirs.attachment_refs]).toEqual([[null], [never['file.ref']]])
  })

  it('takes its notifications with it, read and unread', async () => {
    const closed = await app.diwan.project(company, { name: 'Closed soon' })
    await newDiscussion(company, closed.id, { title: 'Only for us' })
    await tellPeople(app)
    const unread = async () =>
      (await app.diwan.client('/admin/v1', member.token).get('/me')).body.data.unread_notifications
    const seen = async () => [
      JSON.stringify((await work.get('/me/notifications')).body.data).includes('Only for us'),
      JSON.stringify((await admin.get('/notifications')).body.data).includes('Only for us'),
    ]
    const earlier = await unread()
    expect(await seen()).toEqual([true, true])
    await company.api.patch(`/projects/${closed.id}`, { is_public: false })
    expect([await seen(), await unread()]).toEqual([[false, false], earlier - 1])
  })
})

/** A member who works in a private project and in a public one, and can be removed from the first. */
async function betweenTwo() {
  const company = await app.diwan.company()
  const member = await app.diwan.person(company.id)
  const work = app.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
  const closed = await app.diwan.project(company, { name: 'Closed', is_public: false })
  const open = await app.diwan.project(company, { name: 'Open' })
  await company.admin.post(`/projects/${closed.id}/members`, { user_id: member.id })
  const lists = { closed: await newList(company, closed.id), open: await newList(company, open.id) }
  const remove = () => company.admin.delete(`/projects/${closed.id}/members/${member.id}`)
  return { company, member, work, closed, open, lists, remove }
}

describe('A member who is removed from a project', () => {
  it('loses it at once: in their stream, in search and among their tasks', async () => {
    const { company, member, work, lists, remove } = await betweenTwo()
    const task = await newTask(company, lists.closed.id, { title: 'Ledger', assignee_email: member.email })
    const shared = await newTask(company, lists.open.id)
    await feedSettled(app.database.pool)
    const url = `${app.url}/admin/v1/companies/${company.id}/records/company/changes`
    const stream = await listenTo(url, { authorization: `Bearer ${member.token}` })
    const seen = async () => [
      (await work.get('/search?q=Ledger')).body.data.results.length,
      (await work.get('/me/tasks')).body.meta.total,
      (await work.get('/company/tasks')).body.meta.total,
    ]
    expect(await seen()).toEqual([1, 1, 2])
    await remove()
    expect(await seen()).toEqual([0, 0, 1])
    await company.api.post(`/tasks/${task.id}/complete`)
    await company.api.post(`/tasks/${shared.id}/move`, { list_id: lists.closed.id })
    const last = await newTask(company, lists.open.id)
    await until(async () => stream.changes.some(({ id }) => id === last.id))
    stream.leave()
    expect(stream.changes).toMatchObject([
      { id: shared.id, change: 'deleted' },
      { id: last.id, change: 'created' },
    ])
  })

  it('cannot tell whether a file is still there that they once attached', async () => {
    const { company, work, closed, lists, remove } = await betweenTwo()
    const files = [await newLink({ api: work }, closed.id), await newLink({ api: work }, closed.id, { name: 'Other' })]
    const [kept, deleted] = files.map(({ ref }) => ref) as [string, string]
    const task = await newTask({ api: work }, lists.closed.id)
    const { id } = await newComment({ api: work }, `/tasks/${task.id}`, { attachments: [kept, deleted] })
    await company.api.post(`/tasks/${task.id}/move`, { list_id: lists.open.id })
    const edit = (body: object) => work.patch(`/tasks/${task.id}/comments/${id}`, body)
    expect((await edit({ attachments: [kept] })).status).toBe(200)
    await remove()
    await company.api.delete(`/files/${deleted}`)
    const said = ({ status, body }: Answer, ref: string) => [status, body.error.message.replace(ref, '…')]
    const [hidden, missing] = [await edit({ attachments: [kept] }), await edit({ attachments: [deleted] })]
    expect(said(hidden, kept)).toEqual(said(missing, deleted))
    expect((await edit({ content: 'Still mine' })).status).toBe(200)
  })

  it('gets no mail that waits about it, and those who still see it do', async () => {
    const { company, member, closed, open, remove } = await betweenTwo()
    const colleague = await app.diwan.person(company.id)
    await company.admin.post(`/projects/${closed.id}/members`, { user_id: colleague.id })
    const mail = await startMailServer({ passingOverInvitations: true })
    const mailer = createSmtpMailer(mail.url, 'Diwan <diwan@example.com>')
    const parts = { db: app.database.db, mailer, encryption: createEncryption(SERVER_SECRET), publicUrl: () => app.url }
    /** Does the worker's part with the mails of the company. */
    const deliver = async () => {
      const { rows } = await app.database.pool.query(
        `select n.id from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
         where n.company_id = $1 and w.kind <> 'invitation' order by n.id`,
        [company.id],
      )
      mail.received.length = 0
      for (const row of rows) await mailNotification(parts, { company_id: company.id, notification_id: row.id })
      return mail.received.flatMap(({ to }) => to).sort()
    }
    await newDiscussion(company, closed.id, { title: 'Salaries' })
    await tellPeople(app)
    await remove()
    expect(await deliver()).toEqual([colleague.email])
    await newDiscussion(company, open.id, { title: 'Lunch' })
    await tellPeople(app)
    expect(await deliver()).toEqual([member.email, colleague.email].sort())
    mailer.close()
    await mail.down()
  })
})

/** At the end, because much of what is in sight is changed. */
describe('A hidden record', () => {
  // Each endpoint is asked once in each of them.
  it.each([1, 2, 3, 4])(
    'is as if it did not exist, whatever is asked for, and stays as it is: round %i',
    async round => {
      const before = await hiddenRows()
      const draw = drawsFrom(round)
      const choose = {
        one: <T>(of: readonly T[]) => of[Math.floor(draw() * of.length)] as T,
        in: (times: number) => draw() < 1 / times,
      }
      const names = round % 2 ? lost : never
      const statuses = new Set<number>()
      for (const endpoint of ENDPOINTS) {
        const request = generateRequest(choose, endpoint, known)
        const there = await told(request, names)
        statuses.add(there.status)
        expect([request, secretsIn(there.text + there.headers)]).toEqual([request, []])
        const isNamed = /⟦(?!fresh)/.test(`${request.path}${request.body}`)
        const missing = isNamed ? await told(request, missingFor(names)) : there
        const isWritten = request.method !== 'GET' && request.method !== 'HEAD' && there.status < 300
        // A record that was made each time has a ref and a time of its own.
        if (isWritten) expect([request, missing.status]).toEqual([request, there.status])
        else expect([request, there]).toEqual([request, missing])
      }
      // Requests that are always refused would prove nothing.
      expect([...statuses]).toEqual(expect.arrayContaining([200, 403, 404, 422]))
      expect(await hiddenRows()).toBe(before)
    },
  )
})
