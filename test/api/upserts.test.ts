import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { furnishWork, newList, type Work } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { callsInRace, roundsOfRace } from '../support/races.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

interface Kind {
  kind: string
  operation: string
  /** Where it is created, without the handle. */
  collection: (work: Work) => string
  flat: string
  /** The required field, and another one. */
  name: string
  text: string
}

const KINDS: Kind[] = [
  {
    kind: 'project',
    operation: 'projects:write',
    collection: () => '/projects',
    flat: '/projects',
    name: 'name',
    text: 'description',
  },
  {
    kind: 'task_list',
    operation: 'task_lists:write',
    collection: w => `/projects/${w.project.id}/lists`,
    flat: '/lists',
    name: 'title',
    text: 'notes',
  },
  {
    kind: 'task',
    operation: 'tasks:write',
    collection: w => `/lists/${w.list.id}/tasks`,
    flat: '/tasks',
    name: 'title',
    text: 'notes',
  },
  {
    kind: 'discussion',
    operation: 'discussions:write',
    collection: w => `/projects/${w.project.id}/discussions`,
    flat: '/discussions',
    name: 'title',
    text: 'body',
  },
]

async function entriesSince({ api }: TestCompany, cursor: string) {
  const data = await entriesAfter(app, api, cursor)
  return data.map(({ kind, change, fields }: Record<string, unknown>) => ({ kind, change, fields }))
}

