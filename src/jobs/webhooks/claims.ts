import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Attempt, WebhookRequest } from '../../domain/ports/webhook-sender.ts'
import type { ChangedKind } from '../../domain/records/records.ts'
import { secondsOfRest } from '../../domain/upkeep/closed-companies.ts'
import type { Destination } from '../../domain/webhooks/message.ts'
import { QUEUES } from '../../queues.ts'

export interface WebhookId {
  company_id: number
  id: number
}

/** The most deliveries in flight to one webhook, however many workers there are. */
export const MOST_IN_FLIGHT = QUEUES.oneWebhook.perKey
/** Longer than an attempt takes in all. After that, the worker must have been killed, and another takes over. */
const CLAIMED_FOR_SECONDS = 60

/** The conditions that a delivery `d` of the webhook `w` is due, and that it is in flight. */
export const isDue = sql`d.company_id = w.company_id and d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= now()`
export const isInFlight = sql`d.company_id = w.company_id and d.webhook_id = w.id and d.claim is not null and d.next_attempt_at > now()`

/** A delivery that nobody else attempts in the meantime. */
export interface Claim extends Destination {
  id: number
  webhook_id: number
  claim: string
  message_id: string
  kind: ChangedKind
  change: string
  record_id: string
  project_id: string
  parent_id: string | null
  actor: string | null
  fields: string[] | null
  at: string
  attempts: number
  /** The span that the change was made in, where traces are recorded. */
  traceparent: string | null
}

/**
 * Takes the delivery that has been due the longest. The webhook is locked before the deliveries in flight are counted, so
 * that two workers never count at the same moment, and before the company is looked at: whoever moves it to another cell waits
 * for transactions that hold locks.
 */
export async function claimNext(db: Db, { company_id, id }: WebhookId): Promise<Claim | undefined> {
  const isWebhook = sql`w.company_id = ${company_id} and w.id = ${id} and w.active`
  return db.onBehalfOf(company_id).transaction(async tx => {
    if ((await tx.run(sql`select from webhooks w where ${isWebhook} for no key update`)) === 0) return undefined
    if ((await secondsOfRest(tx, company_id)) !== undefined) return undefined
    return tx.maybe<Claim>(sql`
      update webhook_deliveries taken
      set claim = ${randomUUID()}, next_attempt_at = now() + make_interval(secs => ${CLAIMED_FOR_SECONDS})
      from webhooks w
      where ${isWebhook} and taken.company_id = w.company_id
        and taken.id = (select d.id from webhook_deliveries d where ${isDue} order by d.next_attempt_at, d.id limit 1)
        and (select count(*) from webhook_deliveries d where ${isInFlight}) < ${MOST_IN_FLIGHT}
      returning taken.company_id, taken.id, taken.webhook_id, taken.claim, taken.message_id, taken.kind, taken.change,
        taken.record_id, taken.project_id, taken.parent_id, taken.actor, taken.fields, taken.at, taken.attempts, taken.traceparent, w.url, w.secret,
        case when w.previous_secret_until > now() then w.previous_secret end as previous_secret`)
  })
}

const isClaimed = ({ company_id, id, claim }: Claim) =>
  sql`company_id = ${company_id} and id = ${id} and claim = ${claim}`

/** An attempt that ended for no fault of the receiver counts as not made. */
export async function releaseClaim(db: Db, claim: Claim, pauseMs: number): Promise<void> {
  await db.run(sql`
    update webhook_deliveries set claim = null, next_attempt_at = now() + make_interval(secs => ${pauseMs / 1000})
    where ${isClaimed(claim)}`)
}

/** An attempt that was made, and the request that it sent; null when none could be signed. */
export interface Tried extends Attempt {
  request: WebhookRequest | null
}

export interface Outcome extends Tried {
  state: 'pending' | 'delivered' | 'failed'
  /** Until the next attempt; null if there is none. */
  pauseMs: number | null
}

/** As many as the schedule has: a replay begins to push out those before it. */
const MOST_ATTEMPTS_KEPT = 10

/** False when another worker has the delivery by now: this attempt took too long, and the other one records the outcome. */
export async function recordOutcome(tx: Db, claim: Claim, outcome: Outcome): Promise<boolean> {
  const { state, pauseMs, status, error, ms, response, request } = outcome
  const settled = await tx.run(sql`
    with settled as (
      update webhook_deliveries set claim = null, state = ${state}, attempts = attempts + 1, last_attempt_at = now(),
        next_attempt_at = now() + make_interval(secs => ${pauseMs === null ? null : pauseMs / 1000}::float),
        status = ${status}, error = ${error}, ms = ${ms}, response = ${response}
      where ${isClaimed(claim)} returning company_id, id
    ), forgotten as (
      delete from webhook_attempts a using settled s
      where a.company_id = s.company_id and a.delivery_id = s.id and a.id in (
        select id from webhook_attempts where company_id = s.company_id and delivery_id = s.id
        order by id desc offset ${MOST_ATTEMPTS_KEPT - 1})
    )
    insert into webhook_attempts (company_id, delivery_id, status, error, ms, response, url, headers, body)
    select company_id, id, ${status}::integer, ${error}, ${ms}::integer, ${response}, ${request?.url}::text,
      ${request && JSON.stringify(request.headers)}::json, ${request?.body}::text
    from settled`)
  return settled === 1
}
