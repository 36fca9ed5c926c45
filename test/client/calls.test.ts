import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDiwan, type Diwan, etagOf } from '../../client/src/index.ts'
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

  it('are all in the table of the README, and nothing else is', () => {
    const rows = readFileSync('client/README.md', 'utf8').matchAll(/^\| `diwan(?:\.(\w+))?` \| (.+) \|$/gm)
    const listed = [...rows].flatMap(([, resource, cells = '']) =>
      [...cells.matchAll(/`(\w+)`/g)].map(([, name = '']) => (resource ? `${resource}.${name}` : name)),
    )
    const made = [...methods.map(({ name }) => name), 'changes', 'request']
    expect(listed.sort()).toEqual(made.sort())
  })

  it('give the record that the API answers with, without what is around it', async () => {
    expect(await diwan.tasks.get(work.task.id)).toEqual(
      (await work.company.api.get(`/tasks/${work.task.id}`)).body.data,
    )
    expect((await diwan.me()).company.name).toMatch(/^Company /)
    expect((await diwan.projects.members(work.project.id)).map(({ name }) => name)).toEqual(['Layla Haddad'])
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
    for (const handle of ['', '.', '..']) expect(() => diwan.projects.get(handle)).toThrow(TypeError)
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

  it('download the bytes of a file', async () => {
    const { ref } = await diwan.projects.uploadFile(work.project.id, { name: 'ملاحظات.md', content: '# مرحبا' })
    // The scan is no part of this test, and there is no worker here to do it.
    await app.database.pool.query("update files set scan_state = 'clean' where ref = $1", [ref])
    const blob = await diwan.projects.downloadFile(work.project.id, ref)
    expect([await blob.text(), blob.type]).toEqual(['# مرحبا', expect.stringContaining('text/markdown')])
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
    const tasks = counting.lists.tasks(list.id, { limit: 5 })
    expect(requests).toHaveLength(0)
    for await (const { title } of tasks) if (title === 'Task 6') break
    expect(requests).toHaveLength(2)
  })

  it('gives one page with what the API says about it', async () => {
    const first = await diwan.projects.list({ limit: 1 }).page()
    expect(first).toMatchObject({ data: [{ id: work.project.id }], meta: { total: 1, count: 1, next_cursor: null } })
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
    expect(() => diwan.projects.archive(work.project.id, { ifMatch: listed as object })).toThrow(TypeError)
  })
})
