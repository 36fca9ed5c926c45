import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'

let statements = 0
const app = useOwnApp({
  onStatement: () => {
    statements += 1
  },
})

let company: Awaited<ReturnType<typeof app.diwan.company>>
let project: { id: string }
let list: { id: string }
beforeAll(async () => {
  company = await app.diwan.company()
  project = await app.diwan.project(company)
  list = await newList(company, project.id)
})

async function counted<T>(send: () => Promise<T>): Promise<{ answer: T; statements: number }> {
  statements = 0
  const answer = await send()
  return { answer, statements }
}

const statusOf = ({ answer, statements }: { answer: { status: number }; statements: number }) => [
  answer.status,
  statements,
]

describe('A write that needs nothing else is one statement', () => {
  it('when it adds a task, by either address of its list', async () => {
    const { api } = company
    expect(statusOf(await counted(() => api.post(`/lists/${list.id}/tasks`, { title: 'Flat' })))).toEqual([201, 1])
    const nested = `/projects/${project.id}/lists/${list.id}/tasks`
    expect(
      statusOf(await counted(() => api.post(nested, { title: 'Nested', notes: 'x', due_at: '2027-02-01' }))),
    ).toEqual([201, 1])
  })

  it('when it completes or reopens a task, and answers as the task is read', async () => {
    const { api } = company
    const { id } = await newTask(company, list.id, { title: 'Chairs' })
    for (const [action, completed] of [
      ['complete', true],
      ['incomplete', false],
    ] as const) {
      const { answer, statements } = await counted(() => api.post(`/tasks/${id}/${action}`))
      expect([answer.status, statements, answer.body.data.completed]).toEqual([200, 1, completed])
      expect(answer.body).toEqual((await api.get(`/tasks/${id}`)).body)
    }
  })

  it('when it creates or changes a task by its external id, and answers as the task is read', async () => {
    const { api } = company
    const at = `/lists/${list.id}/tasks/ext:crm-77`
    const bodies = [
      { title: 'Desks', metadata: { a: '1' } },
      { title: 'Desks', notes: 'Ten', due_at: '2027-02-01', metadata: { b: '2' } },
      { title: 'Desks', due_at: null },
      { title: 'Desks' },
    ]
    const shown = []
    for (const [n, body] of bodies.entries()) {
      const put = await counted(() => api.put(at, body))
      expect([n, ...statusOf(put)]).toEqual([n, n === 0 ? 201 : 200, 1])
      expect(put.answer.body).toEqual((await api.get('/tasks/ext:crm-77')).body)
      shown.push(put.answer.body.data)
    }
    expect(shown.at(-1)).toMatchObject({ notes: 'Ten', due_at: null, metadata: { a: '1', b: '2' } })
    expect(shown.at(-1)).toEqual(shown.at(-2))
  })

  it('but not a rename, an assignee, or a key of metadata that is removed', async () => {
    const { api } = company
    const at = `/lists/${list.id}/tasks/ext:crm-78`
    await api.put(at, { title: 'Desks', metadata: { a: '1', b: '2' } })
    const put = async (fields: object) => {
      const { answer, statements } = await counted(() => api.put(at, { title: 'Desks', ...fields }))
      expect([answer.status, statements > 1]).toEqual([200, true])
      return answer.body.data
    }
    const assignee = { name: company.owner.name, email: company.owner.email }
    expect(await put({ assignee_email: assignee.email })).toMatchObject({ assignee })
    expect(await put({ metadata: { a: null } })).toMatchObject({ metadata: { b: '2' } })
    expect(await put({ metadata: null })).toMatchObject({ metadata: {}, assignee })
    const renamed = await put({ title: 'Standing desks' })
    expect((await api.get(`/projects/${project.id}/lists/${list.id}/tasks/standing-desks`)).body.data).toEqual(renamed)
  })

  it('between finding no earlier answer and keeping its own, when it has an Idempotency-Key', async () => {
    const { api } = company
    const path = `/lists/${list.id}/tasks`
    const once = (name: string) => () => api.post(path, { title: 'Once' }, { 'idempotency-key': name })
    const first = await counted(once('statements-1'))
    expect(statusOf(first)).toEqual([201, 3])
    const again = await counted(once('statements-1'))
    expect(statusOf(again)).toEqual([201, 1])
    expect(again.answer.body).toEqual(first.answer.body)
  })

  it('and takes the long way when something is in the way, which it names', async () => {
    const { api } = company
    const { id } = await newTask(company, list.id)
    await api.post(`/tasks/${id}/complete`)
    const again = await counted(() => api.post(`/tasks/${id}/complete`))
    expect(again.answer.status).toBe(200)
    expect(again.statements).toBeGreaterThan(1)
    expect((await api.post(`/lists/${list.id}/tasks`, { title: '' })).status).toBe(422)
    expect((await api.post('/lists/lst-0000000000/tasks', { title: '' })).status).toBe(404)
    const archived = await app.diwan.project(company)
    const frozen = await newList(company, archived.id)
    const task = await newTask(company, frozen.id)
    await api.post(`/projects/${archived.id}/archive`)
    for (const write of [`/lists/${frozen.id}/tasks`, `/tasks/${task.id}/complete`])
      expect((await api.post(write, { title: 'Late' })).status, write).toBe(403)
    expect((await api.get(`/tasks/${task.id}`)).body.data.completed).toBe(false)
    expect((await api.get(`/lists/${frozen.id}`)).body.data.tasks_count).toBe(1)
  })

  it('and is signed in the feed like any other', async () => {
    const { api } = company
    const after = await cursorOfNow(app, api)
    const { id } = await newTask(company, list.id)
    await api.patch(`/tasks/${id}`, { notes: 'In a transaction' })
    const data = await entriesAfter(app, api, after)
    expect(data).toMatchObject([
      { id, change: 'created', actor: expect.any(String) },
      { id, change: 'updated' },
    ])
    expect(data[0].actor).toBe(data[1].actor)
  })
})
