import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeContents } from '../../cli/src/export/contents.ts'
import { writeRecords } from '../../cli/src/export/records.ts'
import { createCompanyReader } from '../../src/company-reader.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { linesOf } from '../support/exported.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'

const app = useApp()
const folder = mkdtempSync(join(tmpdir(), 'diwan-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NAMED = { external_id: 'crm/٧٧', metadata: { stage: 'مراجعة', 'a.b': '"quoted"' } }

let company: TestCompany
/** The refs and ids of what must be exported, by the name of the file. */
const made: Record<string, unknown[]> = {}

const data = async (answer: ReturnType<TestCompany['api']['post']>) => (await created(answer)).data
const shown = async (address: string) => (await company.api.get(address)).body.data

beforeAll(async () => {
  company = await app.diwan.company()
  const other = await app.diwan.company()
  await app.diwan.project(other, { name: 'Of another company' })
  const person = await app.diwan.person(company.id, { active: false })
  const open = await app.diwan.project(company, { name: 'مشروع' })
  const closed = await app.diwan.project(company, { name: 'Private', is_public: false })
  const gone = await app.diwan.project(company, { name: 'Gone' })
  const lists = [await newList(company, open.id), await newList(company, closed.id), await newList(company, open.id)]
  await newList(company, gone.id)
  const ids = { open: lists[0].id, closed: lists[1].id }
  // More than a page of them.
  for (let n = 0; n < 2; n++)
    await created(
      company.api.post(`/lists/${ids.open}/tasks/batch`, { tasks: Array(60).fill({ title: 'One of many' }) }),
    )
  const done = await newTask(company, ids.open)
  await company.api.post(`/tasks/${done.id}/complete`)
  const archived = await newTask(company, ids.closed)
  const topic = await newDiscussion(company, open.id)
  const comments = [
    await newComment(company, `/lists/${ids.open}`),
    await newComment(company, `/tasks/${done.id}`),
    await newComment(company, `/discussions/${topic.id}`),
  ]
  const outer = await data(company.api.post(`/projects/${open.id}/folders`, { name: 'Outer' }))
  const inner = await data(
    company.api.post(`/projects/${open.id}/folders`, { name: 'Inner', parent_folder_id: outer.id }),
  )
  const upload = { name: 'CON report.TXT', content: 'Bytes', folder_id: inner.id }
  const file = await data(company.api.post(`/projects/${open.id}/files`, upload))
  await app.database.db.raw(`update files set scan_state = 'clean' where ref = $1`, [file.ref])
  const link = await newLink(company, closed.id)
  const event = await data(
    company.api.post('/events', { name: 'Visit', starts_at: '2020-01-01T10:00', ends_at: '2020-01-01T11:00' }),
  )
  for (const address of [`/projects/${open.id}`, `/lists/${ids.open}`, `/tasks/${done.id}`, `/discussions/${topic.id}`])
    expect((await company.api.patch(address, NAMED)).status).toBe(200)
  await company.api.post(`/projects/${closed.id}/archive`)
  await company.api.delete(`/projects/${gone.id}`)
  Object.assign(made, {
    members: [company.owner.id, person.id],
    projects: [closed.id, open.id],
    project_members: [company.owner.email],
    task_lists: [ids.closed, ids.open, lists[2].id],
    tasks: [archived.id, done.id],
    discussions: [topic.id],
    comments: comments.map(({ id }) => id),
    events: [event.id],
    folders: [outer.id, inner.id],
    files: [link.id, file.id],
  })

  mkdirSync(join(folder, 'files'))
  let shown = ''
  const progress = { show: (text: () => string) => (shown = text()), end: () => {} }
  const counts = await writeRecords(createCompanyReader(app.database.db, company.id), company.id, folder, progress)
  expect(counts).toMatchObject({ counts: { tasks: 122, projects: 2 } })
  await writeContents(app.database.db, app.blobs, company.id, join(folder, 'files'), progress)
  expect(shown).toBe('Exporting the contents of files: 1')
})

it('An export has every kind of record, archived, completed, past and private ones too, and none that is deleted or of others', () => {
  const exported = Object.fromEntries(
    Object.keys(made).map(kind => [kind, linesOf(folder, kind).map(({ id, email }) => id ?? email)]),
  )
  expect({ ...exported, tasks: exported.tasks?.filter(id => made.tasks?.includes(id)) }).toEqual(made)
  expect(new Set(exported.tasks).size).toBe(122)
  const [name = ''] = readdirSync(join(folder, 'files'))
  expect(name).toMatch(/^fil-[a-z0-9]{10}\.txt$/)
  expect(readFileSync(join(folder, 'files', name), 'utf8')).toBe('Bytes')
})

it('Each line is what the API shows, behind what the record belongs to if it does not say that itself', async () => {
  for (const [kind, address] of [
    ['projects', '/projects'],
    ['task_lists', '/lists'],
  ] as const)
    for (const line of linesOf(folder, kind)) expect(line).toEqual(await shown(`${address}/${line.id}`))
  for (const line of linesOf(folder, 'tasks').filter(({ id }) => made.tasks?.includes(id)))
    expect(line).toEqual(await shown(`/tasks/${line.id}`))
  for (const { project_id, ...line } of linesOf(folder, 'discussions')) {
    expect(project_id).toBe(linesOf(folder, 'projects').at(-1).id)
    expect(line).toEqual(await shown(`/discussions/${line.id}`))
  }
  for (const { parent_id, ...line } of linesOf(folder, 'comments')) {
    const resource = { lst: 'lists', tsk: 'tasks', mjl: 'discussions' }[(parent_id as string).slice(0, 3)]
    expect(line).toEqual(await shown(`/${resource}/${parent_id}/comments/${line.id}`))
  }
  for (const kind of ['folders', 'files'])
    for (const { project_id, ...line } of linesOf(folder, kind))
      expect(line).toEqual(await shown(`/projects/${project_id}/${kind}/${line.id}`))
  for (const line of linesOf(folder, 'events')) expect(line).toEqual(await shown(`/events/${line.id}`))
  for (const line of linesOf(folder, 'members'))
    expect(line).toEqual((await company.admin.get(`/users/${line.id}`)).body.data)
  const { calls_today, keys_count, ...rest } = (await company.admin.get('')).body.data
  expect(JSON.parse(readFileSync(join(folder, 'company.json'), 'utf8'))).toEqual(rest)
})

it.each(['projects', 'task_lists', 'tasks', 'discussions'])(
  'External ids and metadata are in the lines of %s',
  kind => {
    const named = linesOf(folder, kind).filter(({ external_id }) => external_id !== null)
    expect(named.map(({ external_id, metadata }) => ({ external_id, metadata }))).toEqual([NAMED])
  },
)
