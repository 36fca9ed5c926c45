import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created } from '../support/diwan.ts'
import { furnishWork, newDiscussion, newList, newTask, type Work } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { callsInRace, roundsOfRace } from '../support/races.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

/** A kind of record, its flat address without the handle, its required field, and another text. */
const KINDS = [
  { kind: 'project', flat: '/projects', name: 'name', text: 'description' },
  { kind: 'task_list', flat: '/lists', name: 'title', text: 'notes' },
  { kind: 'task', flat: '/tasks', name: 'title', text: 'notes' },
  { kind: 'discussion', flat: '/discussions', name: 'title', text: 'body' },
] as const

/** Where a record of this kind is created. */
function placeOf(kind: (typeof KINDS)[number]['kind'], { project, list }: Work): string {
  const below = { task_list: `/projects/${project.id}/lists`, discussion: `/projects/${project.id}/discussions` }
  return { project: '/projects', task: `/lists/${list.id}/tasks`, ...below }[kind]
}

/** One with every kind of character that an address must encode. */
const STRANGE = 'crm/77?a=b#c %d ٧٧ ext:é\u0301'
const ext = (id: string) => `ext:${encodeURIComponent(id)}`

describe.each(KINDS)('The external id of a $kind', ({ kind, name, flat }) => {
  const collection = (work: Work) => placeOf(kind, work)
  const of = (work: Work) => work[kind === 'task_list' ? 'list' : kind]
  const body = { [name]: 'Chairs' }

  it('is given back exactly, names the record at the flat address, is changed, cleared and free after a deletion', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    expect((await api.get(`${flat}/${of(work).id}`)).body.data.external_id).toBeNull()
    const { data } = await created(api.post(collection(work), { ...body, external_id: STRANGE }))
    expect(data.external_id).toBe(STRANGE)
    for (const id of ['', '%20', '%E2%80%8B', 'a%00b', 'a'.repeat(256), 'nobody'])
      expectRefusal(await api.get(`${flat}/ext:${id}`), 404, 'not_found')
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
    const after = await cursorOfNow(app, api)
    const taken = await newTask(company, otherList.id, { external_id: 't' })
    const restored = await admin.post(`/trash/${project.id}/restore`)
    expect([restored.status, restored.body.data.external_id]).toEqual([200, null])
    expect((await api.get(`/tasks/${task.id}`)).body.data).toMatchObject({ external_id: null, updated_at: updatedAt })
    expect((await api.get('/lists/ext:l')).body.data.id).toBe(list.id)
    expect((await api.get('/discussions/ext:d')).body.data.id).toBe(discussion.id)
    const data = await entriesAfter(app, api, after)
    expect(data.map(({ change, id }: { change: string; id: string }) => [change, id])).toEqual([
      ['created', taken.id],
      ['restored', project.id],
    ])
  })
})

