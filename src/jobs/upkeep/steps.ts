import { shortenRequestLogs } from '../../domain/access/request-log.ts'
import { removeForeignChanges } from '../../domain/feed/feed.ts'
import { foldCounts } from '../../domain/records/counts.ts'
import { AGED_TABLES, REMOVED_AT_ONCE, removeOld } from '../../domain/upkeep/retention.ts'
import { catchUpCalendars } from '../catch-up-calendars.ts'
import type { WorkerParts } from '../parts.ts'
import { closeIdleSandboxes } from './idle-sandboxes.ts'
import { removeOrphanedBytes } from './orphaned-bytes.ts'
import { removeClosedCompanies } from './remove-companies.ts'

/** Something that is done regularly, in pieces that each take moments: after each it yields how much it has removed. */
export interface Step {
  name: string
  everySeconds: number
  run(parts: WorkerParts): AsyncIterable<number>
}

const MINUTES = 60
const HOURS = 60 * MINUTES

/** Everything that is done regularly, whatever is kept for a time first (`domain/upkeep/retention.ts`). */
export const STEPS: Step[] = [
  ...AGED_TABLES.map(table => ({
    name: table,
    everySeconds: HOURS,
    run: ({ db }: WorkerParts) => removeOld(db, table),
  })),
  { name: 'foreign_changes', everySeconds: HOURS, run: ({ db }) => removeForeignChanges(db) },
  { name: 'long_request_logs', everySeconds: HOURS, run: ({ db }) => shortenRequestLogs(db) },
  { name: 'count_changes', everySeconds: HOURS, run: ({ db }) => foldCounts(db) },
  { name: 'jobs', everySeconds: HOURS, run: removeOldJobs },
  { name: 'idle_sandboxes', everySeconds: HOURS, run: closeIdleSandboxes },
  { name: 'closed_companies', everySeconds: HOURS, run: removeClosedCompanies },
  { name: 'orphaned_bytes', everySeconds: 24 * HOURS, run: removeOrphanedBytes },
  { name: 'calendars', everySeconds: 10 * MINUTES, run: queueOwedEvents },
]

async function* removeOldJobs({ jobs }: WorkerParts): AsyncGenerator<number> {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    removed = await jobs.removeOld(REMOVED_AT_ONCE)
    yield removed
  }
}

/** Removes nothing. */
async function* queueOwedEvents(parts: WorkerParts): AsyncGenerator<number> {
  await catchUpCalendars(parts)
  yield 0
}
