import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { furnishWork, newList, SLUGS, type Work } from '../support/factories.ts'

const app = useApp()
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
})

interface Creation {
  path: string
  body: object
  /** Where the new record is. */
  at: (data: { id: string; ref: string }) => string
}

const NAMES = [
  'project',
  'list',
  'task, nested',
  'task, flat',
  'discussion',
  'comment on a list, nested',
  'comment on a list, flat',
  'comment on a task, nested',
  'comment on a task, flat',
  'reply, nested',
  'reply, flat',
  'folder',
  'file, nested by slug',
  'file',
  'link',
  'event',
] as const

const EVENT = { name: 'Site visit', starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }

/** Every POST that creates one record, at its nested address with slugs and at its flat one. */
function creations(): Record<(typeof NAMES)[number], Creation> {
  const { project, list, task, discussion } = work
  const nested = `/projects/${SLUGS.project}`
  const comment = { content: 'Agreed' }
  const inProject = { path: `/projects/${project.id}` }
  const ofList = (path: string) => ({
    path,
    body: { title: 'New', due_at: '2030-01-01' },
    at: ({ id }: { id: string }) => `/tasks/${id}`,
  })
  const onRecord = (path: string, flat: string) => ({
    path: `${path}/comments`,
    body: comment,
    at: ({ id }: { id: string }) => `${flat}/comments/${id}`,
  })
  return {
    project: { path: '/projects', body: { name: 'New' }, at: ({ id }) => `/projects/${id}` },
    list: { path: `${nested}/lists`, body: { title: 'New', priority: 'low' }, at: ({ id }) => `/lists/${id}` },
    'task, nested': ofList(`${nested}/lists/${SLUGS.list}/tasks`),
    'task, flat': ofList(`/lists/${list.id}/tasks`),
    discussion: { path: `${nested}/discussions`, body: { title: 'New' }, at: ({ id }) => `/discussions/${id}` },
    'comment on a list, nested': onRecord(`${nested}/lists/${SLUGS.list}`, `/lists/${list.id}`),
    'comment on a list, flat': onRecord(`/lists/${list.id}`, `/lists/${list.id}`),
    'comment on a task, nested': onRecord(`${nested}/lists/${SLUGS.list}/tasks/${SLUGS.task}`, `/tasks/${task.id}`),
    'comment on a task, flat': onRecord(`/tasks/${task.id}`, `/tasks/${task.id}`),
    'reply, nested': onRecord(`${nested}/discussions/${SLUGS.discussion}`, `/discussions/${discussion.id}`),
    'reply, flat': onRecord(`/discussions/${discussion.id}`, `/discussions/${discussion.id}`),
    folder: {
      path: `${inProject.path}/folders`,
      body: { name: 'Plans' },
      at: ({ id }) => `${inProject.path}/folders/${id}`,
    },
    'file, nested by slug': {
      path: `${nested}/files`,
      body: { name: 'a.txt', content: 'x' },
      at: ({ ref }) => `${nested}/files/${ref}`,
    },
    file: {
      path: `${inProject.path}/files`,
      body: { name: 'a.txt', content: 'x' },
      at: ({ ref }) => `${inProject.path}/files/${ref}`,
    },
    link: {
      path: `${inProject.path}/links`,
      body: { name: 'x', external_url: 'https://example.com/' },
      at: ({ ref }) => `${inProject.path}/files/${ref}`,
    },
    event: { path: '/events', body: EVENT, at: ({ id }) => `/events/${id}` },
  }
}

const said = ({ status, headers, body }: Answer) => [status, headers.get('location'), headers.get('etag'), body]

describe('The 201 of a new', () => {
  it.each(NAMES)('%s says where it is and which version, and a replay repeats both', async name => {
    const { path, body, at } = creations()[name]
    const { api } = work.company
    const named = { 'idempotency-key': name }
    const first = await api.post(path, body)
    // A folder has the only one of its name.
    const again = name === 'folder' ? { name: 'Other plans' } : body
    const second = await api.post(path, again, named)
    for (const answer of [first, second]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/v1${at(answer.body.data)}`])
      const shown = await api.get(at(answer.body.data))
      expect([shown.status, shown.body, shown.headers.get('etag')]).toEqual([
        200,
        answer.body,
        answer.headers.get('etag'),
      ])
    }
    const replay = await api.post(path, again, named)
    expect([said(replay), replay.headers.get('idempotency-replayed')]).toEqual([said(second), 'true'])
  })
})

describe('The 201 of a batch', () => {
  it('has neither a Location nor an ETag', async () => {
    const { company, project } = work
    const { id } = await newList(company, project.id)
    const { status, headers } = await company.api.post(`/lists/${id}/tasks/batch`, { tasks: [{ title: 'x' }] })
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([201, null, null])
  })
})

describe('A write with the ETag of a 201', () => {
  it('is taken, and refused once the record has changed', async () => {
    const { company, list } = work
    const { body, headers } = await company.api.post(`/lists/${list.id}/tasks`, { title: 'x' })
    const change = (title: string) =>
      company.api.send('PATCH', `/tasks/${body.data.id}`, {
        body: JSON.stringify({ title }),
        headers: { 'content-type': 'application/json', 'if-match': headers.get('etag') as string },
      })
    expect([(await change('y')).status, (await change('z')).status]).toEqual([200, 412])
  })
})

describe('A refused creation', () => {
  it('has neither a Location nor an ETag', async () => {
    const { status, headers } = await work.company.api.post('/projects', { name: '' })
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([422, null, null])
  })
})
