import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created } from '../support/diwan.ts'
import { furnishWork, newDiscussion, newList, newTask, type Work } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

interface Kind {
  kind: string
  /** Where one is created, and what is required for that. */
  collection: (work: Work) => string
  body: Record<string, string>
  /** The flat address without the handle. */
  flat: string
  of: (work: Work) => { id: string }
}

const KINDS: Kind[] = [
  { kind: 'project', collection: () => '/projects', body: { name: 'Office' }, flat: '/projects', of: w => w.project },
  {
    kind: 'task_list',
    collection: w => `/projects/${w.project.id}/lists`,
    body: { title: 'Chairs' },
    flat: '/lists',
    of: w => w.list,
  },
  {
    kind: 'task',
    collection: w => `/lists/${w.list.id}/tasks`,
    body: { title: 'Chairs' },
    flat: '/tasks',
    of: w => w.task,
  },
  {
    kind: 'discussion',
    collection: w => `/projects/${w.project.id}/discussions`,
    body: { title: 'Chairs' },
    flat: '/discussions',
    of: w => w.discussion,
  },
]

/** One with every kind of character that an address must encode. */
const STRANGE = 'crm/77?a=b#c %d ٧٧ ext:é\u0301'
const ext = (id: string) => `ext:${encodeURIComponent(id)}`

describe.each(KINDS)('The external id of a $kind', ({ kind, collection, body, flat, of }) => {
  it('is given back exactly, names the record at the flat address, is changed, cleared and free after a deletion', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    expect((await api.get(`${flat}/${of(work).id}`)).body.data.external_id).toBeNull()
    const { data } = await created(api.post(collection(work), { ...body, external_id: STRANGE }))
    expect(data.external_id).toBe(STRANGE)
    for (const handle of [ext(STRANGE), `ext%3A${encodeURIComponent(STRANGE)}`])
      expect((await api.get(`${flat}/${handle}`)).body).toEqual({ data })
    const changed = await api.patch(`${flat}/${ext(STRANGE)}`, { external_id: ' crm-78 ' })
    expect([changed.status, changed.body.data.external_id]).toEqual([200, ' crm-78 '])
    expect((await api.get(`${flat}/${ext(STRANGE)}`)).status).toBe(404)
    expect((await api.patch(`${flat}/${data.id}`, { external_id: null })).body.data.external_id).toBeNull()
    await api.patch(`${flat}/${data.id}`, { external_id: 'crm-77' })
    expect((await api.delete(`${flat}/ext:crm-77`)).status).toBe(200)
    expect((await api.get(`${flat}/ext:crm-77`)).status).toBe(404)
    const next = await created(api.post(collection(work), { ...body, external_id: 'crm-77' }))
    expect((await api.get(`${flat}/ext:crm-77`)).body.data.id).toBe(next.data.id)
  })

  it('has 1 to 255 characters, not all of them blank', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const longest = '🌙'.repeat(255)
    const { data } = await created(api.post(collection(work), { ...body, external_id: longest }))
    expect((await api.get(`${flat}/${ext(longest)}`)).body.data.id).toBe(data.id)
    for (const [external_id, message] of [
      [' \u200b', "external_id can't be blank"],
      [`${longest}🌙`, 'external_id is too long: at most 255 characters'],
    ] as const)
      expectRefusal(await api.post(collection(work), { ...body, external_id }), 422, 'unprocessable_entity', message)
    for (const id of ['', ' ', '%E2%80%8B', 'a%00b', 'a'.repeat(256), 'nobody'])
      expectRefusal(await api.get(`${flat}/ext:${id}`), 404, 'not_found', 'The record was not found.')
  })

  it('belongs to one record of the company: 409 names it, and nothing is written; the feed names a change', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const { data } = await created(api.post(collection(work), { ...body, external_id: 'crm-77' }))
    const message = `external_id "crm-77" already names ${data.id}`
    const taken = { error: { code: 'conflict', message, id: data.id } }
    const before = (await api.get(collection(work))).body.meta.total
    const after = await cursorOfNow(app, api)
    for (const answer of [
      await api.post(collection(work), { ...body, external_id: 'crm-77' }),
      await api.patch(`${flat}/${of(work).id}`, { external_id: 'crm-77', ...body }),
    ])
      expect([answer.status, answer.body]).toEqual([409, taken])
    expect((await api.get(collection(work))).body.meta.total).toBe(before)
    // Compared exactly, and in this company and kind only.
    for (let n = 0; n < 2; n++)
      expect((await api.patch(`${flat}/${of(work).id}`, { external_id: 'CRM-77' })).status).toBe(200)
    expect((await api.patch(`${flat}/${data.id}`, { external_id: 'crm-77' })).status).toBe(200)
    const elsewhere = await furnishWork(app.diwan)
    expect((await elsewhere.company.api.get(`${flat}/ext:crm-77`)).status).toBe(404)
    await created(elsewhere.company.api.post(collection(elsewhere), { ...body, external_id: 'crm-77' }))
    const told = await entriesAfter(app, api, after)
    expect(told.map(({ kind, change, fields }: Record<string, unknown>) => ({ kind, change, fields }))).toEqual([
      { kind, change: 'updated', fields: ['external_id'] },
    ])
  })
})

