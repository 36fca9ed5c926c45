import type { Diwan, Task } from '../../../client/src/index.ts'

/** The server takes this many in one query. */
export const MOST_IDS = 50
/** Longer URLs are not accepted by every proxy. */
const MOST_QUERY_LENGTH = 4_000

/** The tasks of the company that have these external ids, wherever they are. */
export async function findTasks(diwan: Diwan, ids: string[]): Promise<Map<string, Task>> {
  const found = new Map<string, Task>()
  for (const external_id of portions(ids)) {
    const { data } = await diwan.company.tasks({ external_id, include_archived: true, limit: MOST_IDS }).page()
    for (const task of data) if (task.external_id !== null) found.set(task.external_id, task)
  }
  return found
}

function portions(ids: string[]): string[][] {
  const portions: string[][] = []
  let [portion, length]: [string[], number] = [[], 0]
  for (const id of ids) {
    const own = `&external_id=${encodeURIComponent(id)}`.length
    if (portion.length === 0 || portion.length === MOST_IDS || length + own > MOST_QUERY_LENGTH) {
      ;[portion, length] = [[], 0]
      portions.push(portion)
    }
    portion.push(id)
    length += own
  }
  return portions
}
