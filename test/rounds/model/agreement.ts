import { expect } from 'vitest'
import type { Client } from '../../support/diwan.ts'
import { type Comment, type List, type Model, members, type Project, type Task, tasks } from './state.ts'

/** What is compared after every command: the counts of all projects, and the lists of one of them. */
export async function expectTheCounts({ projects }: Model, api: Client, n: number): Promise<void> {
  const { data, meta } = (await api.get('/projects?include_archived=true')).body
  expect([meta.total, data]).toMatchObject([projects.length, [...projects].reverse().map(shownProject)])
  const project = projects[n % projects.length]
  if (project) await expectTheLists(project, api)
}

async function expectTheLists({ id, lists }: Project, api: Client): Promise<void> {
  const { data, meta } = (await api.get(`/projects/${id}/lists?limit=100`)).body
  expect([meta.total, data]).toMatchObject([lists.length, lists.map(shownList)])
}

/** What is compared at the end: everything. */
export async function expectTheSame(model: Model, api: Client): Promise<void> {
  for (const project of model.projects) {
    await expectTheLists(project, api)
    for (const list of project.lists) await expectTheTasks(list, api)
    await expectTheDiscussions(project, api)
    await expectTheLevel(project, null, api)
    const people: { email: string }[] = (await api.get(`/projects/${project.id}/members`)).body.data
    expect(people.map(({ email }) => email).sort()).toEqual(members(model, project).sort())
  }
  const everywhere = (await api.get('/company/tasks?include_archived=true&limit=100')).body
  expect(byId(everywhere.data)).toMatchObject(byId(tasks(model).map(({ task }) => shownTask(task))))
  const { data } = (await api.get('/events?include_past=true&limit=100')).body
  const events = data.map((event: Shown) => ({ ...event, attendees: event.attendees.map(emailOf) }))
  expect(events).toMatchObject(model.events)
  await expectToBeFound(model, api)
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the service shows
type Shown = any

const emailOf = ({ email }: { email: string }) => email
const byId = <T extends { id: string }>(records: T[]) => [...records].sort((a, b) => (a.id < b.id ? -1 : 1))

function shownProject({ id, name, is_public, archived, external_id, lists }: Project) {
  const counts = { task_lists_count: lists.length, tasks_count: lists.flatMap(list => list.tasks).length }
  return { id, name, is_public, archived, external_id, ...counts }
}

function shownList({ id, title, external_id, tasks: all }: List) {
  const done = all.flatMap(({ completed_at }) => completed_at ?? [])
  const completed = all.length > 0 && done.length === all.length
  const counts = { tasks_count: all.length, completed_tasks_count: done.length }
  return { id, title, external_id, ...counts, completed, completed_at: completed ? done.sort().at(-1) : null }
}

function shownTask({ comments: _, assignee, ...task }: Task) {
  return { ...task, completed: task.completed_at !== null, assignee: assignee && { email: assignee } }
}

async function expectTheTasks(list: List, api: Client): Promise<void> {
  const { data, meta } = (await api.get(`/lists/${list.id}/tasks?limit=100`)).body
  expect(meta.total).toBe(list.tasks.length)
  expect(byId(data)).toMatchObject(byId(list.tasks.map(shownTask)))
  await expectTheComments(`/lists/${list.id}`, list.comments, api)
  for (const { id, comments } of list.tasks) await expectTheComments(`/tasks/${id}`, comments, api)
}

async function expectTheComments(address: string, comments: Comment[], api: Client): Promise<void> {
  const { data } = (await api.get(`${address}/comments?limit=100`)).body
  expect(data.map(({ id, content }: Comment) => ({ id, content }))).toEqual(comments)
}

async function expectTheDiscussions({ id: project, discussions }: Project, api: Client): Promise<void> {
  const { data } = (await api.get(`/projects/${project}/discussions?limit=100`)).body
  const shown = discussions.map(({ comments, ...own }) => ({ ...own, replies_count: comments.length }))
  expect(data).toMatchObject(shown.reverse())
  for (const { id, comments } of discussions) await expectTheComments(`/discussions/${id}`, comments, api)
}

/** The folders and files of one level, and of those below it. */
async function expectTheLevel(project: Project, folder: number | null, api: Client): Promise<void> {
  const below = project.folders.filter(each => each.parent_folder_id === folder)
  const files = project.files.filter(each => each.folder_id === folder)
  const at = `/projects/${project.id}/files?limit=100${folder === null ? '' : `&folder_id=${folder}`}`
  const { data, meta } = (await api.get(at)).body
  const shown = { files: byNumber(data.files), folders: byNumber(data.folders), total: meta.total }
  expect(shown).toMatchObject({ files: byNumber(files), folders: byNumber(below), total: files.length })
  for (const { id } of below) await expectTheLevel(project, id, api)
}
const byNumber = <T extends { id: number }>(records: T[]) => [...records].sort((a, b) => a.id - b.id)

/** A word that only names with it contain. */
const WORD = 'Other'
const MOST_HITS = 25

async function expectToBeFound({ projects }: Model, api: Client): Promise<void> {
  const lists = projects.flatMap(project => project.lists)
  const named: Record<string, string[]> = {
    project: refsOf(projects.map(({ id, name }) => ({ id, title: name }))),
    task_list: refsOf(lists),
    task: refsOf(lists.flatMap(list => list.tasks)),
    discussion: refsOf(projects.flatMap(project => project.discussions)),
    file: refsOf(projects.flatMap(project => project.files.map(({ ref, name }) => ({ id: ref, title: name })))),
  }
  const kinds = Object.keys(named)
  // Without a hit the search would look for other spellings, and more than it shows cannot be compared.
  const counts = kinds.map(kind => (named[kind] as string[]).length)
  if (Math.max(...counts) === 0 || Math.max(...counts) > MOST_HITS) return
  const { results } = (await api.get(`/search?q=${WORD}&per_type=${MOST_HITS}&types=${kinds}`)).body.data
  for (const kind of kinds) {
    const hits = results.filter(({ type }: Shown) => type === kind).map(({ id }: Shown) => id)
    expect([kind, hits.sort()]).toEqual([kind, named[kind]?.sort()])
  }
}

const refsOf = (records: { id: string; title: string }[]) =>
  records.flatMap(({ id, title }) => (title === WORD ? [id] : []))