describe('External ids in a batch', () => {
  it('are 422 when two are the same, 409 naming the place when one is taken, and nothing is written; else each task has its own', async () => {
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
    expect((await api.get(`/lists/${list.id}/tasks`)).body.meta.total).toBe(1)
    const { data } = (await send(['1', null, '3'])).body
    expect(data.map((task: { external_id: string | null }) => task.external_id)).toEqual(['1', null, '3'])
    expect((await api.get('/tasks/ext:3')).body.data.id).toBe(data[2].id)
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
    ['/projects?external_id=A', []],
    [`/projects/${project.id}/lists?${ALL}&limit=1`, [lists[0].id]],
    [`/company/tasks?${ALL}`, tasks],
    [`/company/tasks?${ALL}&sort=due`, [b, a, c]],
    [`/company/tasks?${ALL}&project=${other.id}`, [c]],
    [`/company/tasks?${ALL}&due_from=2027-02-02`, [a]],
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

describe.each(KINDS)('PUT a $kind by its external id', ({ kind, flat, name, text }) => {
  const collection = (work: Work) => placeOf(kind, work)

  it('creates it (201), then changes only the fields that are named (200), and nothing where nothing is new', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const first = await api.put(`${collection(work)}/ext:crm%2F77`, { [name]: 'Chairs', [text]: 'Two' })
    const { id } = first.body.data
    expect([first.status, first.body.data]).toMatchObject([
      201,
      { external_id: 'crm/77', [name]: 'Chairs', [text]: 'Two' },
    ])
    const shown = await api.get(`${flat}/${id}`)
    expect([first.body, first.headers.get('etag')]).toEqual([shown.body, shown.headers.get('etag')])
    const collected = (await api.get(collection(work))).body.data
    expect(collected.map((each: { id: string }) => each.id)).toContain(id)

    const cursor = await cursorOfNow(app, api)
    for (const again of [{ [name]: 'Chairs', [text]: 'Two' }, {}, undefined]) {
      const answer = await api.put(`${collection(work)}/ext:crm%2F77`, again)
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([
        200,
        first.body,
        first.headers.get('etag'),
      ])
    }
    const answer = await api.put(`${collection(work)}/ext%3Acrm%2F77`, { [text]: 'Three', external_id: 'crm/77' })
    expect([answer.status, answer.body.data.id]).toEqual([200, id])
    expect(answer.body.data).toMatchObject({ external_id: 'crm/77', [name]: 'Chairs', [text]: 'Three' })
    expect(answer.headers.get('etag')).toBe((await api.get(`${flat}/${id}`)).headers.get('etag'))
    const told = await entriesAfter(app, api, cursor)
    expect(told.map(({ kind, change, fields }: Record<string, unknown>) => ({ kind, change, fields }))).toEqual([
      { kind, change: 'updated', fields: [text] },
    ])
    await api.delete(`${flat}/${id}`)
    const anew = await api.put(`${collection(work)}/ext:crm%2F77`, { [name]: 'Chairs' })
    expect([anew.status, anew.body.data.id === id]).toEqual([201, false])
  })

  it('requires what creating requires only when there is none, and no other external id in the body', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const put = (body: unknown) => api.put(`${collection(work)}/ext:77`, body)
    const OTHER = 'external_id must be the one in the address, or left out'
    for (const [body, message] of [
      [{ [text]: 'Two' }, `${name} can't be blank`],
      [{ record: { [name]: 'Chairs' } }, expect.stringContaining('looks wrapped')],
      [{ [name]: 'Chairs', external_id: '78' }, OTHER],
      [{ [name]: 'Chairs', external_id: null }, OTHER],
    ])
      expectRefusal(await put(body), 422, 'unprocessable_entity', message)
    expect((await put({ [name]: 'Chairs' })).status).toBe(201)
    for (const body of [{ [name]: null }, { external_id: null }, { external_id: '' }])
      expectRefusal(await put(body), 422, 'unprocessable_entity')
    expect((await api.get(`${flat}/ext:77`)).body.data).toMatchObject({ [name]: 'Chairs', external_id: '77' })
  })

  it('is 412 under any If-Match while there is none', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    for (const tag of ['*', '"x"']) {
      const answer = await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs' }, { 'if-match': tag })
      expectRefusal(answer, 412, 'precondition_failed')
    }
    expect((await api.get(`${flat}/ext:77`)).status).toBe(404)
  })

  it('is 404 with an id that no record can have, and no endpoint without ext:', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    for (const id of ['', '%20', 'a%00', 'a'.repeat(256)])
      expectRefusal(await api.put(`${collection(work)}/ext:${id}`, { [name]: 'Chairs' }), 404, 'not_found')
    const answer = await api.put(`${collection(work)}/prj-0000000000`, { [name]: 'Chairs' })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'unknown_endpoint'])
  })

  it('is 201 once and 200 for the others that come at once', async () => {
    const work = await furnishWork(app.diwan, { daily_calls: 1_000_000 })
    const keys = await Promise.all([1, 2, 3].map(() => app.diwan.key(work.company.id)))
    const clients = [work.company.api, ...keys.map(key => app.diwan.api(key))]
    for (let round = 0; round < roundsOfRace(16); round++) {
      const answers = await Promise.all(
        Array.from({ length: callsInRace(16) }, (_, n) =>
          (clients[n % 4] as typeof work.company.api).put(`${collection(work)}/ext:${round}`, {
            [name]: `Chairs ${n}`,
          }),
        ),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect([round, statuses]).toEqual([round, [...Array(callsInRace(16) - 1).fill(200), 201]])
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    }
  })
})

