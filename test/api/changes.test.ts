import { beforeAll, describe, expect, it, vi } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { writeCursor } from '../../src/domain/feed/cursor.ts'
import { feedEpoch } from '../../src/domain/feed/feed.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { inBoth } from '../../src/domain/sentences/sentences.ts'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { INSTANT, newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter, feedSettled } from '../support/feed.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

const app = useApp()
let world: Awaited<ReturnType<typeof furnishEveryRecord>>
/** The records of the company by their names in addresses, and those that steps create. */
let names: Record<string, string | number>
let company: TestCompany
let api: TestCompany['api']
beforeAll(async () => {
  world = await furnishEveryRecord(app.diwan)
  company = world.company
  api = company.api
  names = { ...world.names }
})

const now = (client = api) => cursorOfNow(app, client)
const entries = (after: string, client = api) => entriesAfter(app, client, after)

const scanner: Scanner = {
  scan: async () => ({ outcome: 'clean', engine: 'none', finding: null }),
  check: async () => ({ state: 'ok', message: inBoth('') }),
  close: async () => {},
}

/** Lets the worker do its jobs until something is so. */
async function working(isDone: () => Promise<boolean>) {
  const worker = startTestWorker(app, scanner)
  await until(isDone)
  await worker.stop()
}

/** The entry that a write leaves: its kind and change, the name of the record, and the changed fields. */
type Left = [told: string, record: string, ...fields: string[]]
interface Sent {
  status?: number
  /** The records of the address that are not those of the company's furniture. */
  names?: Record<string, string | number>
  /** The name under which the steps that follow know the record that was created, and what it is in. */
  as?: string
  inside?: string
}
type Step = [write: string, body: object | undefined, left: Left[], sent?: Sent]

const TASK = '/projects/:project/lists/:list/tasks'
const EVENT = { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }

/** Every write of the API in turn, and the entries that it leaves. A new write must be added here. */
function* everyWrite(): Generator<Step> {
  const list: Sent = { inside: 'list' }
  yield ['POST /projects', { name: 'Move' }, [['project created', 'made']], { as: 'made' }]
  const project: Left = ['project updated', 'project', 'name', 'start_date']
  yield ['PATCH /projects/:project', { name: 'Other', start_date: '2027-01-01' }, [project]]
  yield ['POST /projects/:project/archive', undefined, [['project archived', 'project']]]
  yield ['POST /projects/:project/archive', undefined, []]
  yield ['POST /projects/:project/unarchive', undefined, [['project unarchived', 'project']]]
  for (const [kind, write, name, inside] of [
    ['project', 'PUT /projects/ext::external_id', 'name', undefined],
    ['task_list', 'PUT /projects/:project/lists/ext::external_id', 'title', undefined],
    ['task', 'PUT /lists/:list/tasks/ext::external_id', 'title', 'list'],
    ['discussion', 'PUT /projects/:project/discussions/ext::external_id', 'title', undefined],
  ] as const) {
    const sent: Sent = { names: { external_id: 'feed' }, as: `put_${kind}`, ...(inside && { inside }) }
    yield [write, { [name]: 'Chairs' }, [[`${kind} created`, `put_${kind}`]], { ...sent, status: 201 }]
    yield [write, { [name]: 'Chairs' }, [], sent]
    yield [write, { [name]: 'Desks' }, [[`${kind} updated`, `put_${kind}`, name]], sent]
  }

  const lists = '/projects/:project/lists'
  yield [`POST ${lists}`, { title: 'New' }, [['task_list created', 'new_list']], { as: 'new_list' }]
  const fields = { title: 'X', notes: 'Y', priority: 'low' }
  yield [`PATCH ${lists}/:list`, fields, [['task_list updated', 'list', ...Object.keys(fields)]]]

  yield [`POST ${TASK}`, { title: 'New' }, [['task created', 'new_task']], { as: 'new_task', ...list }]
  const tasks = ['First', 'Second', 'Second'].map(title => ({ title }))
  const created = tasks.map((_, n): Left => ['task created', `batch_${n}`])
  yield [`POST ${TASK}/batch`, { tasks }, created, { as: 'batch', ...list }]
  yield [`POST ${TASK}/batch`, { tasks: [...tasks, { title: '' }] }, [], { status: 422 }]
  const update = { task: names.task, do: 'update', title: 'X' }
  const complete = (task: unknown) => ({ task, do: 'complete' })
  const done: Left[] = [
    ['task updated', 'task', 'title'],
    ['task completed', 'new_task'],
    ['task completed', 'task'],
  ]
  const batch = 'POST /company/tasks/batch'
  yield [batch, { changes: [update, complete(names.new_task), complete(names.task)] }, done, list]
  yield [batch, { changes: [{ ...update, title: 'Y' }, complete('tsk-0000000000')] }, [], { status: 404 }]
  const task = { title: 'Z', notes: 'Y', due_at: '2027-01-01', assignee_email: company.owner.email }
  yield [`PATCH ${TASK}/:task`, task, [['task updated', 'task', 'title', 'notes', 'due_at', 'assignee']], list]
  yield [`POST ${TASK}/:task/complete`, undefined, []]
  yield [`POST ${TASK}/:task/incomplete`, undefined, [['task reopened', 'task']], list]
  yield [`POST ${TASK}/:task/complete`, undefined, [['task completed', 'task']], list]
  yield [`POST ${TASK}/:task/time`, { time_spent: '1:30' }, [['task updated', 'task', 'time_spent_minutes']], list]

  for (const [below, inside] of [
    [`${lists}/:list`, 'list'],
    [`${TASK}/:task`, 'task'],
    ['/projects/:project/discussions/:discussion', 'discussion'],
  ] as const) {
    const write = `PATCH ${below}/comments/:comment`
    const sent = { names: { comment: world.commentBelow[inside] as string }, inside }
    const edited = (...changed: string[]): Left[] => [['comment updated', 'comment', ...changed]]
    const both = { content: 'Both', attachments: [names.file] }
    yield [`POST ${below}/comments`, { content: 'Yes' }, [['comment created', 'made']], { as: 'made', inside }]
    yield [write, { content: 'Other' }, edited('content'), sent]
    yield [write, both, edited('content', 'attachments'), sent]
    yield [write, { attachments: [] }, edited('attachments'), sent]
  }
  const moved: Sent = { inside: 'new_list' }
  yield [`POST ${TASK}/:task/move`, { list_id: names.new_list }, [['task moved', 'task']], moved]
  const there: Sent = { ...moved, names: { list: names.new_list as string } }
  yield [`DELETE ${TASK}/:task`, undefined, [['task deleted', 'task']], there]
  yield [`DELETE ${lists}/:list`, undefined, [['task_list deleted', 'list']]]

  const discussions = '/projects/:project/discussions'
  yield [`POST ${discussions}`, { title: 'New' }, [['discussion created', 'made']], { as: 'made' }]
  const discussion: Left = ['discussion updated', 'discussion', 'title', 'body']
  yield [`PATCH ${discussions}/:discussion`, { title: 'X', body: 'Y' }, [discussion]]
  yield [`DELETE ${discussions}/:discussion`, undefined, [['discussion deleted', 'discussion']]]

  const folder = '/projects/:project/folders/:folder'
  yield ['POST /projects/:project/folders', { name: 'Into' }, [['folder created', 'into']], { as: 'into' }]
  const renamed = { name: 'Renamed', description: 'For plans' }
  yield [`PATCH ${folder}`, renamed, [['folder updated', 'folder', 'name', 'description']]]
  yield [`PATCH ${folder}`, { parent_folder_id: names.into }, [['folder moved', 'folder']], { inside: 'into' }]
  const link = { name: 'Plan', external_url: 'https://example.com/', folder_id: names.into }
  yield ['POST /projects/:project/links', link, [['file created', 'made']], { as: 'made', inside: 'into' }]
  const file = { name: 'a.txt', content: 'x', folder_id: Number(names.folder) }
  yield ['POST /projects/:project/files', file, [['file created', 'made']], { as: 'made', inside: 'folder' }]
  yield [`DELETE ${folder}`, undefined, [['folder deleted', 'folder']], { inside: 'into' }]
  yield ['DELETE /projects/:project/files/:file', undefined, [['file deleted', 'file']]]
  yield ['DELETE /projects/:project', undefined, [['project deleted', 'project']]]

  yield ['POST /events', EVENT, []]
  yield ['PATCH /events/:event', { name: 'Other' }, []]
  yield ['DELETE /events/:event', undefined, []]
}

/** The kinds of what a record can be in or on, by their names here. */
const KINDS = { list: 'task_list', new_list: 'task_list', task: 'task', discussion: 'discussion', folder: 'folder' }

async function expectLeft([write, body, left, { status, names: own = {}, as, inside } = {}]: Step) {
  const [method = '', address = ''] = write.split(' ')
  const path = address.replace(/:(\w+)/g, (_, name) => String({ ...names, ...own }[name]))
  const after = await now()
  const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await api.send(method, path, init)
  expect([write, body, answer.status]).toEqual([write, body, status ?? expect.toSatisfy(code => code < 300)])
  const { data } = answer.body
  if (as && Array.isArray(data)) for (const [n, { id }] of data.entries()) names[`${as}_${n}`] = id
  else if (as) names[as] = data.ref ?? data.id
  const expected = left.map(([told, record, ...fields]) => ({
    cursor: expect.any(String),
    at: INSTANT,
    kind: told.split(' ')[0],
    change: told.split(' ')[1],
    id: numbered(own[record] ?? names[record]),
    project_id: told.startsWith('project ') ? names[record] : names.project,
    parent_id: inside ? numbered(names[inside]) : null,
    parent_kind: inside ? { ...KINDS, into: 'folder' }[inside] : null,
    actor: company.owner.name,
    fields: fields.length > 0 ? fields : null,
  }))
  expect([write, body, await entries(after)]).toEqual([write, body, expected])
}

