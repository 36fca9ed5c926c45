import sql from 'sql-template-tag'
import type { Db } from '../../src/db/db.ts'

/** A task as the model knows it. */
export interface ModelTask {
  ref: string
  id: number
  due_at: string | null
  completed_at: string | null
  updated_at: string
  email: string | null
  project: string
  archived: boolean
}

/** Every task of a company whose list and project are not deleted. */
export function everyTask(db: Db, companyId: number): Promise<ModelTask[]> {
  return db.many<ModelTask>(sql`
    select t.ref, t.id, t.due_at, t.completed_at, t.updated_at, u.email, p.ref as project, p.archived
    from tasks t join projects p on p.id = t.project_id join task_lists l on l.id = t.task_list_id
    left join users u on u.id = t.assignee_id
    where t.company_id = ${companyId} and p.deleted_at is null and l.deleted_at is null`)
}

/** A filter in two forms: as query parameters, and as a plain predicate. */
export interface ModelFilter {
  query: string
  fits: (task: ModelTask) => boolean
}

const today = () => new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10)

export const ofPeople = (...emails: string[]): ModelFilter => ({
  query: emails.map(email => `assignee_email=${encodeURIComponent(email)}`).join('&'),
  fits: ({ email }) => email !== null && emails.includes(email),
})
export const orNobody = ({ query, fits }: ModelFilter): ModelFilter => ({
  query: `${query}&unassigned=true`,
  fits: task => fits(task) || task.email === null,
})
export const UNASSIGNED: ModelFilter = { query: 'unassigned=1', fits: ({ email }) => email === null }
export const OPEN: ModelFilter = { query: 'completed=false', fits: ({ completed_at }) => completed_at === null }
export const COMPLETED: ModelFilter = { query: 'completed=1', fits: ({ completed_at }) => completed_at !== null }
export const OVERDUE: ModelFilter = {
  query: 'overdue=true',
  fits: ({ completed_at, due_at }) => completed_at === null && due_at !== null && due_at < today(),
}
export const dueFrom = (date: string): ModelFilter => ({
  query: `due_from=${date}`,
  fits: ({ due_at }) => due_at !== null && due_at >= date,
})
export const dueTo = (date: string): ModelFilter => ({
  query: `due_to=${date}`,
  fits: ({ due_at }) => due_at !== null && due_at <= date,
})
export const updatedSince = (at: string): ModelFilter => ({
  query: `updated_since=${at}`,
  fits: ({ updated_at }) => updated_at >= at,
})
export const completedSince = (at: string): ModelFilter => ({
  query: `completed_since=${at}`,
  fits: ({ completed_at }) => completed_at !== null && completed_at >= at,
})
export const ofProjects = (...refs: string[]): ModelFilter => ({
  query: refs.map(ref => `project=${ref}`).join('&'),
  fits: ({ project }) => refs.includes(project),
})
export const ARCHIVED_TOO: ModelFilter = { query: 'include_archived=true', fits: () => true }

export const SORTS = ['created', '-created', 'due', '-due', 'updated', '-updated'] as const
type Sort = (typeof SORTS)[number]

/** The refs that a query should return, in order. */
export function expectedTasks(tasks: ModelTask[], filters: ModelFilter[], sort: Sort): string[] {
  const names = filters.flatMap(({ query }) => query.split('&')).map(part => part.split('=')[0])
  const showsArchived = names.includes('project') || names.includes('include_archived')
  const fitting = tasks.filter(task => (showsArchived || !task.archived) && filters.every(({ fits }) => fits(task)))
  const direction = sort.startsWith('-') ? -1 : 1
  const key = ({ due_at, updated_at }: ModelTask) => {
    if (sort.endsWith('due')) return due_at ?? (direction === 1 ? '9999-99' : '')
    return sort.endsWith('updated') ? updated_at : ''
  }
  const compare = (a: ModelTask, b: ModelTask) => (key(a) === key(b) ? a.id - b.id : key(a) < key(b) ? -1 : 1)
  return fitting.sort((a, b) => direction * compare(a, b)).map(({ ref }) => ref)
}

/** The refs that a query returns page by page, up to a number of pages. */
export async function pagedTasks(
  api: { get(path: string): Promise<Page> },
  path: string,
  limit: number,
  pages = Number.POSITIVE_INFINITY,
): Promise<{ refs: string[]; total: number }> {
  const refs: string[] = []
  let total = 0
  let cursor: string | null = ''
  for (let n = 0; n < pages && cursor !== null; n++) {
    const { status, body }: Page = await api.get(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    refs.push(...body.data.map(({ id }) => id))
    total = body.meta.total
    cursor = body.meta.next_cursor
  }
  return { refs, total }
}
interface Page {
  status: number
  body: { data: { id: string }[]; meta: { total: number; next_cursor: string | null } }
}
