import type { Pool } from 'pg'
import { until } from './servers.ts'

/**
 * Waits until everything written so far is in the feed. Any open writing transaction on the database server holds the feed
 * back, including one of a test that runs at the same time.
 */
export async function feedSettled(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query('select pg_current_xact_id()::text as tx')
  await until(async () => {
    const settled = await pool.query('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as yes', [rows[0].tx])
    return settled.rows[0].yes
  })
}