describe.each(KINDS)('PUT a $kind by its external id', ({ kind, operation, collection, flat, name, text }) => {
  it('creates it: 201, as its GET shows it', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const answer = await api.put(`${collection(work)}/ext:crm%2F77`, { [name]: 'Chairs', [text]: 'Two' })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ external_id: 'crm/77', [name]: 'Chairs', [text]: 'Two' })
    const shown = await api.get(`${flat}/${answer.body.data.id}`)
    expect(answer.body).toEqual(shown.body)
    expect(answer.headers.get('etag')).toBe(shown.headers.get('etag'))
    const collected = (await api.get(collection(work))).body.data
    expect(collected.map(({ id }: { id: string }) => id)).toContain(answer.body.data.id)
  })

  it('changes only the fields that are named: 200, with an encoded colon too', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const { id } = (await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs', [text]: 'Two' })).body.data
    const cursor = await cursorOfNow(app, work.company.api)
    const answer = await api.put(`${collection(work)}/ext%3A77`, { [text]: 'Three', external_id: '77' })
    expect([answer.status, answer.body.data.id]).toEqual([200, id])
    expect(answer.body.data).toMatchObject({ external_id: '77', [name]: 'Chairs', [text]: 'Three' })
    expect(answer.headers.get('etag')).toBe((await api.get(`${flat}/${id}`)).headers.get('etag'))
    expect(await entriesSince(work.company, cursor)).toEqual([{ kind, change: 'updated', fields: [text] }])
  })

  it('leaves an unchanged record as it is: no entry in the feed, the same ETag', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const body = { [name]: 'Chairs', [text]: 'Two' }
    const first = await api.put(`${collection(work)}/ext:77`, body)
    const cursor = await cursorOfNow(app, work.company.api)
    for (const again of [body, {}, undefined]) {
      const answer = await api.put(`${collection(work)}/ext:77`, again)
      expect([answer.status, answer.body]).toEqual([200, first.body])
      expect(answer.headers.get('etag')).toBe(first.headers.get('etag'))
    }
    expect(await entriesSince(work.company, cursor)).toEqual([])
  })

  it('requires what creating requires only when there is none, and says when the body looks wrapped', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const put = (body: unknown) => api.put(`${collection(work)}/ext:77`, body)
    expectRefusal(await put({ [text]: 'Two' }), 422, 'unprocessable_entity', `${name} can't be blank`)
    expectRefusal(
      await put({ record: { [name]: 'Chairs' } }),
      422,
      'unprocessable_entity',
      expect.stringContaining('looks wrapped'),
    )
    expect((await put({ [name]: 'Chairs' })).status).toBe(201)
    expectRefusal(await put({ [name]: null }), 422, 'unprocessable_entity', `${name} can't be blank`)
  })

  it('refuses another external id in the body', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    for (const external_id of ['78', null]) {
      const answer = await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs', external_id })
      expectRefusal(answer, 422, 'unprocessable_entity', 'external_id must be the one in the address, or left out')
    }
    await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs' })
    expect((await api.put(`${collection(work)}/ext:77`, { external_id: null })).status).toBe(422)
    expect((await api.put(`${collection(work)}/ext:77`, { external_id: '' })).status).toBe(422)
    expect((await api.get(`${flat}/ext:77`)).status).toBe(200)
  })

  it('compares If-Match, with nothing there: 412', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const put = (body: object, tag: string) => api.put(`${collection(work)}/ext:77`, body, { 'if-match': tag })
    for (const tag of ['*', '"x"']) expect((await put({ [name]: 'Chairs' }, tag)).status).toBe(412)
    expect((await api.get(`${flat}/ext:77`)).status).toBe(404)
    const tag = (await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs' })).headers.get('etag') as string
    expect((await put({ [text]: 'Two' }, tag)).status).toBe(200)
    expect((await put({ [text]: 'Three' }, tag)).status).toBe(412)
    expect((await put({ [text]: 'Three' }, '*')).status).toBe(200)
  })

  it('is carried out once under an Idempotency-Key, and the status is repeated too', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const put = (body: object, key: string) => api.put(`${collection(work)}/ext:77`, body, { 'idempotency-key': key })
    const first = await put({ [name]: 'Chairs' }, 'a')
    const replayed = await put({ [name]: 'Chairs' }, 'a')
    expect([first.status, replayed.status, replayed.body]).toEqual([201, 201, first.body])
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect((await put({ [text]: 'Two' }, 'a')).status).toBe(422)
    expect((await put({ [text]: 'Two' }, 'b')).status).toBe(200)
    expect((await put({ [text]: 'Two' }, 'b')).status).toBe(200)
  })

  it('takes the id from a deleted record', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const { id } = (await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs' })).body.data
    await api.delete(`${flat}/${id}`)
    const answer = await api.put(`${collection(work)}/ext:77`, { [name]: 'Chairs' })
    expect(answer.status).toBe(201)
    expect(answer.body.data.id).not.toBe(id)
  })

  it('needs the write operation of the kind, and a key', async () => {
    const work = await furnishWork(app.diwan)
    const path = `${collection(work)}/ext:77`
    expect((await app.diwan.api().put(path, {})).status).toBe(401)
    const operations = work.company.key && KINDS.map(each => each.operation).filter(each => each !== operation)
    const other = app.diwan.api(await app.diwan.key(work.company.id, { operations }))
    expectRefusal(await other.put(path, { [name]: 'Chairs' }), 403, 'forbidden')
    const only = app.diwan.api(await app.diwan.key(work.company.id, { operations: [operation] }))
    expect((await only.put(path, { [name]: 'Chairs' })).status).toBe(201)
  })

  it('is 404 with an id that no record can have, and no endpoint without ext:', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    for (const id of ['', '%20', 'a%00', 'a'.repeat(256)])
      expectRefusal(await api.put(`${collection(work)}/ext:${id}`, { [name]: 'Chairs' }), 404, 'not_found')
    const answer = await api.put(`${collection(work)}/prj-0000000000`, { [name]: 'Chairs' })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'unknown_endpoint'])
  })

  it(`is 201 once and 200 for the others of ${callsInRace(16)} that come at once, in each of ${roundsOfRace(16)} rounds`, async () => {
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

  it('is 404 below a parent that does not exist, also when the record does', async () => {
    const { company, task } = await furnishWork(app.diwan)
    await company.api.patch(`/tasks/${task.id}`, { external_id: 't' })
    expect((await company.api.put('/lists/lst-0000000000/tasks/ext:t', { title: 'Chairs' })).status).toBe(404)
    expect((await company.api.put('/projects/ext:nobody/lists/ext:l', { title: 'Chairs' })).status).toBe(404)
  })

  it('is 403 when the parent or the record is frozen', async () => {
    const { company, project, task } = await furnishWork(app.diwan)
    const { api } = company
    await api.patch(`/tasks/${task.id}`, { external_id: 't' })
    await api.patch(`/projects/${project.id}`, { external_id: 'p' })
    const other = await app.diwan.project(company)
    const otherList = await newList(company, other.id)
    const put = () => api.put(`/lists/${otherList.id}/tasks/ext:t`, { title: 'Chairs' })
    await api.post(`/projects/${project.id}/archive`)
    expectRefusal(await put(), 403, 'forbidden')
    expectRefusal(await api.put('/projects/ext:p', { name: 'Office' }), 403, 'forbidden')
    expectRefusal(await api.put(`/projects/${project.id}/lists/ext:l`, {}), 403, 'forbidden')
    await api.post(`/projects/${project.id}/unarchive`)
    await api.post(`/projects/${other.id}/archive`)
    expectRefusal(await put(), 403, 'forbidden')
    await api.post(`/projects/${other.id}/unarchive`)
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expectRefusal(await put(), 403, 'forbidden')
    expectRefusal(await api.put('/projects/ext:new', { name: 'Office' }), 403, 'forbidden')
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

describe('Who wants the same external id at the same moment', () => {
  const ROUNDS = roundsOfRace(24)
  const sorted = (answers: Answer[]) => answers.map(({ status }) => status).sort()

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

  it('gets it before the restore of the record that had it, or is told that this one is back', async () => {
    const work = await furnishWork(app.diwan, { daily_calls: 1_000_000 })
    const { company, project, list, task } = work
    const { api, admin } = company
    const other = await newList(company, (await app.diwan.project(company)).id)
    for (let round = 0; round < ROUNDS; round++) {
      const [p, t] = [`p${round}`, `t${round}`]
      await api.patch(`/projects/${project.id}`, { external_id: p })
      await api.patch(`/tasks/${task.id}`, { external_id: t })
      await api.delete(`/projects/${project.id}`)
      const [restored, taken, ofTask] = (await Promise.all([
        admin.post(`/trash/${project.id}/restore`),
        api.post('/projects', { name: 'Office', external_id: p }),
        api.post(`/lists/${other.id}/tasks`, { title: 'Chairs', external_id: t }),
      ])) as [Answer, Answer, Answer]
      expect(restored.status).toBe(200)
      expect([round, taken.status, restored.body.data.external_id]).toEqual(
        taken.status === 201 ? [round, 201, null] : [round, 409, p],
      )
      const now = (await api.get(`/tasks/${task.id}`)).body.data.external_id
      expect([round, ofTask.status, now]).toEqual(ofTask.status === 201 ? [round, 201, null] : [round, 409, t])
    }
    expect(list.id).toMatch(/^lst-/)
  })

  it('creates one and updates it with the others, while records lose and get ids', async () => {
    const { company, list, task } = await furnishWork(app.diwan, { daily_calls: 1_000_000 })
    const { api } = company
    const clients = await Promise.all([1, 2].map(async () => app.diwan.api(await app.diwan.key(company.id))))
    const [b, c] = clients as [typeof api, typeof api]
    for (let round = 0; round < ROUNDS; round++) {
      await api.patch(`/tasks/${task.id}`, { external_id: `x${round}` })
      const answers = await Promise.all([
        api.patch(`/tasks/${task.id}`, { external_id: `y${round}` }),
        b.put(`/lists/${list.id}/tasks/ext:x${round}`, { title: 'By x' }),
        c.put(`/lists/${list.id}/tasks/ext:y${round}`, { title: 'By y' }),
      ])
      for (const answer of answers) expect([round, [200, 201, 409].includes(answer.status)]).toEqual([round, true])
      expect(sorted(answers).filter(status => status === 409).length).toBeLessThanOrEqual(1)
    }
  })
})
