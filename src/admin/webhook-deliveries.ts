import sql, { empty, raw, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { toTimestamp } from '../db/instants.ts'
import { orNotFound, unprocessable } from '../domain/errors.ts'
import { handleOf } from '../domain/feed/entry.ts'
import { say } from '../domain/sentences/sentences.ts'
import { companyZone } from '../domain/time/company-zone.ts'
import { readTime } from '../domain/time/dates.ts'
import { DELIVERY_SELECTIONS } from '../domain/webhooks/webhooks.ts'
import { page } from '../http/answers/pagination.ts'
import { BoundedCollection, COUNTED_UP_TO, Id, Instant, Nullable, Paging, Single } from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { DeliverySelection, DeliveryState } from './vocabulary.ts'
import { findWebhook, webhookTarget } from './webhooks.ts'

const Delivery = Type.Object(
  {
    id: Id(),
    message_id: Type.String({ description: 'The `webhook-id` of every attempt, replays included' }),
    type: Type.String({ description: 'What happened: `task.completed`' }),
    record_id: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      description: 'The ref of the record, or its number where it has none',
    }),
    project_id: Type.String({ description: 'The `prj-` ref' }),
    state: DeliveryState(),
    attempts: Type.Integer({ description: 'Attempts since it was created or last replayed' }),
    status: Nullable(Type.Integer({ description: 'The status of the last answer; null when there was none' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed; null if it succeeded' })),
    ms: Nullable(Type.Integer({ description: 'How long the last attempt took, in milliseconds' })),
    response: Nullable(Type.String({ description: 'The first kilobyte of the last answer' })),
    created_at: Instant(),
    last_attempt_at: Nullable(Instant()),
    next_attempt_at: Nullable(Instant()),
  },
  {
    title: 'WebhookDelivery',
    examples: [
      {
        id: 91,
        message_id: 'msg_2f0c1f6e8a3c4c5f9a526f3f0f1f7c11',
        type: 'task.completed',
        record_id: 'tsk-0q8v5n2jyt',
        project_id: 'prj-4k7q2m9x0c',
        state: 'pending',
        attempts: 2,
        status: 503,
        error: 'status_503',
        ms: 212,
        response: 'Try again later',
        created_at: '2026-11-15T08:30:00.000Z',
        last_attempt_at: '2026-11-15T08:30:05.000Z',
        next_attempt_at: '2026-11-15T08:35:08.000Z',
      },
    ],
  },
)
type DeliveryRow = Type.Static<typeof Delivery>

const columns = sql`d.id, d.message_id, d.kind || '.' || d.change as type, d.record_id, d.project_id, d.state, d.attempts, d.status,
  d.error, d.ms, d.response, d.created_at, d.last_attempt_at, d.next_attempt_at`

const toAnswer = (delivery: DeliveryRow): DeliveryRow => ({
  ...delivery,
  record_id: handleOf(String(delivery.record_id)),
})

const isRetrying = sql`d.state = 'pending' and d.attempts > 0`

/** Literals, so that a prepared statement can use the indexes of single states. */
const isSelected = new Map<string, Sql>(
  DELIVERY_SELECTIONS.map(one => [one, one === 'retrying' ? isRetrying : raw(`d.state = '${one}'`)]),
)

export const listWebhookDeliveries = adminEndpoint({
  name: 'list_webhook_deliveries',
  since: '1.5.0',
  operation: 'webhooks:read',
  who: 'key administrators',
  summary: 'List the deliveries of a webhook',
  description:
    'Newest first. Deliveries are kept for 30 days. `state` selects deliveries in one state; `retrying` selects those that are pending because an attempt has failed.',
  method: 'GET',
  at: ['/companies/:company/webhooks/:webhook/deliveries'],
  query: Type.Object({ state: Type.Optional(DeliverySelection()), ...Paging }),
  returns: BoundedCollection(Delivery),
  async run({ db, companyId, params, query }) {
    const isMeant = query.state ? sql`and ${isSelected.get(query.state) ?? sql`false`}` : empty
    const ofWebhook = sql`webhook_deliveries d where d.company_id = ${companyId} and d.webhook_id = w.id ${isMeant}`
    const count = { of: ofWebhook, upTo: COUNTED_UP_TO }
    const { data, meta } = await page<DeliveryRow>(db, query, {
      under: {
        from: sql`webhooks w`,
        where: sql`w.company_id = ${companyId} and w.id = ${requirePathId(params.webhook)}`,
        total: sql`(select count(*) from (select from ${ofWebhook} limit ${COUNTED_UP_TO + 1}) first_ones)`,
      },
      columns,
      from: ofWebhook,
      order: [descending(sql`d.id`)],
      count,
    })
    return { data: data.map(toAnswer), meta }
  },
})

/** A delivery in flight is left alone: it is already being sent. */
const canBeReplayed = sql`(d.claim is null or d.next_attempt_at <= now())`
const replay = (condition: Sql) => sql`
  update webhook_deliveries d set state = 'pending', attempts = 0, claim = null, next_attempt_at = now()
  where ${condition} and ${canBeReplayed}`

export const getWebhookDelivery = adminEndpoint({
  name: 'get_webhook_delivery',
  since: '1.7.0',
  operation: 'webhooks:read',
  who: 'key administrators',
  summary: 'Get a delivery of a webhook',
  method: 'GET',
  at: ['/companies/:company/webhooks/:webhook/deliveries/:delivery'],
  returns: Single(Delivery),
  async run({ db, companyId, params }) {
    const delivery = await orNotFound(
      db.maybe<DeliveryRow>(sql`
        select ${columns} from webhook_deliveries d
        where d.company_id = ${companyId} and d.webhook_id = ${requirePathId(params.webhook)}
          and d.id = ${requirePathId(params.delivery)}`),
    )
    return { data: toAnswer(delivery) }
  },
})

async function findDelivery(call: AdminCall) {
  const webhook = await findWebhook(call)
  const { db, companyId, params } = call
  const id = requirePathId(params.delivery)
  const isDelivery = sql`d.company_id = ${companyId} and d.webhook_id = ${webhook.id} and d.id = ${id}`
  const show = () =>
    orNotFound(db.maybe<DeliveryRow>(sql`select ${columns} from webhook_deliveries d where ${isDelivery}`))
  await show()
  return { webhook, isDelivery, show }
}

export const replayWebhookDelivery = adminEndpoint({
  name: 'replay_webhook_delivery',
  since: '1.5.0',
  operation: 'webhooks:write',
  who: 'key administrators',
  audited: true,
  summary: 'Send a delivery again',
  description: 'Under the same `webhook-id`, starting over with the first attempt, and with the record as it is then.',
  method: 'POST',
  at: ['/companies/:company/webhooks/:webhook/deliveries/:delivery/replay'],
  find: findDelivery,
  returns: Single(Delivery),
  async run({ db, audit }, { webhook, isDelivery, show }) {
    const replayed = await db.run(replay(isDelivery))
    if (replayed > 0) audit({ target: webhookTarget(webhook), changes: { deliveries: null } })
    return { data: toAnswer(await show()) }
  },
})

const Replay = Type.Object(
  {
    since: Type.String({
      description: 'When the changes to send again begin: ISO 8601; without an offset, in the company zone',
    }),
    failed_only: Type.Optional(
      Type.Boolean({
        description: 'Send only deliveries again that failed or are being retried; default false',
      }),
    ),
  },
  { examples: [{ since: '2026-11-15T00:00:00Z', failed_only: true }] },
)

const MOST_REPLAYED = 10_000

export const replayWebhook = adminEndpoint({
  name: 'replay_webhook',
  since: '1.5.0',
  operation: 'webhooks:write',
  who: 'key administrators',
  audited: true,
  summary: 'Send recent deliveries again',
  description: `The deliveries of changes since a point in time, or only those that failed or are being retried, which then start over at once. Deliveries that still wait for their first attempt are left as they are. More than ${MOST_REPLAYED.toLocaleString('en')} at once is 422.`,
  method: 'POST',
  at: ['/companies/:company/webhooks/:webhook/replay'],
  find: findWebhook,
  body: Replay,
  returns: Single(Type.Object({ replayed: Type.Integer({ description: 'How many deliveries are sent again' }) })),
  async run({ db, companyId, body, audit }, webhook) {
    const { at } = readTime('since', body.since, await companyZone(db, companyId))
    const isMeant = sql`d.company_id = ${companyId} and d.webhook_id = ${webhook.id} and d.at >= ${toTimestamp(at)}
      and (${body.failed_only ? sql`d.state = 'failed'` : sql`d.state <> 'pending'`} or ${isRetrying})`
    const { count } = await db.one<{ count: number }>(sql`
      select count(*) as count from (select from webhook_deliveries d where ${isMeant} limit ${MOST_REPLAYED + 1}) meant`)
    if (count > MOST_REPLAYED)
      throw unprocessable(
        'since',
        say('covers more than {most} deliveries: choose a later time', { most: MOST_REPLAYED.toLocaleString('en') }),
      )
    const replayed = await db.run(replay(isMeant))
    if (replayed > 0) audit({ target: webhookTarget(webhook), changes: { deliveries: null } })
    return { data: { replayed } }
  },
})
