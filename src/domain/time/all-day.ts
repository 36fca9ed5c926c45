import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { toTimestamp } from '../../db/instants.ts'
import { atWallClock } from '../../lib/zoned-time.ts'

interface AllDayEvent {
  id: number
  starts_clock: string
  ends_clock: string
}

/** Keeps the all-day events of a company on their days when its time zone changes, by moving their instants. */
export async function rezoneAllDayEvents(tx: Db, companyId: number, zone: string): Promise<void> {
  const events = await tx.many<AllDayEvent>(sql`
    select id, starts_clock, ends_clock from events where company_id = ${companyId} and all_day`)
  const starts = events.map(event => atWallClock(event.starts_clock, zone))
  // Where the clocks skip or repeat an hour, the later of two clock times can be the earlier instant.
  const ends = events.map((event, index) => Math.max(atWallClock(event.ends_clock, zone), starts[index] as number))
  await tx.run(sql`
    update events e set starts_at = moved.starts_at, ends_at = moved.ends_at
    from unnest(${events.map(event => event.id)}::bigint[], ${starts.map(toTimestamp)}::timestamptz[],
                ${ends.map(toTimestamp)}::timestamptz[]) as moved (id, starts_at, ends_at)
    where e.company_id = ${companyId} and e.id = moved.id`)
}
