import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'

/** Whether there is no company yet. Of several that ask at once, one is told so at a time, and the next when it has committed. */
export async function hasNoCompany(tx: Db): Promise<boolean> {
  await tx.run(sql`select pg_advisory_xact_lock(7461121)`)
  return (await tx.maybe(sql`select 1 from companies limit 1`)) === undefined
}
