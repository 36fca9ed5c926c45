import { listTitle } from './names.ts'
import type { Ask } from './server.ts'
import type { KnownList, Mark, State } from './state.ts'

interface TaskList {
  id: string
  title: string
  tasks_count: number
}

/** The lists of a project by title; of several with the same title, the oldest. */
export async function listsByTitle(ask: Ask, projectId: string): Promise<Map<string, TaskList>> {
  const found = new Map<string, TaskList>()
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { data, meta } = await ask('GET', `/projects/${projectId}/lists?limit=100${query}`)
    for (const list of data as TaskList[]) {
      const title = listTitle(list.title)
      if (!found.has(title)) found.set(title, list)
    }
    cursor = meta.next_cursor
  } while (cursor !== null)
  return found
}

/** Ensures that every list exists, and notes each at once. Existing lists with the same titles are used. */
export async function requireLists(
  ask: Ask,
  projectId: string,
  titles: string[],
  state: State,
  save: () => Promise<void>,
): Promise<void> {
  const known = new Set(state.lists.map(({ title }) => title))
  const missing = titles.filter(title => !known.has(title))
  if (missing.length === 0) return
  const existing = await listsByTitle(ask, projectId)
  for (const title of missing) {
    const list = existing.get(title)
    state.lists.push(list ? await knownList(ask, title, list) : await newList(ask, projectId, title, state))
    await save()
  }
}

async function knownList(ask: Ask, title: string, { id, tasks_count }: TaskList): Promise<KnownList> {
  return { title, id, isNew: false, last: tasks_count === 0 ? null : await lastTask(ask, id, tasks_count) }
}

async function lastTask(ask: Ask, id: string, count: number): Promise<Mark | null> {
  const { data } = await ask('GET', `/lists/${id}/tasks?limit=1&offset=${count - 1}`)
  const [task] = data as Mark[]
  return task ? { id: task.id, created_at: task.created_at } : null
}

/** A list that was created but not noted is found by its title when the import is resumed. */
async function newList(ask: Ask, projectId: string, title: string, { run, lists }: State): Promise<KnownList> {
  const name = `import-${run}-list-${lists.length}`
  const { data } = await ask('POST', `/projects/${projectId}/lists`, { body: { title }, name })
  return { title, id: data.id, isNew: true, last: null }
}
