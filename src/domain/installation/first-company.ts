import sql from 'sql-template-tag'
import { LOCKS, takeLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/db.ts'

/** Whether there is no company yet. Concurrent transactions take turns: the next one gets its answer when the first has ended. */
export async function hasNoCompany(tx: Db): Promise<boolean> {
  await takeLock(tx, LOCKS.firstCompany)
  return (await tx.maybe(sql`select 1 from companies limit 1`)) === undefined
}
