import { beforeAll, describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter, feedSettled } from '../support/feed.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
const RECORDS = '/companies/:company/records'
const SECRET = 'Zuhal'

/** One of everything in a project, each with the word in its name. */
async function furnishProject(company: TestCompany, word: string, is_public: boolean) {
  const named = (n: number) => ({ external_id: `${word}-${n}` })
  const project = await app.diwan.project(company, { name: `${word} project`, is_public, ...named(1) })
  const list = await newList(company, project.id, { title: `${word} list`, ...named(1) })
  const task = await newTask(company, list.id, { title: `${word} task`, metadata: { word }, ...named(1) })
  const discussion = await newDiscussion(company, project.id, { title: `${word} talk`, ...named(1) })
  const folder = (await created(company.api.post(`/projects/${project.id}/folders`, { name: `${word} folder` }))).data
  const file = await newLink(company, project.id, { name: `${word} file` })
  const comments: Record<string, string> = {}
  for (const [on, address] of Object.entries({
    list: `/lists/${list.id}`,
    task: `/tasks/${task.id}`,
    discussion: `/discussions/${discussion.id}`,
  }))
    comments[on] = String((await newComment(company, address)).id)
  const names = {
    project: project.id,
    list: list.id,
    task: task.id,
    discussion: discussion.id,
    folder: String(folder.id),
    file: file.ref,
    external_id: `${word}-1`,
  }
  return { names, comments, slug: project.slug as string }
}
type Furnished = Awaited<ReturnType<typeof furnishProject>>

/** Names that no record has, of the same form. */
const MISSING: Furnished = {
  names: {
    project: 'prj-0000000000',
    list: 'lst-0000000000',
    task: 'tsk-0000000000',
    discussion: 'mjl-0000000000',
    folder: '987654321',
    file: 'fil-0000000000',
    external_id: 'nobody-1',
  },
  comments: { list: '987654321', task: '987654321', discussion: '987654321' },
  slug: 'no-such-project',
}

let company: TestCompany
let member: Awaited<ReturnType<typeof app.diwan.person>>
let work: Client
let hidden: Furnished
let open: Furnished
let before: string
beforeAll(async () => {
  company = await app.diwan.company()
  member = await app.diwan.person(company.id)
  work = app.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
  before = await cursorOfNow(app, work)
  hidden = await furnishProject(company, SECRET, false)
  open = await furnishProject(company, 'Public', true)
})

function fill(address: string, { names, comments }: Furnished, by: 'ref' | 'ext'): string {
  const commented = address.replace(/:(\w+)\/comments\/:comment/, (_, on) => `:${on}/comments/${comments[on]}`)
  // Flat addresses take an external id instead of a ref.
  if (by === 'ext')
    return commented
      .replace(/^\/(\w+)\/:\w+/, (_, plural) => `/${plural}/ext:${names.external_id}`)
      .replace(/:(\w+)/g, (all, name) => names[name as keyof typeof names] ?? all)
  return commented.replace(/:(\w+)/g, (all, name) => names[name as keyof typeof names] ?? all)
}

/** An answer without what the caller sent: the handle in a message, and what differs with every request. */
function said({ status, body, headers }: Answer, { names, comments, slug }: Furnished) {
  let text = JSON.stringify(body)
  for (const name of [...Object.values(names), ...Object.values(comments), slug])
    text = text.replaceAll(String(name), '…')
  const {
    'x-request-id': _id,
    date: _date,
    'content-length': _length,
    etag: _etag,
    ...rest
  } = Object.fromEntries(headers)
  return { status, text: text.replace(/"request_id":"[^"]+"/, ''), headers: Object.keys(rest).sort() }
}

const BODIES = [
  undefined,
  {},
  { title: 'x', name: 'x', content: 'x', list_id: 'lst-0000000000', time_spent: '1:00' },
  { title: 'x', name: 'x.md', content: 'x', attachments: ['fil-0000000000'], external_id: 'new', metadata: { a: 'b' } },
]
const QUERIES = ['', '?limit=1', '?limit=none&sort=nonsense', '?folder_id=1&parent_folder_id=1']

const asJson = (body: unknown, headers: Record<string, string>) =>
  body === undefined
    ? { headers }
    : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }

const ADDRESSED = workEndpoints.flatMap(({ method, at }) =>
  at
    .map(address => address.slice(RECORDS.length))
    .filter(address => /:(project|list|task|discussion|folder|file)\b/.test(address))
    .map(address => ({ method, address })),
)

