import { beforeAll, describe, expect, it } from 'vitest'
import { type Answered, createDiwan, type Diwan, etagOf } from '../../client/src/index.ts'
import { METHODS } from '../../client/src/resources.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, newLink, type Work } from '../support/factories.ts'

const app = useApp()
let work: Work
let diwan: Diwan
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  diwan = createDiwan({ url: app.url, key: work.company.key })
})

const methods = Object.entries(METHODS).flatMap(([resource, held]) =>
  Array.isArray(held)
    ? [{ name: resource, facts: held }]
    : Object.entries(held).map(([name, facts]) => ({ name: `${resource}.${name}`, facts })),
)

describe('The methods', () => {
  it('are one for every endpoint, at its flat address', () => {
    const called = methods.map(({ facts: [method, path] }) => `${method} ${path}`)
    const served = apiEndpoints.map(({ method, at }) => `${method} ${at.at(-1)?.replace(/:(\w+)/g, '{$1}')}`)
    expect(called.sort()).toEqual(served.sort())
  })

  it('give the record that the API answers with, without what is around it', async () => {
    expect(await diwan.tasks.get(work.task.id)).toEqual(
      (await work.company.api.get(`/tasks/${work.task.id}`)).body.data,
    )
    expect((await diwan.me()).company.name).toMatch(/^Company /)
    expect((await diwan.projects.members(work.project.id)).map(({ name }) => name)).toEqual(['Layla Haddad'])
  })

  it('change several tasks at once, and find tasks by their metadata', async () => {
    const changes = [{ task: work.task.id, do: 'update' as const, metadata: { stage: 'review', '__proto__.x': 'y' } }]
    const [changed] = await diwan.company.changeTasks({ changes })
    expect(changed?.metadata).toEqual(changes[0]?.metadata)
    const found = await diwan.company.tasks({ metadata: { stage: 'review', '__proto__.x': 'y' } }).page()
    expect(found.data).toEqual([changed])
    expect((await diwan.company.tasks({ metadata: { stage: 'draft' } }).page()).data).toEqual([])
  })

  it('send what they are given: text in Arabic, yes and no, lists, numbers, and nothing for what is undefined', async () => {
    const task = await diwan.lists.createTask(work.list.id, {
      title: 'شراء الأثاث & "كراسي"',
      assignee_email: work.company.owner.email,
    })
    await diwan.tasks.complete(task.id)
    const { data } = await diwan.company
      .tasks({
        completed: true,
        assignee_email: ['nobody@example.com', work.company.owner.email],
        limit: 1,
        ...{ due_from: undefined },
      })
      .page()
    expect(data.map(({ title }) => title)).toEqual(['شراء الأثاث & "كراسي"'])
    const found = await diwan.search({ q: 'الاثاث', types: ['task', 'file'] })
    expect(found.results.map(({ id }) => id)).toEqual([task.id])
  })

  it('take a handle for one part of an address, whatever it holds', async () => {
    await expect(diwan.tasks.get('tsk-1/../../projects')).rejects.toMatchObject({ status: 404, code: 'not_found' })
    for (const handle of ['', '.', '..']) {
      const refused = { code: 'invalid_argument', status: 0 }
      await expect(diwan.projects.get(handle)).rejects.toMatchObject(refused)
      await expect(diwan.projects.lists(handle).page()).rejects.toMatchObject(refused)
    }
  })

  it('leave other addresses to request, which gives the whole answer', async () => {
    const path = `/projects/${encodeURIComponent(work.project.slug)}/lists`
    expect(await diwan.request('GET', path, { query: { limit: 1 } })).toMatchObject({
      data: [{ id: work.list.id }],
      meta: { limit: 1 },
    })
    expect(await diwan.request('POST', path, { body: { title: 'By hand' } })).toMatchObject({
      data: { title: 'By hand' },
    })
  })
})

describe('A collection', () => {
  it('is every record once and in order, however many pages they take, and asks for a page when it is needed', async () => {
    const list = await diwan.projects.createList(work.project.id, { title: 'Long' })
    const titles = Array.from({ length: 23 }, (_, n) => `Task ${n}`)
    await diwan.lists.createTasks(list.id, { tasks: titles.map(title => ({ title })) })
    const read: string[] = []
    for await (const { title } of diwan.lists.tasks(list.id, { limit: 5 })) read.push(title)
    expect(read).toEqual(titles)

    const requests: string[] = []
    const counting = createDiwan({
      url: app.url,
      key: work.company.key,
      fetch: (...args) => {
        requests.push(String(args[0]))
        return fetch(...args)
      },
    })
    expect(await diwan.lists.tasks(list.id, { limit: 2 }).page()).toMatchObject({ meta: { total: 23, count: 2 } })
    const tasks = counting.lists.tasks(list.id, { limit: 5 })
    expect(requests).toHaveLength(0)
    for await (const { title } of tasks) if (title === 'Task 6') break
    expect(requests).toHaveLength(2)
  })

  it('of files is the files, which stand beside the folders', async () => {
    const project = await diwan.projects.create({ name: 'Files' })
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await newLink(work.company, project.id, { name })
    await diwan.projects.createFolder(project.id, { name: 'Designs' })
    const names: string[] = []
    for await (const { name } of diwan.projects.files(project.id, { limit: 2 })) names.push(name)
    expect(names).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
    expect((await diwan.projects.files(project.id).page()).data.folders).toMatchObject([{ name: 'Designs' }])
  })
})

