import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { writeInBulk } from '../../lib/bulk-writes.ts'
import type { SpentOn } from './quota.ts'

/** Calls that were spent: by whom, for what, and how they were answered. */
export interface CountedCalls extends SpentOn {
  company_id: number
  key_id: number
  operation: string
  status: number
  calls: number
}

export type CountCalls = (spent: CountedCalls) => void

export interface CallCounts {
  count: CountCalls
  /** Writes what is left, if the database responds in time. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 3_000
/** Distinct kinds of calls, not calls: far more than a node sees in a few seconds. Further kinds are not counted. */
const MOST_KINDS = 50_000
const WRITTEN_AT_ONCE = 5_000

/**
 * Counts calls in memory and adds them to the tables every few seconds, so that no call waits for it. A batch whose write fails
 * is dropped: it may have been written all the same, and a retry could then count calls twice.
 */
export function createCallCounts(db: Db, onError: (error: unknown) => void): CallCounts {
  let counted = new Map<string, CountedCalls>()

  function count(spent: CountedCalls): void {
    const { company_id, key_id, operation, status, date, hour } = spent
    const kind = `${company_id} ${key_id} ${operation} ${status} ${date} ${hour}`
    const known = counted.get(kind)
    if (known) known.calls += spent.calls
    else if (counted.size < MOST_KINDS) counted.set(kind, spent)
  }

  function take(): CountedCalls[] {
    const taken = [...counted.values()]
    counted = new Map()
    return taken
  }

  const write = (calls: CountedCalls[]) => add(db, calls)
  const { close } = writeInBulk({ everyMs: WRITE_EVERY_MS, atOnce: WRITTEN_AT_ONCE, take, write, onError })
  return { count, close }
}

/** Writes each table in the order of its key, so that nodes that write at the same time do not deadlock. */
async function add(db: Db, counted: CountedCalls[]): Promise<void> {
  const column = <K extends keyof CountedCalls>(name: K) => counted.map(each => each[name])
  await db.run(sql`
    with spent as (
      select s.* from unnest(${column('company_id')}::bigint[], ${column('date')}::date[], ${column('hour')}::smallint[],
        ${column('key_id')}::bigint[], ${column('operation')}::text[], ${column('status')}::smallint[], ${column('calls')}::bigint[])
        s (company_id, local_date, hour, key_id, operation, status, calls)
      join api_keys k on k.company_id = s.company_id and k.id = s.key_id
    ), by_hour as (
      insert into calls_by_hour as h (company_id, local_date, hour, calls)
      select company_id, local_date, hour, sum(calls) from spent group by 1, 2, 3 order by 1, 2, 3
      on conflict (company_id, local_date, hour) do update set calls = h.calls + excluded.calls
    )
    insert into calls_by_key as c (company_id, local_date, key_id, operation, status, calls)
    select company_id, local_date, key_id, operation, status, sum(calls) from spent
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (company_id, local_date, key_id, operation, status) do update set calls = c.calls + excluded.calls`)
}
