import { lstat } from 'node:fs/promises'
import type { Diwan } from '../../../client/src/index.ts'
import { Failure, UsageError } from '../frame/command.ts'
import { batchesOf } from './batches.ts'
import { draftsOf } from './drafts.ts'
import type { Lists } from './lists.ts'
import type { People } from './people.ts'
import { Stopped } from './server.ts'
import type { Settings } from './settings.ts'
import { type Done, type State, saveState } from './state.ts'
import { type Written, writeRows } from './write-rows.ts'

export interface Writing {
  diwan: Diwan
  settings: Settings
  people: People
  lists: Lists
  /** Where rows have no ids. */
  state: State | undefined
  stop: AbortSignal
  requireUnchanged(): Promise<void>
  onProgress(tasks: number): void
}

/** Sends every batch that is not done yet, and notes each when it is. */
export async function writeTasks(writing: Writing): Promise<Written> {
  const { diwan, settings, people, lists, state, stop, onProgress, requireUnchanged } = writing
  const done: Done = state?.done ?? { batches: 0, tasks: 0 }
  const written: Written = { created: 0, changed: 0 }
  for await (const { index, list, drafts } of batchesOf(draftsOf(settings, people, {}), settings.batch)) {
    if (index < done.batches) continue
    if (stop.aborted) throw new Stopped()
    await requireUnchanged()
    // The same tasks always give the same batches, so a row is known by its place in them.
    const rows = drafts.map((draft, n) => ({ ...draft, id: draft.externalId ?? `${state?.run}-${index}-${n}` }))
    const { created, changed } = await writeRows(diwan, lists, list, rows)
    written.created += created
    written.changed += changed
    done.batches++
    done.tasks += drafts.length
    if (state) await saveState(settings.file, state)
    onProgress(done.tasks)
  }
  if (state) await saveState(settings.file, { ...state, finishedAt: new Date().toISOString() })
  return written
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
