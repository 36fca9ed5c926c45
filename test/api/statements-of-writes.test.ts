import { expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { newList, newTask } from '../support/factories.ts'

let statements = 0
const app = useOwnApp({
  onStatement: () => {
    statements += 1
  },
})

it('Adding, completing, reopening and upserting a task is one statement each, unless more is needed', async () => {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  const { id } = await newTask(company, list.id)
  const tasks = `/lists/${list.id}/tasks`
  const more = expect.toSatisfy(count => count > 1)
  const writes: [
    method: string,
    path: string,
    body: object | undefined,
    status: number,
    count: unknown,
    key?: string,
  ][] = [
    ['POST', tasks, { title: 'Flat' }, 201, 1],
    ['POST', `/projects/${project.id}${tasks}`, { title: 'Nested', notes: 'x', due_at: '2027-02-01' }, 201, 1],
    ['POST', `/tasks/${id}/complete`, undefined, 200, 1],
    ['POST', `/tasks/${id}/complete`, undefined, 200, more],
    ['POST', `/tasks/${id}/incomplete`, undefined, 200, 1],
    ['PUT', `${tasks}/ext:crm-77`, { title: 'Desks', metadata: { a: '1' } }, 201, 1],
    ['PUT', `${tasks}/ext:crm-77`, { title: 'Desks', notes: 'Ten', due_at: null, metadata: { b: '2' } }, 200, 1],
    ['PUT', `${tasks}/ext:crm-77`, { title: 'Desks', assignee_email: company.owner.email }, 200, more],
    ['PUT', `${tasks}/ext:crm-77`, { title: 'Desks', metadata: { a: null } }, 200, more],
    ['PUT', `${tasks}/ext:crm-77`, { title: 'Standing desks' }, 200, more],
    // An earlier answer is looked for before, and this one is kept after.
    ['POST', tasks, { title: 'Once' }, 201, 3, 'once'],
    ['POST', tasks, { title: 'Once' }, 201, 1, 'once'],
  ]
  for (const [method, path, body, status, count, key] of writes) {
    const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
    statements = 0
    const answer = await company.api.send(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
    expect([method, path, body, answer.status, statements]).toEqual([method, path, body, status, count])
    expect((await company.api.get(`/tasks/${answer.body.data.id}`)).body).toEqual(answer.body)
  }
  const { metadata, notes, assignee } = (await company.api.get('/tasks/ext:crm-77')).body.data
  expect({ metadata, notes, assignee }).toMatchObject({
    metadata: { b: '2' },
    notes: 'Ten',
    assignee: { name: company.owner.name },
  })
})