describe('A private project that is not mine', () => {
  it.each(ADDRESSED)('is one that does not exist: $method $address', async ({ method, address }) => {
    const ways =
      address.split('/').length <= 3 || /^\/\w+\/:\w+\/\w+$/.test(address)
        ? (['ref', 'ext'] as const)
        : (['ref'] as const)
    for (const way of ways)
      for (const variant of method === 'GET' ? QUERIES : BODIES)
        for (const headers of [{}, { 'if-match': '"x"' }] as Record<string, string>[]) {
          const ask = async (furnished: Furnished) => {
            const path = fill(address, furnished, way)
            const answer =
              method === 'GET'
                ? await work.get(`${path}${variant}`, headers)
                : await work.send(method, path, asJson(variant, headers))
            return said(answer, furnished)
          }
          const [there, missing] = [await ask(hidden), await ask(MISSING)]
          expect([way, variant, headers, there]).toEqual([way, variant, headers, missing])
          expect(there.status).toBeGreaterThanOrEqual(403)
        }
  })

  it('is nowhere in what goes across projects', async () => {
    const secrets = [SECRET, ...Object.values(hidden.names).filter(name => name.includes('-'))]
    await feedSettled(app.database.pool)
    for (const address of [
      '/projects?include_archived=true',
      `/projects?external_id=${SECRET}-1`,
      '/company/tasks?include_archived=true',
      `/company/tasks?external_id=${SECRET}-1`,
      `/company/tasks?metadata[word]=${SECRET}`,
      '/company/tasks?sort=-updated',
      '/company/tasks?unassigned=true&completed=false',
      '/me/tasks',
      '/me/events',
      '/me/today',
      '/me/notifications',
      `/search?q=${SECRET}`,
      '/search?q=project',
      '/search?q=task&types=task',
      `/company/changes?after=${before}`,
      '/events',
    ]) {
      const { status, body } = await work.get(address)
      expect([address, status]).toEqual([address, 200])
      const shown = JSON.stringify({ ...body.data, query: undefined })
      expect([address, secrets.filter(secret => shown.includes(secret))]).toEqual([address, []])
      if (body.meta?.total !== undefined) expect([address, body.meta.total]).toEqual([address, body.data.length])
    }
    for (const project of [hidden.names.project, hidden.slug]) {
      const [there, missing] = [
        await work.get(`/company/tasks?project=${project}`),
        await work.get('/company/tasks?project=no-such'),
      ]
      expect(there.body.error.message.replace(project, 'no-such')).toBe(missing.body.error.message)
    }
    const found = (await work.get('/search?q=Public')).body.data.results
    expect(found.map(({ type }: { type: string }) => type)).toEqual([
      'project',
      'task_list',
      'task',
      'folder',
      'file',
      'discussion',
    ])
  })

  it('takes no task, gives no file, and keeps its external ids to itself', async () => {
    const own = (await created(work.post(`/lists/${open.names.list}/tasks`, { title: 'Mine' }))).data
    const moved = await work.post(`/tasks/${own.id}/move`, { list_id: hidden.names.list })
    const nowhere = await work.post(`/tasks/${own.id}/move`, { list_id: 'lst-0000000000' })
    expect([moved.status, moved.body.error.message]).toEqual([422, nowhere.body.error.message])
    const attached = await work.post(`/tasks/${own.id}/comments`, { content: 'x', attachments: [hidden.names.file] })
    expect([attached.status, attached.body.error.code]).toEqual([422, 'unprocessable_entity'])
    const stored = (await company.api.get(`/tasks/${hidden.names.task}`)).body
    for (const answer of [
      await work.post(`/lists/${open.names.list}/tasks`, { title: 'x', external_id: `${SECRET}-1` }),
      await work.patch(`/tasks/${own.id}`, { external_id: `${SECRET}-1` }),
      await work.put(`/lists/${open.names.list}/tasks/ext:${SECRET}-1`, { title: 'Taken over' }),
      await work.post(`/lists/${open.names.list}/tasks/batch`, { tasks: [{ title: 'x', external_id: `${SECRET}-1` }] }),
    ]) {
      expect([answer.status, answer.body.error.code, answer.body.error.id]).toEqual([409, 'conflict', undefined])
      expect(JSON.stringify(answer.body)).not.toContain(hidden.names.task)
    }
    expect((await company.api.get(`/tasks/${hidden.names.task}`)).body).toEqual(stored)
    const batch = (ref: string) => work.post('/company/tasks/batch', { changes: [{ task: ref, complete: true }] })
    const [there, missing] = [await batch(hidden.names.task), await batch(MISSING.names.task)]
    expect(said(there, hidden)).toEqual(said(missing, MISSING))
    expect((await company.api.get(`/tasks/${hidden.names.task}`)).body).toEqual(stored)
  })

  it('is there from the moment that I am added, and gone when I am removed', async () => {
    const address = `/tasks/${hidden.names.task}`
    const members = `/projects/${hidden.names.project}/members`
    expect((await company.admin.post(members, { user_id: member.id })).status).toBeLessThan(300)
    expect((await work.get(address)).status).toBe(200)
    expect((await work.patch(address, { notes: 'Seen' })).status).toBe(200)
    expect((await work.get(`/search?q=${SECRET}`)).body.data.results).toHaveLength(6)
    expect((await company.admin.delete(`${members}/${member.id}`)).status).toBe(200)
    expect((await work.get(address)).status).toBe(404)
  })
})

