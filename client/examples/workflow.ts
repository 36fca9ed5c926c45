import { createDiwan, DiwanError, type Pages, type Task } from '@diwan/client'

// From nothing to a finished project, with the types of the client alone.

const { DIWAN_URL = 'http://127.0.0.1:3000', DIWAN_KEY = '' } = process.env
const diwan = createDiwan({ url: DIWAN_URL, key: DIWAN_KEY, timeoutMs: 10_000 })

async function titlesOf(tasks: Pages<Task, unknown>): Promise<string[]> {
  const titles: string[] = []
  for await (const { title } of tasks) titles.push(title)
  return titles
}

const { company, created_by } = await diwan.me()
console.log(`${created_by.name} of ${company.name}`)

const project = await diwan.projects.create({ name: 'انتقال المكتب', start_date: '2027-01-01', end_date: '2027-03-31' })
const { meta: feed } = await diwan.company.changes()

const list = await diwan.projects.createList(project.id, { title: 'التجهيزات', priority: 'high' })
const [desks, chairs] = await diwan.lists.createTasks(list.id, {
  tasks: [
    { title: 'Order the desks', due_at: '2027-01-10', assignee_email: created_by.email },
    { title: 'شراء الكراسي', due_at: '2027-01-05' },
  ],
})
if (!desks || !chairs) throw new Error('A batch answers with every task that it made')

console.log(await titlesOf(diwan.projects.tasks(project.id, { completed: false, sort: 'due' })))
console.log(await titlesOf(diwan.company.tasks({ assignee_email: [created_by.email], project: [project.id] })))

const comment = await diwan.tasks.createComment(desks.id, { content: 'Oak or birch?' })
await diwan.tasks.updateComment(desks.id, comment.id, { content: 'Oak, please.' })

const seen = await diwan.tasks.get(desks.id, { calendar: 'islamic-umalqura' })
console.log(seen.assignee?.name, seen.hijri?.due_at)
const postponed = await diwan.tasks.update(desks.id, { due_at: '2027-01-17' }, { ifMatch: seen })
try {
  await diwan.tasks.complete(desks.id, { ifMatch: seen })
} catch (error) {
  if (!(error instanceof DiwanError)) throw error
  console.log(error.status, error.code)
}
await diwan.tasks.complete(desks.id, { ifMatch: postponed })
await diwan.tasks.delete(chairs.id)

const { completed, completed_tasks_count } = await diwan.lists.get(list.id)
console.log(completed, completed_tasks_count)

const folder = await diwan.projects.createFolder(project.id, { name: 'Plans' })
await diwan.projects.uploadFile(project.id, { name: 'plan.md', content: '# Plan', folder_id: folder.id })
const level = await diwan.projects.files(project.id, { folder_id: folder.id }).page()
console.log(
  level.data.folder?.path,
  level.data.files.map(({ name, scan_state }) => `${name}: ${scan_state}`),
)

const discussion = await diwan.projects.createDiscussion(project.id, { title: 'Moving day', body: 'When?' })
await diwan.discussions.createComment(discussion.id, { content: 'In March.' })
console.log((await diwan.discussions.get(discussion.id)).replies_count)

const kinds = new Set<string>()
for await (const { kind, change } of diwan.changes({ after: feed.next_cursor, signal: AbortSignal.timeout(30_000) })) {
  kinds.add(`${kind}.${change}`)
  if (kind === 'comment' && kinds.has('discussion.created')) break
}
console.log([...kinds].sort().join(' '))

console.log((await diwan.projects.archive(project.id)).archived)
await diwan.projects.unarchive(project.id)
const { deleted, recoverable } = await diwan.projects.delete(project.id)
console.log(deleted, recoverable)
