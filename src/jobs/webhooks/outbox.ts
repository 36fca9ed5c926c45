import sql, { empty } from 'sql-template-tag'
import { assignments } from '../../db/assignments.ts'
import type { Db } from '../../db/db.ts'
import { isSettledBehind } from '../../domain/feed/feed.ts'
import { isAtWork } from '../../domain/upkeep/closed-companies.ts'
import { fromNowOn } from '../../domain/webhooks/webhooks.ts'
import type { WebhookId } from './claims.ts'

/** A webhook that has not been matched against all entries of the feed. */
interface Behind extends WebhookId {
  /** So many deliveries are waiting that no more are created. The feed keeps the entries until there is room. */
  is_full: boolean
}

const MOST_WAITING = 10_000
/**
 * How many one transaction takes. The feed shows nothing newer than the oldest transaction that is still writing, so this one
 * must be short.
 */
const ENTRIES_AT_ONCE = 5_000
const ENTRIES_OF_A_WEBHOOK = 500

/** A position that no transaction has reached yet came with a dump of another database. */
const isForeign = sql`w.tx > pg_snapshot_xmax(pg_current_snapshot())`

/** The condition that the webhook `w` is behind. */
const hasMore = sql`w.active and (${isForeign} or exists (
  select from changes where company_id = w.company_id and ${isSettledBehind(sql`w.tx`, sql`w.change_id`)}))`

/** All companies that have a webhook which is behind. */
export async function companiesBehind(db: Db): Promise<number[]> {
  const found = await db.many<{ id: number }>(sql`
    select c.id from companies c
    where ${isAtWork} and exists (select from webhooks w where w.company_id = c.id and ${hasMore})`)
  return found.map(({ id }) => id)
}

export function findBehind(db: Db, companies: number[]): Promise<Behind[]> {
  return db.many<Behind>(sql`
    select w.company_id, w.id, exists (
      select from webhook_deliveries d where d.company_id = w.company_id and d.webhook_id = w.id and d.state = 'pending'
      offset ${MOST_WAITING - 1}) as is_full
    from webhooks w join companies c on c.id = w.company_id
    where w.company_id = any(${companies}) and ${isAtWork} and ${hasMore}`)
}

/**
 * Creates the deliveries for the next entries of the feed, and moves the webhooks' positions past them, in one transaction.
 * Leaves out webhooks that somebody else holds at the moment.
 */
export async function createDeliveries(db: Db, webhooks: WebhookId[]): Promise<void> {
  await db.transaction(async tx => {
    const held = await tx.many<WebhookId & { is_foreign: boolean }>(sql`
      select w.company_id, w.id, ${isForeign} as is_foreign from webhooks w join ${these(webhooks)} using (company_id, id)
      where w.active order by w.company_id, w.id for no key update of w skip locked`)
    const [foreign, own] = [held.filter(each => each.is_foreign), held.filter(each => !each.is_foreign)]
    if (foreign.length > 0) await tx.run(startAfresh(foreign))
    // A separate statement, so that it sees the positions to which previous holders of the locks have moved the webhooks.
    if (own.length > 0) await tx.run(deliveriesOfNext(own))
  })
}

function these(webhooks: WebhookId[]) {
  const [companies, ids] = [webhooks.map(({ company_id }) => company_id), webhooks.map(({ id }) => id)]
  return sql`unnest(${companies}::bigint[], ${ids}::bigint[]) as these (company_id, id)`
}

function startAfresh(webhooks: WebhookId[]) {
  return sql`
    update webhooks w set ${assignments(fromNowOn) ?? empty} from ${these(webhooks)}
    where w.company_id = these.company_id and w.id = these.id`
}

function deliveriesOfNext(webhooks: WebhookId[]) {
  const entriesEach = Math.min(ENTRIES_OF_A_WEBHOOK, Math.floor(ENTRIES_AT_ONCE / webhooks.length))
  return sql`
    with webhook as (
      select w.*, p.ref as project_ref from webhooks w join ${these(webhooks)} using (company_id, id)
      left join projects p on p.company_id = w.company_id and p.id = w.project_id
    ), news as (
      select w.id as webhook_id, entry.* from webhook w cross join lateral (
        select * from changes where company_id = w.company_id and ${isSettledBehind(sql`w.tx`, sql`w.change_id`)}
        order by tx, id limit ${entriesEach}) entry
    ), made as (
      insert into webhook_deliveries (
        company_id, webhook_id, kind, change, record_id, project_id, parent_id, actor, fields, at, traceparent)
      select n.company_id, w.id, n.kind, n.change, n.record_id, n.project_id, n.parent_id, n.actor, n.fields, n.at,
        n.traceparent
      from news n join webhook w on w.company_id = n.company_id and w.id = n.webhook_id
      where w.kinds && array['*', n.kind || '.*', n.kind || '.' || n.change]
        and (w.project_ref is null or w.project_ref = n.project_id)
        and not pg_visible_in_snapshot(n.tx, w.told_since)
      order by n.tx, n.id
    )
    update webhooks w set tx = last.tx, change_id = last.id
    from (
      select distinct on (company_id, webhook_id) company_id, webhook_id, tx, id from news
      order by company_id, webhook_id, tx desc, id desc) last
    where w.company_id = last.company_id and w.id = last.webhook_id`
}
