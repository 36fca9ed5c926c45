import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../src/db/db.ts'
import { areJobsRunning } from '../../../src/domain/upkeep/stored-jobs.ts'
import { Failure } from '../frame/command.ts'
import type { Cells } from './cells.ts'
import { changeState, findStanding } from './state.ts'

/** A worker that was killed holds its jobs and deliveries for a minute; others take them from it within 15 seconds. */
const JOBS_WITHIN_MS = 90_000
const WRITES_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 20

/**
 * Lets nobody change the company in the source any more, and returns its ids when all that was begun is over. First its jobs and
 * deliveries come to rest, while everything is served: they may take long, and what they have done must be noted. Then the
 * database refuses to change it; that lasts until the copy is served, and so is kept short. Whatever does not end in time leaves
 * everything as it was.
 */
export async function freeze({ source: { db }, cell }: Cells, id: number, onReadOnly: () => void): Promise<number[]> {
  try {
    const restIds = await changeState(db, id, null, { moving: null, moved_to: cell })
    await waitFor(() => isQuiet(db, restIds), JOBS_WITHIN_MS, 'Jobs of the company do not end')
    const ids = await changeState(db, id, null, { moving: 'leaving', moved_to: cell })
    onReadOnly()
    await waitForWrites(db)
    await waitFor(() => isQuiet(db, ids), JOBS_WITHIN_MS, 'Jobs of the company do not end')
    const standing = await findStanding(db, id)
    if (standing?.ids.length !== ids.length)
      throw new Failure('A sandbox was added to the company meanwhile. Run the same command again')
    return ids
  } catch (error) {
    await thaw(db, id)
    throw error
  }
}

/** The company is served in the source as before. */
export async function thaw(db: Db, id: number): Promise<void> {
  await db.raw(
    `update companies set moving = null, moved_to = null
     where $1 in (id, sandbox_of) and (moving is null or moving = 'leaving')`,
    [id],
  )
}

/** Those that have written are numbered, and all numbers up to now must have ended: as in the feed, which reads up to there. */
async function waitForWrites(db: Db): Promise<void> {
  const [now] = await db.raw<{ tx: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as tx', [])
  const haveEnded = async () => {
    const [oldest] = await db.raw<{ has_ended: boolean }>(
      'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as has_ended',
      [now?.tx],
    )
    return oldest?.has_ended ?? false
  }
  await waitFor(haveEnded, WRITES_WITHIN_MS, 'A transaction that began before has not ended (see pg_stat_activity)')
}

async function isQuiet(db: Db, ids: number[]): Promise<boolean> {
  const [inFlight] = await db.raw<{ id: number }>(
    `select id from webhook_deliveries
     where company_id = any ($1::bigint[]) and claim is not null and next_attempt_at > now() limit 1`,
    [ids],
  )
  return !inFlight && !(await areJobsRunning(db, ids))
}

async function waitFor(isSo: () => Promise<boolean>, withinMs: number, problem: string): Promise<void> {
  const until = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > until)
      throw new Failure(
        `${problem}, after ${withinMs / 1000} seconds. The company is served as before: try again later`,
      )
    await sleep(LOOK_EVERY_MS)
  }
}
