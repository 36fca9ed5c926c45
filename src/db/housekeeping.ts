import type { Pool } from 'pg'

const LOOK_EVERY_MS = 5_000
const CHECKPOINT_EVERY_MS = 3 * 60_000

/**
 * What has to be done about tables that have changed a lot, by the thresholds of autovacuum; only dead rows may become more
 * numerous, because some tables are emptied all the time. As in autovacuum, a table can be left out.
 */
const NEGLECTED = `
  select format(case when needs_vacuum then 'vacuum (analyze) %I.%I' else 'analyze %I.%I' end, schemaname, relname) as work
  from (
    select s.*, c.reloptions, n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0) as needs_analyze,
      greatest(n_dead_tup, n_ins_since_vacuum) > 1000 + 0.2 * greatest(reltuples, 0) as needs_vacuum
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid) changed
  where (needs_analyze or needs_vacuum) and not 'autovacuum_enabled=off' = any (coalesce(reloptions, '{}'))`

interface Housekeeping {
  pool: Pool
  /** How often the log was flushed: every commit that has written something flushes it. */
  flushes: () => number
  onError: (error: Error) => void
}

/**
 * Does what PostgreSQL has background processes for, since the embedded engine has none: analyzes and vacuums tables that have
 * grown or changed, each in a turn of its own, and makes checkpoints. While nothing is written, nothing is done. Returns a
 * function that stops it.
 */
export function keepHouse({ pool, flushes, onError }: Housekeeping): () => void {
  let seen = -1
  let checkpointAt = Date.now() + CHECKPOINT_EVERY_MS

  async function look(): Promise<void> {
    const flushed = flushes()
    if (flushed === seen) return
    seen = flushed
    const { rows } = await pool.query<{ work: string }>(NEGLECTED)
    for (const { work } of rows) await pool.query(work)
    if (Date.now() < checkpointAt) return
    await pool.query('checkpoint')
    checkpointAt = Date.now() + CHECKPOINT_EVERY_MS
  }

  let timer = later()
  function later(): NodeJS.Timeout {
    return setTimeout(async () => {
      await look().catch(onError)
      if (!isStopped) timer = later()
    }, LOOK_EVERY_MS).unref()
  }
  let isStopped = false
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
