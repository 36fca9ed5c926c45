import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isAtWork } from '../../domain/upkeep/closed-companies.ts'
import { isDue, isInFlight, MOST_IN_FLIGHT, type WebhookId } from './claims.ts'

/** A webhook for which deliveries could begin now. */
export interface Work extends WebhookId {
  /** How many. */
  due: number
  is_failing: boolean
}

interface Agenda {
  work: Work[]
  /** When the next delivery falls due that is not due yet; null if none is waiting. */
  next_in_ms: number | null
}

/**
 * What is due, in one statement. It goes from one webhook with waiting deliveries to the next, by their index: webhooks that
 * have none cost nothing, however many there are, and one that has thousands costs no more than one that has two.
 */
export function findDue(db: Db): Promise<Agenda> {
  return db.one<Agenda>(sql`
    with recursive waiting as (
      (select company_id, webhook_id, next_attempt_at from webhook_deliveries where state = 'pending'
       order by company_id, webhook_id, next_attempt_at limit 1)
      union all
      select further.* from waiting w cross join lateral (
        select d.company_id, d.webhook_id, d.next_attempt_at from webhook_deliveries d
        where d.state = 'pending' and (d.company_id, d.webhook_id) > (w.company_id, w.webhook_id)
        order by d.company_id, d.webhook_id, d.next_attempt_at limit 1) further
    ), work as (
      select w.company_id, w.id, w.failing_since is not null as is_failing, least(
        (select count(*) from (select from webhook_deliveries d where ${isDue} limit ${MOST_IN_FLIGHT}) due),
        ${MOST_IN_FLIGHT} - (select count(*) from webhook_deliveries d where ${isInFlight})) as due
      from waiting
      join webhooks w on w.company_id = waiting.company_id and w.id = waiting.webhook_id and w.active
      join companies c on c.id = w.company_id and ${isAtWork}
      where waiting.next_attempt_at <= now()
    )
    select coalesce((select json_agg(work) from work where due > 0), '[]') as work, (
      select extract(epoch from min(next_attempt_at) - now())::float * 1000 from waiting where next_attempt_at > now()) as next_in_ms`)
}
