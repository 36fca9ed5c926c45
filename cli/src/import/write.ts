import { lstat } from 'node:fs/promises'
import type { Diwan } from '../../../client/src/index.ts'
import { Failure, UsageError } from '../frame/command.ts'
import { harmless } from '../frame/output.ts'
import { explainCall } from '../remote/server.ts'
import { findApplied, type WrittenTask } from './applied.ts'
import { type Batch, batchesOf } from './batches.ts'
import { draftsOf } from './drafts.ts'
import type { People } from './people.ts'
import { isRefusal, Stopped } from './server.ts'
import type { Settings } from './settings.ts'
import { type KnownList, type State, saveState } from './state.ts'

/**
 * The server recognises a repeated call for 24 hours. One hour less, because a single call may be retried for most of an
 * hour.
 */
const REMEMBERED_MS = 23 * 3_600_000
/** Completing takes one call per task. */
const COMPLETED_AT_ONCE = 4

export interface Writing {
  diwan: Diwan
  settings: Settings
  people: People
  state: State
  /** The key that is sending now. */
  key: string
  stop: AbortSignal
  requireUnchanged(): Promise<void>
  onProgress(tasks: number): void
}

/** Sends every batch that is not done yet, and notes each when it is. */
export async function writeTasks(writing: Writing): Promise<void> {
  const { settings, people, state, stop, onProgress, requireUnchanged } = writing
  for await (const batch of batchesOf(draftsOf(settings, people, {}), settings.batch)) {
    if (batch.index < state.done.batches) continue
    if (stop.aborted) throw new Stopped()
    await requireUnchanged()
    const list = state.lists.find(({ title }) => title === batch.list) as KnownList
    const tasks = await writeBatch(writing, list, batch)
    const completed = await complete(writing, batch, tasks)
    const last = tasks.findLast(task => task !== undefined)
    if (last) list.last = { id: last.id, created_at: last.created_at }
    state.done.batches++
    state.done.tasks += batch.drafts.length
    state.done.completed += completed
    await saveProgress(writing)
    onProgress(state.done.tasks)
  }
  state.finishedAt = new Date().toISOString()
  await saveProgress(writing)
}

async function saveProgress({ settings, state, key }: Writing): Promise<void> {
  state.since = new Date().toISOString()
  state.key = key
  await saveState(settings.file, state)
}

/** The server knows the batch in flight when an import ended by its name, unless that was too long ago. */
async function writeBatch(writing: Writing, list: KnownList, batch: Batch): Promise<(WrittenTask | undefined)[]> {
  const { diwan, state, key } = writing
  const isForgotten = Date.now() - Date.parse(state.since) > REMEMBERED_MS || state.key !== key
  if (isForgotten) {
    const applied = await findApplied(diwan, list, batch)
    if (applied) return applied
    await saveProgress(writing)
  }
  const tasks = batch.drafts.map(({ task }) => task)
  try {
    return await diwan.lists.createTasks(list.id, { tasks }, { idempotencyKey: `import-${state.run}-${batch.index}` })
  } catch (error) {
    throw isRefusal(error) ? byRow(explainCall(error), batch) : error
  }
}

/** The server refers to a task by its place in the batch, while people know it by its row. */
function byRow(message: string, { list, drafts }: Batch): Failure {
  const rows = message.replaceAll(/tasks\[(\d{1,3})\]\./g, (_, place) => `row ${drafts[Number(place)]?.number}: `)
  return new Failure(
    `The server refused the batch for the list "${harmless(list)}" that starts at row ${drafts[0]?.number}: ${rows}`,
  )
}

async function complete(
  { diwan, state }: Writing,
  { drafts }: Batch,
  tasks: (WrittenTask | undefined)[],
): Promise<number> {
  const ids = tasks.flatMap((task, n) => (task && drafts[n]?.isCompleted ? [task.id] : []))
  const next = ids.values()
  const work = async () => {
    for (const id of next) {
      await diwan.tasks.complete(id, { idempotencyKey: `import-${state.run}-${id}` }).catch(error => {
        // Somebody has deleted it in the meantime.
        if (!isRefusal(error) || error.status !== 404) throw error
      })
    }
  }
  await Promise.all(Array.from({ length: COMPLETED_AT_ONCE }, work))
  return ids.length
}

/** The file is read twice, and must be the same both times. */
export async function watchFile(file: string): Promise<() => Promise<void>> {
  const before = await lstat(file).catch(error => {
    throw new UsageError(`FILE cannot be read: ${error.message}`)
  })
  if (!before.isFile()) throw new UsageError(`FILE must be a file itself, and not a link or a folder: ${file}`)
  const { size, mtimeMs, ino } = before
  return async () => {
    const now = await lstat(file)
    if (now.size !== size || now.mtimeMs !== mtimeMs || now.ino !== ino)
      throw new Failure(`${file} was changed during the import`)
  }
}
