import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created } from '../support/diwan.ts'
import { furnishWork, newComment } from '../support/factories.ts'

const app = useApp()

describe('A PATCH that changes no value', () => {
  it('moves neither updated_at nor the ETag, on any record', async () => {
    const { company, project, list, task, discussion } = await furnishWork(app.diwan)
    const { api, owner } = company
    const folder = (await created(api.post(`/projects/${project.id}/folders`, { name: 'Plans' }))).data
    const comment = await newComment(company, `/tasks/${task.id}`)
    const times = { starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
    const event = (await created(api.post('/events', { name: 'Site visit', ...times }))).data
    const dates = { start_date: '2030-01-01', end_date: '2030-02-01' }
    const records: [string, object][] = [
      [`/projects/${project.id}`, { name: project.name, description: 'Move', is_public: true, ...dates }],
      [`/lists/${list.id}`, { title: list.title, notes: 'Soon', priority: 'low' }],
      [`/tasks/${task.id}`, { title: task.title, notes: 'Soon', due_at: '2030-01-01', assignee_email: owner.email }],
      [`/discussions/${discussion.id}`, { title: discussion.title, body: 'Which day?' }],
      [`/tasks/${task.id}/comments/${comment.id}`, { content: comment.content, attachments: [] }],
      [`/projects/${project.id}/folders/${folder.id}`, { name: folder.name, description: 'All' }],
      [`/events/${event.id}`, { name: event.name, ...times }],
    ]
    for (const [address, values] of records) {
      expect([address, (await api.patch(address, values)).status]).toEqual([address, 200])
      const before = await api.get(address)
      for (const same of [values, {}]) {
        const answer = await api.patch(address, same)
        const after = await api.get(address)
        expect([address, answer.status, answer.body]).toEqual([address, 200, before.body])
        expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')])
        expect(answer.headers.get('etag')).toBe(before.headers.get('etag'))
      }
    }
  })
})

describe('A leap second', () => {
  it.each(['2030-12-01T10:00:60', '20301201T100060Z'])('%s is 422', async starts_at => {
    const { api } = await app.diwan.company()
    const answer = await api.post('/events', { name: 'x', starts_at, ends_at: '2030-12-02T10:00' })
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringMatching(/^starts_at /)])
  })
})
