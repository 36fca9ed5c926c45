import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { companyIsClosed, companyIsMoving } from '../errors.ts'

/** For how many days a closed company can be reopened. Then it is removed. */
export const KEPT_CLOSED_DAYS = 30

/**
 * The condition that the company `c` is closed for good and being removed. A copy that is still arriving from another cell counts
 * as closed, but waits for whoever finishes the move or undoes it.
 */
export const isPastReopening = sql`c.closed_at <= now() - make_interval(days => ${KEPT_CLOSED_DAYS})
  and c.moving is distinct from 'arriving'`

export async function isClosed(db: Db, companyId: number): Promise<boolean> {
  const closed = await db.maybe(sql`select 1 from companies where id = ${companyId} and closed_at is not null`)
  return closed !== undefined
}

/** For a write of the operator, who is let into a closed company too. */
export async function requireOpen(db: Db, companyId: number): Promise<void> {
  const company = await db.maybe<{ is_closed: boolean; is_leaving: boolean }>(sql`
    select closed_at is not null as is_closed, moving is not distinct from 'leaving' as is_leaving
    from companies where id = ${companyId}`)
  if (company?.is_closed) throw companyIsClosed()
  if (company?.is_leaving) throw companyIsMoving()
}

/** The condition that things are done for the company `c` besides answering calls: it is neither closed nor about to move. */
export const isAtWork = sql`c.closed_at is null and c.moved_to is null`

/** In how many seconds to look again whether something can be done for a company; undefined when it can be done now. */
export async function secondsOfRest(db: Db, companyId: number): Promise<number | undefined> {
  const resting = await db.maybe<{ seconds: number }>(sql`
    select case when c.closed_at is null or c.moving = 'arriving' then 5 else 3600 end as seconds
    from companies c where c.id = ${companyId} and not (${isAtWork})`)
  return resting?.seconds
}
