import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createYaraScanner } from '../../src/adapters/scanner/yara/scanner.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { writeCursor } from '../../src/domain/feed/cursor.ts'
import { feedEpoch } from '../../src/domain/feed/feed.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter, feedSettled } from '../support/feed.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

const app = useApp()
let company: TestCompany
let api: Client
let scanner: Scanner
beforeAll(async () => {
  company = await app.diwan.company()
  api = company.api
  scanner = await createYaraScanner()
})
afterAll(() => scanner.close())

const now = (client = api) => cursorOfNow(app, client)
const entries = (after: string, client = api) => entriesAfter(app, client, after)
/** The entries after a cursor, without the fields that differ every time. */
const told = async (after: string) =>
  (await entries(after)).map(({ kind, change, id, fields }: Record<string, unknown>) => [kind, change, id, fields])

/** Does something and returns the entries that it left in the feed. */
async function leaves(act: () => Promise<unknown>) {
  const after = await now()
  await act()
  return told(after)
}

/** Every write of the API, and the entries that it leaves. A new write must be added here. */
const NOTHING = async () => {}
const WRITES: Record<string, () => Promise<void>> = {
  'POST /events': NOTHING,
  'PATCH /events/:event': NOTHING,
  'DELETE /events/:event': NOTHING,

  async 'POST /projects'() {
    const made: unknown[] = []
    const left = await leaves(async () => made.push((await app.diwan.project(company)).id))
    expect(left).toEqual([['project', 'created', made[0], null]])
  },
  async 'PATCH /projects/:project'() {
    const { id } = await app.diwan.project(company)
    const left = await leaves(() => api.patch(`/projects/${id}`, { name: 'Other', start_date: '2027-01-01' }))
    expect(left).toEqual([['project', 'updated', id, ['name', 'start_date']]])
    expect(await leaves(() => api.patch(`/projects/${id}`, { name: 'Other' }))).toEqual([])
  },
  'PUT /projects/ext::external_id': () => upserts('project', '/projects', 'name'),
  async 'PUT /projects/:project/lists/ext::external_id'() {
    await upserts('task_list', `/projects/${(await app.diwan.project(company)).id}/lists`)
  },
  async 'PUT /lists/:list/tasks/ext::external_id'() {
    const list = await newList(company, (await app.diwan.project(company)).id)
    await upserts('task', `/lists/${list.id}/tasks`)
  },
  async 'PUT /projects/:project/discussions/ext::external_id'() {
    await upserts('discussion', `/projects/${(await app.diwan.project(company)).id}/discussions`)
  },
  async 'POST /projects/:project/archive'() {
    const { id } = await app.diwan.project(company)
    expect(await leaves(() => api.post(`/projects/${id}/archive`))).toEqual([['project', 'archived', id, null]])
    expect(await leaves(() => api.post(`/projects/${id}/archive`))).toEqual([])
  },
  async 'POST /projects/:project/unarchive'() {
    const { id } = await app.diwan.project(company)
    await api.post(`/projects/${id}/archive`)
    expect(await leaves(() => api.post(`/projects/${id}/unarchive`))).toEqual([['project', 'unarchived', id, null]])
  },
  async 'DELETE /projects/:project'() {
    const { id } = await app.diwan.project(company)
    await newTask(company, (await newList(company, id)).id)
    expect(await leaves(() => api.delete(`/projects/${id}`))).toEqual([['project', 'deleted', id, null]])
    const restored = await leaves(() => company.admin.post(`/trash/${id}/restore`))
    expect(restored).toEqual([['project', 'restored', id, null]])
  },

  async 'POST /projects/:project/lists'() {
    const { id } = await app.diwan.project(company)
    const after = await now()
    const list = await newList(company, id)
    const [entry] = await entries(after)
    expect(entry).toEqual({
      cursor: expect.any(String),
      at: list.created_at,
      kind: 'task_list',
      change: 'created',
      id: list.id,
      project_id: id,
      parent_id: null,
      parent_kind: null,
      actor: company.owner.name,
      fields: null,
    })
  },
  async 'PATCH /projects/:project/lists/:list'() {
    const { id } = await newList(company, (await app.diwan.project(company)).id)
    const left = await leaves(() => api.patch(`/lists/${id}`, { title: 'X', notes: 'Y', priority: 'low' }))
    expect(left).toEqual([['task_list', 'updated', id, ['title', 'notes', 'priority']]])
  },
  async 'DELETE /projects/:project/lists/:list'() {
    const { id } = await newList(company, (await app.diwan.project(company)).id)
    for (const title of ['a', 'b', 'c']) await newTask(company, id, { title })
    const worker = startTestWorker(app, scanner)
    const left = await leaves(async () => {
      await api.delete(`/lists/${id}`)
      await until(
        async () => !(await app.database.pool.query('select from task_lists where ref = $1', [id])).rows.length,
      )
    })
    await worker.stop()
    expect(left).toEqual([['task_list', 'deleted', id, null]])
  },

  async 'POST /projects/:project/lists/:list/tasks'() {
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const after = await now()
    const task = await newTask(company, list.id)
    expect(await entries(after)).toMatchObject([
      {
        kind: 'task',
        change: 'created',
        id: task.id,
        project_id: project.id,
        parent_id: list.id,
        fields: null,
        parent_kind: 'task_list',
      },
    ])
  },
  async 'POST /projects/:project/lists/:list/tasks/batch'() {
    const list = await newList(company, (await app.diwan.project(company)).id)
    const tasks = ['First', 'Second', 'Second', 'Third'].map(title => ({ title }))
    const after = await now()
    const { data } = await created(api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
    expect(await told(after)).toEqual(data.map(({ id }: { id: string }) => ['task', 'created', id, null]))
    const left = await leaves(() => api.post(`/lists/${list.id}/tasks/batch`, { tasks: [...tasks, { title: '' }] }))
    expect(left).toEqual([])
  },
  async 'POST /company/tasks/batch'() {
    const [first, second] = [await someTask(), await someTask()]
    const changes = [
      { task: first.id, do: 'update', title: 'X' },
      { task: second.id, do: 'complete' },
      { task: first.id, do: 'complete' },
    ]
    expect(await leaves(() => api.post('/company/tasks/batch', { changes }))).toEqual([
      ['task', 'updated', first.id, ['title']],
      ['task', 'completed', second.id, null],
      ['task', 'completed', first.id, null],
    ])
    const missing = { task: 'tsk-0000000000', do: 'complete' }
    expect(await leaves(() => api.post('/company/tasks/batch', { changes: [...changes, missing] }))).toEqual([])
  },
  async 'PATCH /projects/:project/lists/:list/tasks/:task'() {
    const { id } = await someTask()
    const fields = { title: 'X', notes: 'Y', due_at: '2027-01-01', assignee_email: company.owner.email }
    const left = await leaves(() => api.patch(`/tasks/${id}`, fields))
    expect(left).toEqual([['task', 'updated', id, ['title', 'notes', 'due_at', 'assignee']]])
    expect(await leaves(() => api.patch(`/tasks/${id}`, fields))).toEqual([])
  },
  async 'POST /projects/:project/lists/:list/tasks/:task/complete'() {
    const { id } = await someTask()
    expect(await leaves(() => api.post(`/tasks/${id}/complete`))).toEqual([['task', 'completed', id, null]])
    expect(await leaves(() => api.post(`/tasks/${id}/complete`))).toEqual([])
  },
  async 'POST /projects/:project/lists/:list/tasks/:task/incomplete'() {
    const { id } = await someTask()
    await api.post(`/tasks/${id}/complete`)
    expect(await leaves(() => api.post(`/tasks/${id}/incomplete`))).toEqual([['task', 'reopened', id, null]])
  },
  async 'POST /projects/:project/lists/:list/tasks/:task/move'() {
    const { id } = await someTask()
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const after = await now()
    await api.post(`/tasks/${id}/move`, { list_id: list.id })
    expect(await entries(after)).toMatchObject([
      { kind: 'task', change: 'moved', id, project_id: project.id, parent_id: list.id, fields: null },
    ])
  },
  async 'POST /projects/:project/lists/:list/tasks/:task/time'() {
    const { id } = await someTask()
    const left = await leaves(() => api.post(`/tasks/${id}/time`, { time_spent: '1:30' }))
    expect(left).toEqual([['task', 'updated', id, ['time_spent_minutes']]])
  },
  async 'DELETE /projects/:project/lists/:list/tasks/:task'() {
    const { id } = await someTask()
    await api.post(`/tasks/${id}/comments`, { content: 'Gone with it' })
    expect(await leaves(() => api.delete(`/tasks/${id}`))).toEqual([['task', 'deleted', id, null]])
  },

  async 'POST /projects/:project/lists/:list/comments'() {
    const list = await newList(company, (await app.diwan.project(company)).id)
    await tellsOfComments('task_list', list.id, `/lists/${list.id}/comments`)
  },
  async 'POST /projects/:project/lists/:list/tasks/:task/comments'() {
    const task = await someTask()
    await tellsOfComments('task', task.id, `/tasks/${task.id}/comments`)
  },
  async 'POST /projects/:project/discussions/:discussion/comments'() {
    const discussion = await newDiscussion(company, (await app.diwan.project(company)).id)
    await tellsOfComments('discussion', discussion.id, `/discussions/${discussion.id}/comments`)
  },
  async 'PATCH /projects/:project/lists/:list/comments/:comment'() {
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    await tellsOfEdits(project.id, list.id, `/lists/${list.id}`)
  },
  async 'PATCH /projects/:project/lists/:list/tasks/:task/comments/:comment'() {
    const task = await someTask()
    await tellsOfEdits(task.project_id, task.id, `/tasks/${task.id}`)
  },
  async 'PATCH /projects/:project/discussions/:discussion/comments/:comment'() {
    const project = await app.diwan.project(company)
    const discussion = await newDiscussion(company, project.id)
    await tellsOfEdits(project.id, discussion.id, `/discussions/${discussion.id}`)
  },

  async 'POST /projects/:project/discussions'() {
    const { id } = await app.diwan.project(company)
    const made: unknown[] = []
    const left = await leaves(async () => made.push((await newDiscussion(company, id)).id))
    expect(left).toEqual([['discussion', 'created', made[0], null]])
  },
  async 'PATCH /projects/:project/discussions/:discussion'() {
    const { id } = await newDiscussion(company, (await app.diwan.project(company)).id)
    const left = await leaves(() => api.patch(`/discussions/${id}`, { title: 'X', body: 'Y' }))
    expect(left).toEqual([['discussion', 'updated', id, ['title', 'body']]])
  },
  async 'DELETE /projects/:project/discussions/:discussion'() {
    const { id } = await newDiscussion(company, (await app.diwan.project(company)).id)
    expect(await leaves(() => api.delete(`/discussions/${id}`))).toEqual([['discussion', 'deleted', id, null]])
    const restored = await leaves(() => company.admin.post(`/trash/${id}/restore`))
    expect(restored).toEqual([['discussion', 'restored', id, null]])
  },

  async 'POST /projects/:project/folders'() {
    const { folder, left } = await newFolder((await app.diwan.project(company)).id)
    expect(left).toMatchObject([
      { kind: 'folder', change: 'created', id: folder.id, parent_id: null, parent_kind: null },
    ])
  },
  async 'PATCH /projects/:project/folders/:folder'() {
    const project = await app.diwan.project(company)
    const { folder } = await newFolder(project.id)
    const { folder: into } = await newFolder(project.id)
    const path = `/projects/${project.id}/folders/${folder.id}`
    const left = await leaves(() => api.patch(path, { name: 'Renamed', description: 'For plans' }))
    expect(left).toEqual([['folder', 'updated', folder.id, ['name', 'description']]])
    const moved = await leaves(() => api.patch(path, { parent_folder_id: into.id }))
    expect(moved).toEqual([['folder', 'moved', folder.id, null]])
    const after = await now()
    const file = await newLink(company, project.id, { folder_id: into.id })
    await api.patch(path, { description: 'For all' })
    const inFolder = { parent_id: into.id, parent_kind: 'folder' }
    expect(await entries(after)).toMatchObject([
      { id: file.ref, ...inFolder },
      { id: folder.id, ...inFolder },
    ])
  },
  async 'DELETE /projects/:project/folders/:folder'() {
    const { id: project } = await app.diwan.project(company)
    const { folder: above } = await newFolder(project)
    const { folder } = await newFolder(project, above.id)
    const { folder: below } = await newFolder(project, folder.id)
    for (const folder_id of [folder.id, below.id])
      await created(api.post(`/projects/${project}/files`, { name: 'a.txt', content: 'x', folder_id }))
    const left = await leaves(() => api.delete(`/projects/${project}/folders/${folder.id}`))
    expect(left).toEqual([['folder', 'deleted', folder.id, null]])
  },
  async 'POST /projects/:project/files'() {
    const { id: project } = await app.diwan.project(company)
    const after = await now()
    const file = (await created(api.post(`/projects/${project}/files`, { name: 'a.txt', content: 'x' }))).data
    const worker = startTestWorker(app, scanner)
    await until(
      async () => (await api.get(`/projects/${project}/files/${file.ref}`)).body.data.scan_state !== 'pending',
    )
    await worker.stop()
    expect(await entries(after)).toMatchObject([
      { kind: 'file', change: 'created', id: file.ref, actor: company.owner.name },
      { kind: 'file', change: 'scanned', id: file.ref, actor: null },
    ])
  },
  async 'POST /projects/:project/links'() {
    const { id: project } = await app.diwan.project(company)
    const left = await leaves(() =>
      created(api.post(`/projects/${project}/links`, { name: 'Plan', external_url: 'https://example.com/' })),
    )
    expect(left).toMatchObject([['file', 'created', expect.stringMatching(/^fil-/), null]])
  },
  async 'DELETE /projects/:project/files/:file'() {
    const { id: project } = await app.diwan.project(company)
    const file = (await created(api.post(`/projects/${project}/files`, { name: 'a.txt', content: 'x' }))).data
    expect(await leaves(() => api.delete(`/files/${file.ref}`))).toEqual([['file', 'deleted', file.ref, null]])
  },
}

async function someTask() {
  return newTask(company, (await newList(company, (await app.diwan.project(company)).id)).id)
}

async function tellsOfComments(parent_kind: string, parent_id: string, path: string) {
  const after = await now()
  const { id } = (await created(api.post(path, { content: 'Agreed' }))).data
  expect(await entries(after)).toMatchObject([
    { kind: 'comment', change: 'created', id, parent_id, parent_kind, fields: null },
  ])
}

/** Each edit leaves one entry, which names the changed fields; an edit without a change or a removed file leaves none. */
async function tellsOfEdits(project_id: string, parent_id: string, parent: string) {
  const [one, two] = [(await newLink(company, project_id)).ref, (await newLink(company, project_id)).ref]
  const made = await now()
  const { id } = await newComment(company, parent, { attachments: [one] })
  expect(await told(made)).toEqual([['comment', 'created', id, null]])
  const edit = async (change: object) => expect((await api.patch(`${parent}/comments/${id}`, change)).status).toBe(200)
  const steps: [object, string[] | undefined][] = [
    [{ content: 'Other' }, ['content']],
    [{ attachments: [two, one] }, ['attachments']],
    [{ content: 'Both', attachments: [one] }, ['content', 'attachments']],
    [{ content: 'Both', attachments: [one] }, undefined],
    [{}, undefined],
    [{ attachments: [] }, ['attachments']],
    [{ attachments: [one] }, ['attachments']],
  ]
  for (const [change, fields] of steps) {
    const left = await leaves(() => edit(change))
    expect([change, left]).toEqual([change, fields ? [['comment', 'updated', id, fields]] : []])
  }
  const after = await now()
  await edit({ content: 'Last' })
  expect(await entries(after)).toMatchObject([{ kind: 'comment', id, project_id, parent_id }])
  expect(await leaves(() => api.delete(`/files/${one}`))).toEqual([['file', 'deleted', one, null]])
}

/** A PUT leaves what the POST or the PATCH would leave. */
async function upserts(kind: string, collection: string, name = 'title') {
  const put = (value: string) => api.put(`${collection}/ext:feed`, { [name]: value })
  const after = await now()
  const { id } = (await created(put('Chairs'))).data
  await put('Chairs')
  await put('Desks')
  expect(await told(after)).toEqual([
    [kind, 'created', id, null],
    [kind, 'updated', id, [name]],
  ])
}

async function newFolder(project: string, parent_folder_id: number | null = null) {
  const after = await now()
  const name = `Folder ${Math.random()}`
  const folder = (await created(api.post(`/projects/${project}/folders`, { name, parent_folder_id }))).data
  return { folder, left: await entries(after) }
}

describe('The feed tells of', () => {
  it('every write of the API, by a test of its own', () => {
    const writes = apiEndpoints.filter(({ method }) => method !== 'GET').map(({ method, at }) => `${method} ${at[0]}`)
    expect(Object.keys(WRITES).sort()).toEqual(writes.sort())
  })

  it.each(Object.entries(WRITES))('%s', (_, proves) => proves())

  it('what an administrator does to a record, signed by name', async () => {
    const { id } = await newDiscussion(company, (await app.diwan.project(company)).id)
    const after = await now()
    await company.admin.patch(`/discussions/${id}`, { category: 'News' })
    expect(await entries(after)).toMatchObject([
      { kind: 'discussion', change: 'updated', id, fields: ['category'], actor: company.owner.name },
    ])
  })

  it('nothing that was refused or taken back', async () => {
    const { id } = await someTask()
    const left = await leaves(async () => {
      await api.patch(`/tasks/${id}`, { title: 'Kept?', due_at: 'never' })
      await api.patch(`/tasks/${id}`, { title: 'Kept?', assignee_email: 'nobody@example.com' })
      await api.post(`/tasks/${id}/move`, { list_id: 'lst-0000000000' })
    })
    expect(left).toEqual([])
  })

  it('a signature whose name has quotes and backslashes in it', async () => {
    const odd = await app.diwan.company({ owner: { name: 'O\'Hara \\ "x" عمر\'; drop', email: 'odd@example.com' } })
    const after = await now(odd.api)
    await app.diwan.project(odd)
    expect(await entries(after, odd.api)).toMatchObject([{ actor: 'O\'Hara \\ "x" عمر\'; drop' }])
  })
})

describe('A key sees', () => {
  it('the kinds that it may read, of its own company', async () => {
    const key = await app.diwan.key(company.id, { access: 'read', operations: ['account:read', 'comments:read'] })
    const limited = app.diwan.api(key)
    const foreign = await app.diwan.company()
    const after = await now()
    const { id } = await someTask()
    const comment = (await created(api.post(`/tasks/${id}/comments`, { content: 'Seen' }))).data
    await app.diwan.project(foreign)
    expect(await entries(after, limited)).toMatchObject([{ kind: 'comment', id: comment.id }])
    expect((await entries(after)).length).toBe(4)
  })

  it('nothing without account:read', async () => {
    const key = await app.diwan.key(company.id, { access: 'read', operations: ['tasks:read'] })
    expect((await app.diwan.api(key).get('/company/changes')).status).toBe(403)
  })
})

describe('A cursor', () => {
  it('goes through all that happened page by page, each entry once, and then stays at the end', async () => {
    const { id } = await newList(company, (await app.diwan.project(company)).id)
    const start = await now()
    const made: string[] = []
    for (let n = 0; n < 7; n++) made.push((await newTask(company, id, { title: `Task ${n}` })).id)
    const seen: string[] = []
    let after = start
    await feedSettled(app.database.pool)
    for (let more = true; more; ) {
      const { data, meta } = (await api.get(`/company/changes?after=${after}&limit=3`)).body
      expect([data.length, meta.count, meta.more]).toEqual([meta.count, data.length, seen.length + 3 < 7])
      for (const entry of data) seen.push(entry.id)
      after = meta.next_cursor
      more = meta.more
    }
    expect(seen).toEqual(made)
    expect(await entries(after)).toEqual([])
    const [first] = await entries(start)
    expect((await entries(first.cursor)).map((entry: { id: string }) => entry.id)).toEqual(made.slice(1))
  })

  it('goes by the numbers of transactions, whatever their length', async () => {
    const other = await app.diwan.company()
    const numbers = ['9', '10', '99', '100']
    for (const tx of numbers)
      await app.database.pool.query(
        `insert into changes (company_id, tx, kind, change, record_id, project_id) values ($1, $2::text::xid8, 'task', 'updated', $2::text, 'prj-0000000000')`,
        [other.id, tx],
      )
    const start = writeCursor({ epoch: await feedEpoch(app.database.db), atMs: Date.now(), tx: '0', id: 0 })
    expect((await entries(start, other.api)).map((entry: { id: number }) => String(entry.id))).toEqual(numbers)
    const last = await now(other.api)
    expect(await entries(last, other.api)).toEqual([])
  })

  it('moves on past thousands of entries that the key may not read', async () => {
    const key = await app.diwan.key(company.id, { access: 'read', operations: ['account:read', 'projects:read'] })
    const limited = app.diwan.api(key)
    const after = await now()
    await app.database.pool.query(
      `insert into changes (company_id, kind, change, record_id, project_id)
       select $1, 'task', 'updated', 'tsk-0000000000', 'prj-0000000000' from generate_series(1, 12000)`,
      [company.id],
    )
    const { id } = await app.diwan.project(company)
    const pages = []
    await feedSettled(app.database.pool)
    let next = after
    for (let more = true; more; ) {
      const { data, meta } = (await limited.get(`/company/changes?after=${next}`)).body
      pages.push(data.map((entry: { id: string }) => entry.id))
      next = meta.next_cursor
      more = meta.more
    }
    expect(pages).toEqual([[], [], [id]])
  })

  it('is as old as its page when there is more: what comes next is not kept for longer than 30 days', async () => {
    const kept = await app.diwan.company()
    const days = (count: number) => Date.now() - count * 86_400_000
    const start = writeCursor({ epoch: await feedEpoch(app.database.db), atMs: days(29.9), tx: '0', id: 0 })
    for (let n = 0; n < 3; n++) await app.diwan.project(kept)
    await feedSettled(app.database.pool)
    await app.database.pool.query(`update changes set at = now() - interval '29.8 days' where company_id = $1`, [
      kept.id,
    ])
    const page = async (after: string) => (await kept.api.get(`/company/changes?limit=1&after=${after}`)).body
    const first = await page(start)
    const second = await page(first.meta.next_cursor)
    const last = await page(second.meta.next_cursor)
    expect([first, second, last].map(({ meta }) => meta.more)).toEqual([true, true, false])

    // A day later the entries are gone.
    await app.database.pool.query('delete from changes where company_id = $1', [kept.id])
    vi.useFakeTimers({ toFake: ['Date'], now: days(-1) })
    try {
      for (const { meta } of [first, second]) expect((await page(meta.next_cursor)).error?.code).toBe('cursor_expired')
      expect((await page(last.meta.next_cursor)).data).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['nonsense', 'nonsense'],
    ['half a surrogate pair', '%ED%A0%80'],
    ['another database', Buffer.from('1.sz4g0.731.12').toString('base64url')],
    ['a transaction that has not begun', undefined],
    ['a month ago', undefined],
  ])('that is %s is 410 with a fresh one', async (what, text) => {
    const [epoch, , tx] = Buffer.from(await now(), 'base64url')
      .toString()
      .split('.')
    const seconds = (days: number) => Math.floor(Date.now() / 1000 - days * 86_400).toString(36)
    const cursor =
      text ??
      Buffer.from(
        what === 'a month ago' ? `${epoch}.${seconds(31)}.${tx}.0` : `${epoch}.${seconds(0)}.${Number(tx) + 1e9}.0`,
      ).toString('base64url')
    const { status, body } = await api.get(`/company/changes?after=${cursor}`)
    expect([status, body.error.code]).toEqual([410, 'cursor_expired'])
    expect(await entries(body.error.cursor)).toEqual([])
  })

  it.each([
    ['a transaction above all numbers', { tx: String(2n ** 64n) }],
    ['the highest number of a transaction', { tx: String(2n ** 64n - 1n) }],
    ['a transaction of twenty nines', { tx: '9'.repeat(20) }],
    ['a transaction of a thousand digits', { tx: '9'.repeat(1_000) }],
    ['a negative transaction', { tx: '-1' }],
    ['half a transaction', { tx: '731.5' }],
    ['an exponent', { tx: '1e3' }],
    ['an entry above all numbers', { id: String(2n ** 64n) }],
    ['a negative entry', { id: '-1' }],
    ['half an entry', { id: '0.5' }],
    ['no entry', { id: '' }],
    ['a negative time', { seconds: '-1' }],
    ['a time above all numbers', { seconds: 'z'.repeat(20) }],
    ['an epoch above all numbers', { epoch: 'f'.repeat(40) }],
  ])('forged with %s is 410, as a parameter and as the last id of a stream', async (_, forged) => {
    const [epoch, seconds, tx, id] = Buffer.from(await now(), 'base64url')
      .toString()
      .split('.')
    const fields = { epoch, seconds, tx, id, ...forged }
    const cursor = Buffer.from(`${fields.epoch}.${fields.seconds}.${fields.tx}.${fields.id}`).toString('base64url')
    const stream = { accept: 'text/event-stream' }
    const answers = [
      await api.get(`/company/changes?after=${cursor}`),
      await api.get(`/company/changes?after=${cursor}`, stream),
      await api.get('/company/changes', { ...stream, 'last-event-id': cursor }),
    ]
    for (const { status, body } of answers) expect([status, body.error?.code]).toEqual([410, 'cursor_expired'])
  })
})
