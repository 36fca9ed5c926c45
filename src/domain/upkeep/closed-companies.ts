import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** For how many days a closed company can be reopened. Then it is removed. */
export const KEPT_CLOSED_DAYS = 30

/** The condition that the company `c` is closed for good and being removed. */
export const isPastReopening = sql`c.closed_at <= now() - make_interval(days => ${KEPT_CLOSED_DAYS})`

export async function isClosed(db: Db, companyId: number): Promise<boolean> {
  const closed = await db.maybe(sql`select 1 from companies where id = ${companyId} and closed_at is not null`)
  return closed !== undefined
}
