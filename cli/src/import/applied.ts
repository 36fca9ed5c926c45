import type { Diwan } from '../../../client/src/index.ts'
import type { Batch } from './batches.ts'
import type { KnownList, Mark } from './state.ts'

export interface WrittenTask extends Mark {
  title: string
}

const PAGE = 100

/**
 * The tasks of a batch that may have been sent so long ago that the server has forgotten its name; undefined when it was never
 * carried out. A batch is written as a whole, at one moment. So it was carried out if, among the tasks added since, more than
 * half of its titles exist with the same time: people may have renamed or deleted some of them in the meantime.
 */
export async function findApplied(
  diwan: Diwan,
  list: KnownList,
  batch: Batch,
): Promise<(WrittenTask | undefined)[] | undefined> {
  const byTime = new Map<string, WrittenTask[]>()
  for (const task of await tasksBehind(diwan, list)) {
    const together = byTime.get(task.created_at)
    if (together) together.push(task)
    else byTime.set(task.created_at, [task])
  }
  for (const tasks of byTime.values()) {
    const matched = match(batch, tasks)
    if (matched.filter(Boolean).length * 2 > batch.drafts.length) return matched
  }
  return undefined
}

/** The tasks after the last known one, read backwards from the end: there is seldom more than a page of them. */
async function tasksBehind(diwan: Diwan, { id, last }: KnownList): Promise<WrittenTask[]> {
  const { tasks_count } = await diwan.lists.get(id)
  let found: WrittenTask[] = []
  for (let end = tasks_count; end > 0; end -= PAGE) {
    const offset = Math.max(0, end - PAGE)
    const { data: page } = await diwan.lists.tasks(id, { limit: end - offset, offset }).page()
    const behind = last === null ? page : page.slice(firstBehind(page, last))
    found = [...behind, ...found]
    if (behind.length < page.length) break
  }
  return found
}

function firstBehind(page: WrittenTask[], last: Mark): number {
  const at = page.findLastIndex(({ id, created_at }) => id === last.id || created_at < last.created_at)
  return at + 1
}

/** Each task is matched with the first draft of the same title that has none yet. */
function match({ drafts }: Batch, tasks: WrittenTask[]): (WrittenTask | undefined)[] {
  const byTitle = new Map<string, WrittenTask[]>()
  for (const task of tasks) byTitle.set(task.title, [...(byTitle.get(task.title) ?? []), task])
  return drafts.map(({ task }) => byTitle.get(task.title)?.shift())
}