/** Records without a ref are named by their numbers. */
const numbered = (name: string | number | undefined) => (/^\d+$/.test(String(name)) ? Number(name) : name)

describe('The feed', () => {
  it('has an entry for each write of the API that changes something, and none for the others', async () => {
    const written = new Set<string>()
    for (const step of everyWrite()) {
      await expectLeft(step)
      written.add(step[0])
    }
    const writes = apiEndpoints.filter(({ method }) => method !== 'GET').map(({ method, at }) => `${method} ${at[0]}`)
    expect([...written].sort()).toEqual(writes.sort())
  })

  it('has what an administrator does to a record, signed by name; and what is restored', async () => {
    const { id } = await newDiscussion(company, (await app.diwan.project(company)).id)
    const after = await now()
    await company.admin.patch(`/discussions/${id}`, { category: 'News' })
    await api.delete(`/discussions/${id}`)
    await company.admin.post(`/trash/${id}/restore`)
    await company.admin.post(`/trash/${names.project}/restore`)
    expect(await entries(after)).toMatchObject([
      { kind: 'discussion', change: 'updated', id, fields: ['category'], actor: company.owner.name },
      { change: 'deleted', id },
      { change: 'restored', id },
      { kind: 'project', change: 'restored', id: names.project },
    ])
  })

  it('has one entry for a list and its tasks that the worker removes, and one for a file that it scans', async () => {
    const project = await app.diwan.project(company)
    const { id } = await newList(company, project.id)
    for (const title of ['a', 'b']) await newTask(company, id, { title })
    const after = await now()
    const file = (await api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'x' })).body.data
    await api.delete(`/lists/${id}`)
    await working(async () => {
      const { rows } = await app.database.pool.query('select from task_lists where ref = $1', [id])
      const found = await api.get(`/projects/${project.id}/files/${file.ref}`)
      return rows.length === 0 && found.body.data.scan_state === 'clean'
    })
    const left = (await entries(after)).filter(({ project_id }: { project_id: string }) => project_id === project.id)
    expect(left).toMatchObject([
      { kind: 'file', change: 'created', id: file.ref, actor: company.owner.name },
      { kind: 'task_list', change: 'deleted', id },
      { kind: 'file', change: 'scanned', id: file.ref, actor: null },
    ])
  })

  it('names a person whose name has quotes and backslashes in it', async () => {
    const odd = await app.diwan.company({ owner: { name: 'O\'Hara \\ "x" عمر\'; drop', email: 'odd@example.com' } })
    const after = await now(odd.api)
    await app.diwan.project(odd)
    expect(await entries(after, odd.api)).toMatchObject([{ actor: 'O\'Hara \\ "x" عمر\'; drop' }])
  })

  it('shows a key the kinds that it may read, of its own company', async () => {
    const reader = (operations: string[]) => app.diwan.key(company.id, { access: 'read', operations })
    const limited = app.diwan.api(await reader(['account:read', 'comments:read']))
    const after = await now()
    const { id } = await newTask(company, (await newList(company, (await app.diwan.project(company)).id)).id)
    const comment = await newComment(company, `/tasks/${id}`)
    await app.diwan.project(await app.diwan.company())
    expect(await entries(after, limited)).toMatchObject([{ kind: 'comment', id: comment.id }])
    expect(await entries(after)).toHaveLength(4)
    expect((await app.diwan.api(await reader(['tasks:read'])).get('/company/changes')).status).toBe(403)
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

  it('of another place or time, or that was altered, is 410 with a fresh one: as a parameter and as a last id', async () => {
    const [epoch, atMs] = [await feedEpoch(app.database.db), Date.now()]
    const good = await now()
    const written = (fields: object) => writeCursor({ epoch, atMs, tx: '0', id: 0, ...fields })
    const bad = [
      'nonsense',
      '%ED%A0%80',
      good.replace(/.$/, last => (last === 'A' ? 'B' : 'A')),
      written({ epoch: '731' }),
      written({ atMs: atMs - 31 * 86_400_000 }),
      written({ tx: '1000000000000' }),
      written({ tx: String(2n ** 64n) }),
      written({ tx: '-1' }),
      written({ id: -1 }),
      written({ id: 1e17 }),
    ]
    const stream = { accept: 'text/event-stream' }
    for (const cursor of bad) {
      const answers = [
        await api.get(`/company/changes?after=${cursor}`),
        await api.get(`/company/changes?after=${cursor}`, stream),
        await api.get('/company/changes', { ...stream, 'last-event-id': cursor }),
      ]
      for (const { status, body } of answers) {
        expect([cursor, status, body.error?.code]).toEqual([cursor, 410, 'cursor_expired'])
        expect(await entries(body.error.cursor)).toEqual([])
      }
    }
    expect((await api.get(`/company/changes?after=${written({})}`)).status).toBe(200)
  })
})
