import sql from 'sql-template-tag'
import type { JobPayloads } from '../domain/ports/job-queue.ts'
import { isToBeDone } from '../domain/upkeep/stored-jobs.ts'
import type { WorkerParts } from './parts.ts'

/** More than this waits for the next time, ten minutes later. No calendar has to wait for all the events of another. */
const AT_ONCE = 5_000

/**
 * Queues again what is owed to calendars and has no job waiting: everything where the connection works, and one event where it
 * fails, to see whether it works again. If it does, the rest follows. Which one is left to chance: the fault may be that of one event.
 */
export async function catchUpCalendars({ db, jobs }: Pick<WorkerParts, 'db' | 'jobs'>): Promise<void> {
  const payload = sql`jsonb_build_object('company_id', x.company_id, 'calendar_id', x.calendar_id, 'uid', x.uid)`
  await db.transaction(async tx => {
    const owed = await tx.many<JobPayloads['sync-calendar']>(sql`
      select company_id, calendar_id, uid from (
        select x.company_id, x.calendar_id, x.uid, c.failing_since,
          row_number() over (partition by x.company_id, x.calendar_id order by random()) as place
        from calendar_entries x
        join calendars c on c.company_id = x.company_id and c.id = x.calendar_id
        join users u on u.company_id = c.company_id and u.id = c.user_id
        where x.synced_version < x.version and u.active and not ${isToBeDone('sync-calendar', payload)}
      ) waiting where failing_since is null or place = 1
      order by place limit ${AT_ONCE}`)
    await jobs.enqueue(tx, 'sync-calendar', owed)
  })
}
