import { beforeAll, expect, it } from 'vitest'
import { seedDemo } from '../../src/demo.ts'
import { createMint } from '../../src/domain/access/credentials.ts'
import { SERVER_SECRET, useOwnApp } from '../support/app.ts'
import type { Client } from '../support/diwan.ts'

const app = useOwnApp()
let api: Client
beforeAll(async () => {
  api = app.diwan.api(
    await seedDemo(app.database.db, true, createMint(SERVER_SECRET, false), {
      blobs: app.blobs,
      enqueue: app.jobs.enqueue,
    }),
  )
})

const list = async (path: string) => (await api.get(path)).body.data

it('The demo company has projects in both languages, which its owner created', async () => {
  expect(await list('/projects')).toMatchObject([
    { name: 'Annual report 2026', description: null, is_public: true, task_lists_count: 1, tasks_count: 1 },
    { name: 'افتتاح فرع الرياض', task_lists_count: 2, tasks_count: 4 },
    { name: 'Website launch', description: 'The new site, in Arabic and English', task_lists_count: 2, tasks_count: 4 },
  ])
  const { rows } = await app.database.pool.query(
    `select u.email, count(*)::int as projects from project_members m join users u on u.id = m.user_id group by u.email`,
  )
  expect(rows).toEqual([{ email: 'layla@example.com', projects: 3 }])
})

it('Its lists have priorities, and its tasks people, dates and an end', async () => {
  const lists = await list('/projects/website-launch/lists')
  expect(lists).toMatchObject([
    { title: 'Design', priority: 'high', notes: null, tasks_count: 2, completed_tasks_count: 1 },
    { title: 'Content', priority: null, notes: null, tasks_count: 2, completed_tasks_count: 1 },
  ])
  expect(await list('/projects/website-launch/lists/design/tasks')).toMatchObject([
    { title: 'Home page draft', completed: true, due_at: null, assignee: { email: 'omar@example.com' } },
    { title: 'Right-to-left review', completed: false, due_at: '2027-01-15', assignee: { email: 'noura@example.com' } },
  ])
})

it('Its people have roles, languages, and nobody but the owner manages keys', async () => {
  const { rows } = await app.database.pool.query(
    'select email, role, language, can_manage_api_keys, active from users order by id',
  )
  const person = (email: string, role: string, language: string) => ({ email, role, language, active: true })
  expect(rows).toEqual([
    { ...person('layla@example.com', 'owner', 'en'), can_manage_api_keys: true },
    { ...person('yusuf@example.com', 'manager', 'ar'), can_manage_api_keys: false },
    { ...person('omar@example.com', 'member', 'en'), can_manage_api_keys: false },
    { ...person('noura@example.com', 'member', 'ar'), can_manage_api_keys: false },
  ])
})

it('It has a discussion with replies in both languages', async () => {
  const [discussion] = await list('/projects/website-launch/discussions')
  expect(discussion).toMatchObject({ title: 'Which day do we go live?', author: 'Layla Haddad', replies_count: 3 })
  expect(await list(`/discussions/${discussion.id}/comments`)).toMatchObject([
    { author: 'Omar Aziz', content: 'Sunday suits me.' },
    { author: 'نورة العتيبي', content: 'وأنا أيضًا، بعد مراجعة الصفحات العربية.' },
    { author: 'Layla Haddad', content: 'Then Sunday it is.' },
  ])
})

it('It is not made a second time', async () => {
  expect(
    await seedDemo(app.database.db, true, createMint(SERVER_SECRET, false), {
      blobs: app.blobs,
      enqueue: app.jobs.enqueue,
    }),
  ).toBeUndefined()
})