describe('What leaves my sight', () => {
  it('is a deleted task in my feed when it was moved away, and a moved one for leaders', async () => {
    const task = await newTask(company, open.names.list)
    const next_cursor = await cursorOfNow(app, work)
    await company.api.post(`/tasks/${task.id}/move`, { list_id: hidden.names.list })
    await company.api.post(`/tasks/${task.id}/complete`)
    const data = await entriesAfter(app, work, next_cursor)
    expect(data).toMatchObject([
      {
        kind: 'task',
        change: 'deleted',
        id: task.id,
        project_id: open.names.project,
        parent_id: open.names.list,
        fields: null,
      },
    ])
    expect(data).toHaveLength(1)
    const leader = await company.admin.get(`/records/company/changes?after=${next_cursor}`)
    expect(leader.body.data.map(({ change }: { change: string }) => change)).toEqual(['moved', 'completed'])
  })

  it('takes its files with it: a comment that I see names no ref of a hidden one', async () => {
    const task = await newTask(company, hidden.names.list)
    await newComment(company, `/tasks/${task.id}`, { attachments: [hidden.names.file] })
    await company.api.post(`/tasks/${task.id}/move`, { list_id: open.names.list })
    const [mine] = (await work.get(`/tasks/${task.id}/comments`)).body.data
    const [theirs] = (await company.api.get(`/tasks/${task.id}/comments`)).body.data
    expect([mine.attachment_refs, theirs.attachment_refs]).toEqual([[null], [hidden.names.file]])
  })

  it('takes its notifications with it, read and unread', async () => {
    const mine = await app.diwan.project(company, { name: 'Closed soon' })
    await newDiscussion(company, mine.id, { title: 'Only for us' })
    await tellPeople(app)
    const me = app.diwan.client('/admin/v1', member.token)
    const unread = async () => (await me.get('/me')).body.data.unread_notifications
    const told = async () =>
      (await work.get('/me/notifications')).body.data.map(
        ({ subject }: { subject: { title: string } }) => subject.title,
      )
    const earlier = await unread()
    expect(await told()).toContain('Only for us')
    await company.api.patch(`/projects/${mine.id}`, { is_public: false })
    expect([await told(), await unread()]).toEqual([expect.not.arrayContaining(['Only for us']), earlier - 1])
    const { data } = (await member.admin.get('/notifications')).body
    expect(JSON.stringify(data)).not.toContain('Only for us')
  })
})

describe('A stream', () => {
  it('sends a member what they see, a task that is moved away as deleted, and ends when they are dismissed', async () => {
    const person = await app.diwan.person(company.id)
    const stream = await fetch(`${app.url}/admin/v1/companies/${company.id}/records/company/changes`, {
      headers: { authorization: `Bearer ${person.token}`, accept: 'text/event-stream' },
    })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    const until = async (part: string) => {
      while (!text.includes(part)) {
        const { value, done } = await reader.read()
        if (done) return
        text += Buffer.from(value).toString()
      }
    }
    await until('still here')
    const secret = await newTask(company, hidden.names.list, { title: 'Not for you' })
    const task = await newTask(company, open.names.list)
    await until(task.id)
    await company.api.post(`/tasks/${task.id}/move`, { list_id: hidden.names.list })
    await until('"deleted"')
    expect(text).not.toContain(secret.id)
    expect(text).not.toContain(hidden.names.project)
    await company.admin.patch(`/users/${person.id}`, { active: false })
    await newTask(company, open.names.list, { title: 'After' })
    const length = text.length
    await until('nothing says this')
    expect(text.slice(length)).not.toContain('"kind"')
  })
})
