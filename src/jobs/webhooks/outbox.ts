import sql, { empty } from 'sql-template-tag'
import { assignments } from '../../db/assignments.ts'
import type { Db } from '../../db/db.ts'
import { isSettledBehind } from '../../domain/feed.ts'
import { fromNowOn } from '../../domain/webhooks.ts'
import { isDue, isInFlight, MOST_IN_FLIGHT, type WebhookId } from './claims.ts'

/** A webhook for which there is something to do. */
export interface Work extends WebhookId {
  /** There are entries of the feed that it has not been matched against. */
  has_news: boolean
  /** How many deliveries could begin now. */
  due: number
  is_failing: boolean
}

const ENTRIES_AT_ONCE = 500
/** A webhook with this many waiting deliveries gets no more: the feed keeps what it has yet to be told. */
const MOST_WAITING = 10_000

/** A position that no transaction has reached yet came with a dump of another database. */
const isForeign = sql`w.tx > pg_snapshot_xmax(pg_current_snapshot())`

/** The work to be done for all webhooks, in one statement. */
export function findWork(db: Db): Promise<Work[]> {
  return db.many<Work>(sql`
    select * from (
      select w.company_id, w.id, w.failing_since is not null as is_failing,
        ${isForeign} or (
          exists (select from changes where company_id = w.company_id and ${isSettledBehind(sql`w.tx`, sql`w.change_id`)})
          and not exists (
            select from webhook_deliveries d where d.company_id = w.company_id and d.webhook_id = w.id and d.state = 'pending'
            offset ${MOST_WAITING - 1})) as has_news,
        least(
          (select count(*) from (select from webhook_deliveries d where ${isDue} limit ${MOST_IN_FLIGHT}) due),
          ${MOST_IN_FLIGHT} - (select count(*) from webhook_deliveries d where ${isInFlight})) as due
      from webhooks w join companies c on c.id = w.company_id where w.active and c.closed_at is null
    ) work where has_news or due > 0`)
}

/**
 * Creates the deliveries for the next entries of the feed, and moves the webhook's position past them, in one transaction. Does
 * nothing if another worker is already doing it.
 */
export async function gather(db: Db, { company_id, id }: WebhookId): Promise<void> {
  await db.onBehalfOf(company_id).transaction(async tx => {
    const webhook = await tx.maybe<{ is_foreign: boolean }>(sql`
      select ${isForeign} as is_foreign from webhooks w
      where w.company_id = ${company_id} and w.id = ${id} and w.active for no key update skip locked`)
    if (!webhook) return
    if (webhook.is_foreign)
      await tx.run(sql`
        update webhooks set ${assignments(fromNowOn) ?? empty} where company_id = ${company_id} and id = ${id}`)
    // A separate statement, so that it sees the position to which the previous holder of the lock has moved the webhook.
    else await tx.run(deliveriesOfNext({ company_id, id }))
  })
}

function deliveriesOfNext({ company_id, id }: WebhookId) {
  return sql`
    with webhook as (
      select w.*, p.ref as project_ref from webhooks w
      left join projects p on p.company_id = w.company_id and p.id = w.project_id
      where w.company_id = ${company_id} and w.id = ${id}
    ), news as (
      select entry.* from webhook w cross join lateral (
        select * from changes where company_id = ${company_id} and ${isSettledBehind(sql`w.tx`, sql`w.change_id`)}
        order by tx, id limit ${ENTRIES_AT_ONCE}) entry
    ), made as (
      insert into webhook_deliveries (company_id, webhook_id, kind, change, record_id, project_id, parent_id, actor, fields, at)
      select n.company_id, w.id, n.kind, n.change, n.record_id, n.project_id, n.parent_id, n.actor, n.fields, n.at
      from news n, webhook w
      where w.kinds && array['*', n.kind || '.*', n.kind || '.' || n.change]
        and (w.project_ref is null or w.project_ref = n.project_id)
        and not pg_visible_in_snapshot(n.tx, w.told_since)
      order by n.tx, n.id
    )
    update webhooks w set tx = last.tx, change_id = last.id
    from (select tx, id from news order by tx desc, id desc limit 1) last
    where w.company_id = ${company_id} and w.id = ${id}`
}
