import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isAtWork } from '../upkeep/closed-companies.ts'

/** A sandbox that nobody has used for so many days is removed. */
export const KEPT_IDLE_DAYS = 30

export async function isSandbox(db: Db, companyId: number): Promise<boolean> {
  return (await db.maybe(sql`select 1 from companies where id = ${companyId} and sandbox_of is not null`)) !== undefined
}

/** The condition that the company `c` is a sandbox in which nobody has been noted for an hour. */
export const isUseUnnoted = sql`c.sandbox_of is not null and c.used_at < now() - interval '1 hour'`

/** Notes that somebody is signed in. A company that others are changing is skipped, so that nobody waits for this. */
export async function noteUse(db: Db, companyId: number): Promise<void> {
  await db.run(sql`
    update companies set used_at = now() where id in (
      select c.id from companies c where c.id = ${companyId} and ${isUseUnnoted} for no key update skip locked)`)
}

/** When the sandbox `c` was last used: by somebody who was signed in, or with a key. */
export const lastUse = sql`greatest(c.used_at, (select max(k.last_used_at) from api_keys k where k.company_id = c.id))`

/** The condition that the company `c` is a sandbox that nobody has used for too long. */
export const isIdleSandbox = sql`c.sandbox_of is not null and ${isAtWork}
  and ${lastUse} <= now() - make_interval(days => ${KEPT_IDLE_DAYS})`
