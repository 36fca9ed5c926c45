import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { furnishWork, newList, SLUGS } from '../support/factories.ts'

const app = useApp()

it('The 201 of a new record says where it is and which version, which a write can name; a refusal and a batch say neither', async () => {
  const { company, project, list, task, discussion } = await furnishWork(app.diwan)
  const { api } = company
  const [nested, flat] = [`/projects/${SLUGS.project}`, `/projects/${project.id}`]
  const [aList, aTask] = [`${nested}/lists/${SLUGS.list}`, `${nested}/lists/${SLUGS.list}/tasks/${SLUGS.task}`]
  const event = { name: 'Site visit', starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
  const link = { name: 'x', external_url: 'https://example.com/' }
  const file = { name: 'a.txt', content: 'x' }
  const comment = { content: 'Agreed' }
  // Every POST that creates one record, at its nested address with slugs and at its flat one; and where the new record is.
  for (const [path, body, at] of [
    ['/projects', { name: 'New' }, '/projects/:id'],
    [`${nested}/lists`, { title: 'New', priority: 'low' }, '/lists/:id'],
    [`${aList}/tasks`, { title: 'New', due_at: '2030-01-01' }, '/tasks/:id'],
    [`/lists/${list.id}/tasks`, { title: 'New', due_at: '2030-01-01' }, '/tasks/:id'],
    [`${nested}/discussions`, { title: 'New' }, '/discussions/:id'],
    [`${aList}/comments`, comment, `/lists/${list.id}/comments/:id`],
    [`/lists/${list.id}/comments`, comment, `/lists/${list.id}/comments/:id`],
    [`${aTask}/comments`, comment, `/tasks/${task.id}/comments/:id`],
    [`/tasks/${task.id}/comments`, comment, `/tasks/${task.id}/comments/:id`],
    [`${nested}/discussions/${SLUGS.discussion}/comments`, comment, `/discussions/${discussion.id}/comments/:id`],
    [`/discussions/${discussion.id}/comments`, comment, `/discussions/${discussion.id}/comments/:id`],
    [`${flat}/folders`, { name: 'Plans' }, `${flat}/folders/:id`],
    [`${nested}/files`, file, `${nested}/files/:ref`],
    [`${flat}/files`, file, `${flat}/files/:ref`],
    [`${flat}/links`, link, `${flat}/files/:ref`],
    ['/events', event, '/events/:id'],
  ] as const) {
    const named = { 'idempotency-key': path }
    const first = await api.post(path, body, named)
    const { id, ref } = first.body.data
    const address = at.replace(':id', id).replace(':ref', ref)
    const shown = await api.get(address)
    const etag = shown.headers.get('etag')
    const said = [path, 201, `/api/v1${address}`, etag, shown.body]
    const replay = await api.post(path, body, named)
    expect([replay.headers.get('idempotency-replayed'), etag]).toEqual(['true', expect.any(String)])
    for (const { status, headers, body: answer } of [first, replay])
      expect([path, status, headers.get('location'), headers.get('etag'), answer]).toEqual(said)
  }

  const { id } = await newList(company, project.id)
  for (const [answer, expected] of [
    [await api.post(`/lists/${id}/tasks/batch`, { tasks: [{ title: 'x' }] }), 201],
    [await api.post('/projects', { name: '' }), 422],
  ] as const) {
    const { status, headers } = answer
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([expected, null, null])
  }

  const made = await api.post(`/lists/${id}/tasks`, { title: 'x' })
  const headers = { 'content-type': 'application/json', 'if-match': made.headers.get('etag') as string }
  const change = async (title: string) =>
    (await api.send('PATCH', `/tasks/${made.body.data.id}`, { body: JSON.stringify({ title }), headers })).status
  expect([await change('y'), await change('z')]).toEqual([200, 412])
})
