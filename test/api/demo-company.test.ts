import { expect, it } from 'vitest'
import { seedDemo } from '../../src/demo.ts'
import { createMint } from '../../src/domain/access/credentials.ts'
import { SERVER_SECRET, useOwnApp } from '../support/app.ts'

const app = useOwnApp()
const seed = () =>
  seedDemo(app.database.db, true, createMint(SERVER_SECRET, false), { blobs: app.blobs, enqueue: app.jobs.enqueue })

it('The demo company has projects, lists, tasks, a discussion and people, and is not made a second time', async () => {
  const api = app.diwan.api(await seed())
  const list = async (path: string) => (await api.get(path)).body.data
  expect(await list('/projects')).toMatchObject([
    { name: 'Annual report 2026', description: null, is_public: true, task_lists_count: 1, tasks_count: 1 },
    { name: 'افتتاح فرع الرياض', task_lists_count: 2, tasks_count: 4 },
    { name: 'Website launch', description: expect.any(String), task_lists_count: 2, tasks_count: 4 },
  ])
  expect(await list('/projects/website-launch/lists')).toMatchObject([
    { title: 'Design', priority: 'high', notes: null, tasks_count: 2, completed_tasks_count: 1 },
    { title: 'Content', priority: null, notes: null, tasks_count: 2, completed_tasks_count: 1 },
  ])
  expect(await list('/projects/website-launch/lists/design/tasks')).toMatchObject([
    { completed: true, due_at: null, assignee: { email: 'omar@example.com' } },
    { completed: false, due_at: '2027-01-15', assignee: { email: 'noura@example.com' } },
  ])
  const members = await list('/projects/website-launch/members')
  expect(members.map(({ role }: { role: string }) => role).sort()).toEqual(['Manager', 'Member', 'Member', 'Owner'])
  const [discussion] = await list('/projects/website-launch/discussions')
  expect(discussion).toMatchObject({ author: 'Layla Haddad', replies_count: 3 })
  const replies = await list(`/discussions/${discussion.id}/comments`)
  expect(replies.map(({ author }: { author: string }) => author)).toEqual(['Omar Aziz', 'نورة العتيبي', 'Layla Haddad'])
  expect(await seed()).toBeUndefined()
})
