import type { Pool } from 'pg'
import { until } from './servers.ts'

/**
 * Waits until all that was written so far is in the feed. A writing transaction anywhere on the database server holds it back,
 * also one of a test that runs beside this one.
 */
export async function feedSettled(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query('select pg_current_xact_id()::text as tx')
  await until(async () => {
    const settled = await pool.query('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as yes', [rows[0].tx])
    return settled.rows[0].yes
  })
}
