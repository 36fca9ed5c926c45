import type { ChangeTasksBody, Diwan, DiwanError, Task } from '../../../client/src/index.ts'
import { Failure } from '../frame/command.ts'
import { harmless } from '../frame/output.ts'
import { explainCall } from '../remote/server.ts'
import type { Draft } from './drafts.ts'
import { findTasks } from './known.ts'
import type { Lists } from './lists.ts'
import { isRefusal } from './server.ts'

/** A draft with the external id of its task. */
interface Row extends Draft {
  id: string
}

/** How many tasks were created, and how many others changed. */
export interface Written {
  created: number
  changed: number
}

const MOST_ATTEMPTS = 3
/** The server takes this many changes in one call. */
const MOST_CHANGES = 100

/**
 * Brings rows of one list to the server: creates the tasks that are missing, and changes the others only where FILE has an id of
 * its own for them and says something else. Whatever was done before the import was interrupted is found by its ids.
 */
export async function writeRows(diwan: Diwan, lists: Lists, list: string, rows: Row[]): Promise<Written> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptRows(diwan, lists, list, rows)
    } catch (error) {
      if (!isOvertaken(error) || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

async function attemptRows(diwan: Diwan, lists: Lists, list: string, rows: Row[]): Promise<Written> {
  const ids = rows.map(({ id }) => id)
  const known = await findTasks(diwan, ids)
  const tasks = new Map(known)
  const missing = rows.filter(({ id }) => !known.has(id))
  if (missing.length > 0) {
    const listId = await lists.idOf(list)
    const created = await explained('tasks', list, missing, () =>
      diwan.lists.createTasks(listId, { tasks: missing.map(({ id, task }) => ({ ...task, external_id: id })) }),
    )
    for (const [n, row] of missing.entries()) tasks.set(row.id, created[n] as Task)
  }
  const changes = rows.flatMap(row => changesOf(row, tasks.get(row.id) as Task))
  for (let from = 0; from < changes.length; from += MOST_CHANGES) {
    const some = changes.slice(from, from + MOST_CHANGES)
    await explained(
      'changes',
      list,
      some.map(({ row }) => row),
      () => diwan.company.changeTasks({ changes: some.map(({ change }) => change) }),
    )
  }
  const timed = rows.filter(row => isOtherTime(row, tasks.get(row.id) as Task))
  for (const row of timed)
    await explained('time', list, [row], () =>
      diwan.tasks.setTime((tasks.get(row.id) as Task).id, { time_spent: String(row.minutes) }),
    )
  const touched = [...changes.map(({ row }) => row), ...timed]
  const changed = new Set(touched.flatMap(({ id }) => (known.has(id) ? [id] : [])))
  return { created: missing.length, changed: changed.size }
}

interface Change {
  row: Row
  change: ChangeTasksBody['changes'][number]
}

/** What is still to be done to a task. One that is completed stays so: somebody here may have completed it. */
function changesOf(row: Row, task: Task): Change[] {
  const { externalId, isCompleted } = row
  const fields = externalId === undefined ? {} : differing(row, task)
  return [
    ...(Object.keys(fields).length > 0 ? [{ row, change: { task: task.id, do: 'update' as const, ...fields } }] : []),
    ...(isCompleted && !task.completed ? [{ row, change: { task: task.id, do: 'complete' as const } }] : []),
  ]
}

/** The time is a total, which replaces the one before. Where FILE has no ids, it is only added where there is none. */
function isOtherTime({ externalId, minutes }: Row, { time_spent_minutes }: Task): boolean {
  if (minutes === undefined || minutes === time_spent_minutes) return false
  return externalId !== undefined || time_spent_minutes === null
}

/** The fields of a row that are not so yet. An unchanged task then costs no call, and leaves no entry in the feed. */
function differing({ task: wanted }: Row, task: Task): Partial<Draft['task']> {
  const stored: Record<string, unknown> = { ...task, assignee_email: task.assignee?.email }
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) =>
      name === 'metadata'
        ? Object.entries(wanted.metadata ?? {}).some(([key, text]) => task.metadata[key] !== text)
        : stored[name] !== value,
    ),
  )
}

/** The server has refused some rows. */
class RefusedRows extends Failure {
  readonly status: number

  constructor(message: string, { status }: DiwanError) {
    super(message)
    this.status = status
  }
}

/** Somebody has created or deleted one of the tasks since they were looked up: another look helps. */
function isOvertaken(error: unknown): boolean {
  return error instanceof RefusedRows && (error.status === 404 || error.status === 409)
}

const PLACE = /\b(tasks|changes)\[(\d{1,3})\]\.?/g

/** The server refers to a task by its place in the call, while people know it by its row. */
async function explained<T>(of: string, list: string, rows: Row[], call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const byRow = explainCall(error).replaceAll(PLACE, (place, field, n) =>
      field === of ? `row ${rows[Number(n)]?.number}: ` : place,
    )
    throw new RefusedRows(
      `The server refused the batch for the list "${harmless(list)}" that starts at row ${rows[0]?.number}: ${byRow}`,
      error,
    )
  }
}
