import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** Whether there is no company yet. Concurrent transactions take turns: the next one gets its answer when the first has ended. */
export async function hasNoCompany(tx: Db): Promise<boolean> {
  await tx.run(sql`select pg_advisory_xact_lock(7461121)`)
  return (await tx.maybe(sql`select 1 from companies limit 1`)) === undefined
}