describe('An upsert', () => {
  it('changes the record wherever it stands, and never moves it', async () => {
    const { company, project, list, task } = await furnishWork(app.diwan)
    const { api } = company
    await api.patch(`/tasks/${task.id}`, { external_id: 't' })
    await api.patch(`/lists/${list.id}`, { external_id: 'l' })
    const other = await app.diwan.project(company)
    const otherList = await newList(company, other.id)
    const changed = await api.put(`/lists/${otherList.id}/tasks/ext:t`, { title: 'Chairs' })
    expect([changed.status, changed.body.data.id, changed.body.data.task_list_id]).toEqual([200, task.id, list.id])
    const changedList = await api.put(`/projects/${other.id}/lists/ext:l`, { notes: 'Here' })
    expect([changedList.status, changedList.body.data.project_id]).toEqual([200, project.id])
    expect((await api.put('/lists/ext:l/tasks/ext:t', { title: 'Desks' })).body.data.title).toBe('Desks')
  })

  it('is 403 when the parent or the record is frozen, wherever each of them is', async () => {
    const { company, project, task } = await furnishWork(app.diwan)
    const { api } = company
    await api.patch(`/tasks/${task.id}`, { external_id: 't' })
    const other = await app.diwan.project(company)
    const otherList = await newList(company, other.id)
    for (const { id } of [project, other]) {
      await api.post(`/projects/${id}/archive`)
      expectRefusal(await api.put(`/lists/${otherList.id}/tasks/ext:t`, { title: 'Chairs' }), 403, 'forbidden')
      await api.post(`/projects/${id}/unarchive`)
    }
  })

  it('sets what a create sets: an assignee, a Hijri day', async () => {
    const { company, list } = await furnishWork(app.diwan)
    const { api, owner } = company
    const { body } = await api.put(`/lists/${list.id}/tasks/ext:t`, {
      title: 'Chairs',
      assignee_email: owner.email,
      due_at_hijri: '1448-10-01',
    })
    expect(body.data).toMatchObject({ assignee: { email: owner.email }, due_at: '2027-03-09' })
    const nobody = { assignee_email: 'nobody@example.com' }
    expect((await api.put(`/lists/${list.id}/tasks/ext:t`, nobody)).status).toBe(422)
  })
})

describe('One of several that want the same external id at the same moment', () => {
  const ROUNDS = roundsOfRace(24)

  it('gets it alone: creating, changing, in batches of opposite order', async () => {
    const { company, list } = await furnishWork(app.diwan, { daily_calls: 1_000_000 })
    const keys = await Promise.all([1, 2, 3].map(() => app.diwan.key(company.id)))
    const [a, b, c] = keys.map(key => app.diwan.api(key)) as [
      typeof company.api,
      typeof company.api,
      typeof company.api,
    ]
    for (let round = 0; round < ROUNDS; round++) {
      const own = (await company.api.post(`/lists/${list.id}/tasks`, { title: 'Own' })).body.data.id
      const batch = [`a${round}`, `b${round}`].map(external_id => ({ title: 'Chairs', external_id }))
      const answers = await Promise.all([
        a.post(`/lists/${list.id}/tasks/batch`, { tasks: batch }),
        b.post(`/lists/${list.id}/tasks/batch`, { tasks: batch.toReversed() }),
        c.post(`/lists/${list.id}/tasks`, { title: 'Chairs', external_id: `a${round}` }),
        company.api.patch(`/tasks/${own}`, { external_id: `b${round}` }),
      ])
      const winners = answers.filter(({ status }) => status < 300).length
      expect([round, answers.every(({ status }) => [200, 201, 409].includes(status))]).toEqual([round, true])
      // Either one batch, or the two who want one id each, or one of these and nobody else for the other id.
      expect([1, 2]).toContain(winners)
      for (const { status, body } of answers) if (status === 409) expect(body.error.id).toMatch(/^tsk-/)
    }
  })
})
