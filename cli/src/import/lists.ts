import type { Diwan, TaskList } from '../../../client/src/index.ts'
import { listTitle } from './names.ts'
import type { KnownList, Mark, State } from './state.ts'

/** The lists of a project by title; of several with the same title, the oldest. */
export async function listsByTitle(diwan: Diwan, projectId: string): Promise<Map<string, TaskList>> {
  const found = new Map<string, TaskList>()
  for await (const list of diwan.projects.lists(projectId, { limit: 100 })) {
    const title = listTitle(list.title)
    if (!found.has(title)) found.set(title, list)
  }
  return found
}

/** Ensures that every list exists, and notes each at once. Existing lists with the same titles are used. */
export async function requireLists(
  diwan: Diwan,
  projectId: string,
  titles: string[],
  state: State,
  save: () => Promise<void>,
): Promise<void> {
  const known = new Set(state.lists.map(({ title }) => title))
  const missing = titles.filter(title => !known.has(title))
  if (missing.length === 0) return
  const existing = await listsByTitle(diwan, projectId)
  for (const title of missing) {
    const list = existing.get(title)
    state.lists.push(list ? await knownList(diwan, title, list) : await newList(diwan, projectId, title, state))
    await save()
  }
}

async function knownList(diwan: Diwan, title: string, { id, tasks_count }: TaskList): Promise<KnownList> {
  return { title, id, isNew: false, last: tasks_count === 0 ? null : await lastTask(diwan, id, tasks_count) }
}

async function lastTask(diwan: Diwan, id: string, count: number): Promise<Mark | null> {
  const { data } = await diwan.lists.tasks(id, { limit: 1, offset: count - 1 }).page()
  const [task] = data
  return task ? { id: task.id, created_at: task.created_at } : null
}

/** A list that was created but not noted is found by its title when the import is resumed. */
async function newList(diwan: Diwan, projectId: string, title: string, { run, lists }: State): Promise<KnownList> {
  const idempotencyKey = `import-${run}-list-${lists.length}`
  const { id } = await diwan.projects.createList(projectId, { title }, { idempotencyKey })
  return { title, id, isNew: true, last: null }
}