describe('A handle with an external id', () => {
  it('works for writes too, and is no leaf in a nested address and no destination', async () => {
    const { company, project, list, task } = await furnishWork(app.diwan)
    const { api } = company
    await api.patch(`/projects/${project.id}`, { external_id: STRANGE })
    await api.patch(`/lists/${list.id}`, { external_id: 'crm 1' })
    await api.patch(`/tasks/${task.id}`, { external_id: 'crm 2' })
    expect((await api.post(`/projects/${ext(STRANGE)}/lists`, { title: 'Chairs' })).status).toBe(201)
    expect((await api.post('/lists/ext:crm%201/tasks', { title: 'Chairs' })).status).toBe(201)
    expect((await api.post('/tasks/ext:crm%202/complete')).body.data.completed).toBe(true)
    expect((await api.post('/tasks/ext:crm%202/comments', { content: 'Agreed' })).status).toBe(201)
    expect((await api.patch(`/projects/${project.id}/lists/ext:crm%201`, { title: 'x' })).status).toBe(404)
    expect((await api.post(`/tasks/${task.id}/move`, { list_id: 'ext:crm%201' })).status).toBe(422)
    expect((await api.post(`/projects/${ext(STRANGE)}/archive`)).status).toBe(200)
  })
})

describe('External ids below what is deleted', () => {
  it.each(['project', 'list'] as const)('are free when the %s is deleted', async above => {
    const { company, project, list } = await furnishWork(app.diwan)
    const { api } = company
    await newTask(company, list.id, { external_id: 't' })
    await api.patch(`/lists/${list.id}`, { external_id: 'l' })
    await newDiscussion(company, project.id, { external_id: 'd' })
    await api.delete(above === 'project' ? `/projects/${project.id}` : `/lists/${list.id}`)
    for (const path of ['/lists/ext:l', '/tasks/ext:t']) expect((await api.get(path)).status).toBe(404)
    const other = await app.diwan.project(company)
    const next = await newList(company, other.id, { external_id: 'l' })
    expect((await newTask(company, next.id, { external_id: 't' })).external_id).toBe('t')
    if (above === 'project')
      expect((await newDiscussion(company, other.id, { external_id: 'd' })).external_id).toBe('d')
  })

  it('come back with a restored record, or are null when they were taken meanwhile, without a trace in it', async () => {
    const { company, project, list, task, discussion } = await furnishWork(app.diwan)
    const { api, admin } = company
    for (const [path, id] of [
      [`/projects/${project.id}`, 'p'],
      [`/lists/${list.id}`, 'l'],
      [`/tasks/${task.id}`, 't'],
      [`/discussions/${discussion.id}`, 'd'],
    ])
      await api.patch(path as string, { external_id: id })
    await api.delete(`/projects/${project.id}`)
    expect((await admin.post(`/trash/${project.id}/restore`)).body.data.external_id).toBe('p')
    expect((await api.get('/tasks/ext:t')).body.data.id).toBe(task.id)

    const updatedAt = (await api.get(`/tasks/${task.id}`)).body.data.updated_at
    await api.delete(`/projects/${project.id}`)
    const other = await app.diwan.project(company, { external_id: 'p' })
    const otherList = await newList(company, other.id)
    await newTask(company, otherList.id, { external_id: 't' })
    const after = await cursorOfNow(app, api)
    const restored = await admin.post(`/trash/${project.id}/restore`)
    expect([restored.status, restored.body.data.external_id]).toEqual([200, null])
    expect((await api.get(`/tasks/${task.id}`)).body.data).toMatchObject({ external_id: null, updated_at: updatedAt })
    expect((await api.get('/lists/ext:l')).body.data.id).toBe(list.id)
    expect((await api.get('/discussions/ext:d')).body.data.id).toBe(discussion.id)
    const data = await entriesAfter(app, api, after)
    expect(data.map(({ change, id }: { change: string; id: string }) => [change, id])).toEqual([
      ['restored', project.id],
    ])
  })

  it('leave no entry in the feed when they are taken over', async () => {
    const { company, list } = await furnishWork(app.diwan)
    const { api } = company
    await newTask(company, list.id, { external_id: 't' })
    const other = await newList(company, (await app.diwan.project(company)).id)
    await api.delete(`/lists/${list.id}`)
    const after = await cursorOfNow(app, api)
    const { id } = await newTask(company, other.id, { external_id: 't' })
    const data = await entriesAfter(app, api, after)
    expect(data.map((entry: { change: string; id: string }) => [entry.change, entry.id])).toEqual([['created', id]])
  })
})

