import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { furnishWork, newList, type Work } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { callsInRace, roundsOfRace } from '../support/races.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

interface Kind {
  kind: string
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
    collection: () => '/projects',
    flat: '/projects',
    name: 'name',
    text: 'description',
  },
  {
    kind: 'task_list',
    collection: w => `/projects/${w.project.id}/lists`,
    flat: '/lists',
    name: 'title',
    text: 'notes',
  },
  {
    kind: 'task',
    collection: w => `/lists/${w.list.id}/tasks`,
    flat: '/tasks',
    name: 'title',
    text: 'notes',
  },
  {
    kind: 'discussion',
    collection: w => `/projects/${w.project.id}/discussions`,
    flat: '/discussions',
    name: 'title',
    text: 'body',
  },
]

describe.each(KINDS)('PUT a $kind by its external id', ({ kind, collection, flat, name, text }) => {
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

  it('is 412 under any If-Match while there is none, and repeats its 201 under an Idempotency-Key', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const put = (body: object, headers: Record<string, string>) => api.put(`${collection(work)}/ext:77`, body, headers)
    for (const tag of ['*', '"x"']) expect((await put({ [name]: 'Chairs' }, { 'if-match': tag })).status).toBe(412)
    expect((await api.get(`${flat}/ext:77`)).status).toBe(404)
    const named = { 'idempotency-key': 'a' }
    const first = await put({ [name]: 'Chairs' }, named)
    const replayed = await put({ [name]: 'Chairs' }, named)
    expect([first.status, replayed.status, replayed.body]).toEqual([201, 201, first.body])
    const tag = first.headers.get('etag') as string
    expect((await put({ [text]: 'Two' }, { 'if-match': tag })).status).toBe(200)
    expect((await put({ [text]: 'Three' }, { 'if-match': tag })).status).toBe(412)
    expect((await put({ [text]: 'Three' }, { 'if-match': '*' })).status).toBe(200)
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
    const { company, project, task } = work
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