describe('ifMatch', () => {
  it('takes the record as it was read, and refuses when it has changed since', async () => {
    const seen = await diwan.tasks.get(work.task.id)
    const changed = await diwan.tasks.update(work.task.id, { notes: 'First' }, { ifMatch: seen })
    await expect(diwan.tasks.update(work.task.id, { notes: 'Second' }, { ifMatch: seen })).rejects.toMatchObject({
      status: 412,
      code: 'precondition_failed',
    })
    const done = await diwan.tasks.complete(work.task.id, { ifMatch: changed })
    expect([done.notes, done.completed]).toEqual(['First', true])
  })

  it('takes an ETag, and no record whose version nobody knows', async () => {
    const etag = etagOf(await diwan.projects.get(work.project.id)) as string
    expect(etag).toMatch(/^(W\/)?".+"$/)
    await diwan.projects.update(work.project.id, { description: 'Seen' }, { ifMatch: etag })
    await expect(diwan.projects.archive(work.project.id, { ifMatch: etag })).rejects.toMatchObject({ status: 412 })
    const [listed] = (await diwan.projects.list().page()).data
    const archiving = diwan.projects.archive(work.project.id, { ifMatch: listed as object })
    await expect(archiving).rejects.toMatchObject({ code: 'invalid_argument' })
    const made = await diwan.lists.createTask(work.list.id, { title: 'Fresh' })
    await diwan.tasks.update(made.id, { title: 'Changed' }, { ifMatch: made })
    const late = diwan.tasks.update(made.id, { title: 'Late' }, { ifMatch: made })
    await expect(late).rejects.toMatchObject({ status: 412 })
  })
})

it('The address may end in a slash, or be that of the API', async () => {
  for (const end of ['/', '/api/v1', '/api/v1/']) {
    const { created_by } = await createDiwan({ url: app.url + end, key: work.company.key }).me()
    expect(created_by.email).toBe(work.company.owner.email)
  }
})

it('The headers of an answer are told for all calls, or for one', async () => {
  const seen: Answered[] = []
  const watched = createDiwan({ url: app.url, key: work.company.key, onAnswer: answer => seen.push(answer) })
  await watched.me({ onAnswer: ({ headers }) => expect(headers.get('x-request-id')).toEqual(expect.any(String)) })
  await watched.tasks.get('tsk-0000000000').catch(() => {})
  for await (const _ of watched.projects.list()) break
  expect(seen.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'GET /me 200',
    'GET /tasks/tsk-0000000000 404',
    'GET /projects 200',
  ])
  expect(seen[0]?.headers.get('content-type')).toContain('application/json')
  expect.assertions(3)
})

describe('Files', () => {
  const cleared = (ref: string) =>
    app.database.pool.query("update files set scan_state = 'clean' where ref = $1", [ref])
  const stored = async (ref: string) => {
    await cleared(ref)
    return new Uint8Array(await (await diwan.projects.downloadFile(work.project.id, ref)).arrayBuffer())
  }
  it('are uploaded from bytes, an ArrayBuffer, a Blob and a File, which has a name, of any length, and downloaded', async () => {
    const bytes = Uint8Array.of(0, 1, 254, 255)
    const large = new Uint8Array(100_000).map((_, n) => n % 251)
    for (const content of [bytes, bytes.buffer, new Blob([bytes]), large]) {
      const { ref } = await diwan.upload(work.project.id, { name: 'data.zip', content })
      expect(Buffer.compare(await stored(ref), content === large ? large : bytes)).toBe(0)
    }
    const content = new File(['a,b\n1,2\n'], 'جدول.csv')
    expect((await diwan.upload(work.project.id, { content })).name).toBe('جدول.csv')
    const nameless = diwan.upload(work.project.id, { content: Uint8Array.of(1) })
    await expect(nameless).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('are waited for until they are scanned, and no longer than asked', async () => {
    const { ref } = await diwan.upload(work.project.id, { name: 'notes.txt', content: new Blob(['hello']) })
    const waiting = diwan.waitUntilScanned(work.project.id, ref)
    const late = diwan.waitUntilScanned(work.project.id, ref, { giveUpAfterMs: 300 })
    await expect(late).rejects.toMatchObject({ code: 'time_out' })
    await cleared(ref)
    expect(await waiting).toMatchObject({ ref, scan_state: 'clean', downloadable: true })
  })
})