describe('External ids in a batch', () => {
  it('are given to the tasks they stand in', async () => {
    const { company, list } = await furnishWork(app.diwan)
    const tasks = [{ title: 'a', external_id: '1' }, { title: 'b' }, { title: 'c', external_id: '3' }]
    const { data } = await created(company.api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
    expect(data.map((task: { external_id: string | null }) => task.external_id)).toEqual(['1', null, '3'])
    expect((await company.api.get('/tasks/ext:3')).body.data.id).toBe(data[2].id)
  })

  it('are 422 when two are the same, and 409 naming the place when one is taken; nothing is written', async () => {
    const { company, list, task } = await furnishWork(app.diwan)
    const { api } = company
    await api.patch(`/tasks/${task.id}`, { external_id: 'crm-77' })
    const send = (ids: (string | null)[]) =>
      api.post(`/lists/${list.id}/tasks/batch`, { tasks: ids.map(external_id => ({ title: 'Chairs', external_id })) })
    expectRefusal(
      await send(['1', null, '2', '1', null]),
      422,
      'unprocessable_entity',
      'tasks[3].external_id is the same as that of tasks[0]',
    )
    const taken = await send(['1', 'crm-77', null])
    const message = `tasks[1].external_id "crm-77" already names ${task.id}`
    expect([taken.status, taken.body]).toEqual([409, { error: { code: 'conflict', message, id: task.id } }])
    expectRefusal(await send(['1', ' ']), 422, 'unprocessable_entity', "tasks[1].external_id can't be blank")
    expect((await api.get(`/lists/${list.id}/tasks`)).body.meta.total).toBe(1)
  })
})

it('The filter external_id finds records with any of several, in every order, with every other filter and in pages', async () => {
  const { company, project, list } = await furnishWork(app.diwan)
  const { api } = company
  const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)
  const ids = (records: { id: string }[]) => records.map(({ id }) => id)
  const other = await app.diwan.project(company, { external_id: 'b' })
  await api.patch(`/projects/${project.id}`, { external_id: 'a' })
  const lists = [
    await newList(company, project.id, { external_id: 'a' }),
    await newList(company, other.id, { external_id: 'b' }),
  ]
  const tasks = ids([
    await newTask(company, list.id, { external_id: 'a', due_at: '2027-02-02' }),
    await newTask(company, list.id, { external_id: 'b', due_at: '2027-02-01' }),
    await newTask(company, lists[1].id, { external_id: 'c' }),
  ])
  const [a, b, c] = tasks
  const ALL = 'external_id=a&external_id=b&external_id=c&external_id=d'
  for (const [path, found] of [
    [`/projects?${ALL}`, [other.id, project.id]],
    ['/projects?external_id=b', [other.id]],
    ['/projects?external_id=A', []],
    ['/projects?external_id=%00', []],
    [`/projects/${project.id}/lists?${ALL}&limit=1`, [lists[0].id]],
    [`/company/tasks?${ALL}`, tasks],
    [`/company/tasks?${ALL}&sort=due`, [b, a, c]],
    [`/company/tasks?${ALL}&sort=-created`, [c, b, a]],
    [`/company/tasks?${ALL}&project=${other.id}`, [c]],
    [`/company/tasks?${ALL}&due_from=2027-02-02`, [a]],
    [`/company/tasks?${ALL}&completed=true`, []],
    [`/company/tasks?${ALL}&unassigned=true&updated_since=2026-01-01`, tasks],
    [`/projects/${project.id}/tasks?${ALL}`, [a, b]],
  ] as const) {
    const answer = await api.get(path)
    expect([path, idsOf(answer), answer.body.meta.total]).toEqual([path, found, found.length])
  }
  const first = await api.get(`/company/tasks?${ALL}&limit=2`)
  const second = await api.get(`/company/tasks?${ALL}&limit=2&cursor=${first.body.meta.next_cursor}`)
  expect([idsOf(first), idsOf(second), second.body.meta.total]).toEqual([tasks.slice(0, 2), tasks.slice(2), 3])
  await api.post(`/tasks/${a}/complete`)
  expect(idsOf(await api.get(`/company/tasks?${ALL}&completed_since=2026-01-01`))).toEqual([a])
  await api.post(`/projects/${other.id}/archive`)
  expect(idsOf(await api.get(`/company/tasks?${ALL}&sort=-updated`))).toEqual([a, b])
})
