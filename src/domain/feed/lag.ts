import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Condition } from '../ports/condition.ts'
import { say } from '../sentences/sentences.ts'

const HELD_BACK_AFTER_SECONDS = 60

/**
 * For how long the oldest change that is committed has not been shown: the feed waits for every transaction that began to write
 * before it, of whatever role and database. While none is running, nothing can be waiting.
 */
export async function feedLagSeconds(db: Db): Promise<number> {
  const { seconds } = await db.one<{ seconds: number }>(sql`
    select case when oldest = next then 0 else coalesce((
      select greatest(extract(epoch from clock_timestamp() - at), 0)::float from changes
      where tx >= oldest and tx < next order by tx limit 1), 0) end as seconds
    from (
      select pg_snapshot_xmin(snapshot) as oldest, pg_snapshot_xmax(snapshot) as next
      from pg_current_snapshot() as snapshot) now`)
  return seconds
}

interface Holder {
  pid: number | null
  /** The name of a prepared transaction, which has no process. */
  gid: string | null
  role: string | null
  database: string | null
  application: string | null
}

/** Whether the feed shows what is committed; if not, who holds it back. */
export async function checkFeed(db: Db): Promise<Condition> {
  const seconds = Math.floor(await feedLagSeconds(db))
  if (seconds <= HELD_BACK_AFTER_SECONDS) return { state: 'ok', message: 'Changes are shown as they are committed.' }
  const holder = await findHolder(db)
  if (!holder)
    return {
      state: 'degraded',
      message: say('No change of the last {seconds} seconds is shown. What it waited for has just ended.', { seconds }),
    }
  return {
    state: 'degraded',
    message: say(
      holder.gid === null
        ? 'No change of the last {seconds} seconds is shown. A transaction ({details}) is still open.'
        : 'No change of the last {seconds} seconds is shown. A prepared transaction ({details}) is still open.',
      { seconds, details: describe(holder) },
    ),
    advice: say('See what it is doing, and end it if nobody needs it: {statement}', { statement: ending(holder) }),
  }
}

/**
 * Every writing transaction holds a lock on its own number. Unlike pg_stat_activity, which hides the transactions of other roles,
 * pg_locks shows these locks to everybody.
 */
function findHolder(db: Db): Promise<Holder | undefined> {
  return db.maybe<Holder>(sql`
    select l.pid, p.gid, coalesce(a.usename, p.owner)::text as role, coalesce(a.datname, p.database)::text as database,
      nullif(a.application_name, '') as application
    from pg_locks l
    left join pg_stat_activity a on a.pid = l.pid
    left join pg_prepared_xacts p on l.pid is null and p.transaction = l.transactionid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
      and l.transactionid = pg_snapshot_xmin(pg_current_snapshot())::xid`)
}

function describe({ pid, gid, role, database, application }: Holder): string {
  const details = [
    gid === null ? `process ${pid}` : `named ${gid}`,
    `role ${role ?? 'unknown'}`,
    `database ${database ?? 'unknown'}`,
    ...(application === null ? [] : [`application ${application}`]),
  ]
  return details.join(', ')
}

function ending({ pid, gid }: Holder): string {
  return gid === null ? `select pg_terminate_backend(${pid})` : `rollback prepared '${gid.replaceAll("'", "''")}'`
}
