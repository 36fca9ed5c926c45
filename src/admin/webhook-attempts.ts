import sql from 'sql-template-tag'
import Type from 'typebox'
import { page } from '../http/answers/pagination.ts'
import { Collection, Id, Instant, Nullable, Paging } from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { adminEndpoint } from './gate.ts'

const WebhookAttempt = Type.Object(
  {
    id: Id(),
    at: Instant({ description: 'When it was answered or given up' }),
    status: Nullable(Type.Integer({ description: 'The status of the answer; null when there was none' })),
    error: Nullable(Type.String({ description: 'Why it failed; null if it succeeded' })),
    ms: Type.Integer({ description: 'How long it took, in milliseconds' }),
    response: Nullable(Type.String({ description: 'The first kilobyte of the answer' })),
    request: Nullable(
      Type.Object(
        {
          url: Type.String({ description: 'The URL that the webhook had then' }),
          headers: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
          body: Type.String({ description: 'Byte for byte what was signed' }),
        },
        { description: 'What was sent; null when nothing could be, because the secret cannot be read any more' },
      ),
    ),
  },
  {
    title: 'WebhookAttempt',
    examples: [
      {
        id: 204,
        at: '2026-11-15T08:30:05.000Z',
        status: 503,
        error: 'status_503',
        ms: 212,
        response: 'Try again later',
        request: {
          url: 'https://warehouse.example.com/hooks/diwan?tenant=7',
          headers: { 'content-type': 'application/json', 'webhook-id': 'msg_2f0c1f6e8a3c4c5f9a526f3f0f1f7c11' },
          body: '{"id":"tsk-0q8v5n2jyt","type":"task.completed"}',
        },
      },
    ],
  },
)

const columns = sql`a.id, a.at, a.status, a.error, a.ms, a.response,
  case when a.body is not null then json_build_object('url', a.url, 'headers', a.headers, 'body', a.body) end as request`

export const listWebhookAttempts = adminEndpoint({
  name: 'list_webhook_attempts',
  since: '1.7.0',
  operation: 'webhooks:read',
  who: 'key administrators',
  summary: 'List the attempts of a delivery',
  description:
    'What was sent each time, as it was sent, and what came back, newest first. The last ten attempts of a delivery are kept, replays included, for 7 days.',
  method: 'GET',
  at: ['/companies/:company/webhooks/:webhook/deliveries/:delivery/attempts'],
  query: Type.Object(Paging),
  returns: Collection(WebhookAttempt),
  run({ db, companyId, params, query }) {
    const ofDelivery = sql`webhook_attempts a where a.company_id = ${companyId} and a.delivery_id = d.id`
    return page<Type.Static<typeof WebhookAttempt>>(db, query, {
      under: {
        from: sql`webhook_deliveries d`,
        where: sql`d.company_id = ${companyId} and d.webhook_id = ${requirePathId(params.webhook)}
          and d.id = ${requirePathId(params.delivery)}`,
        total: sql`(select count(*) from ${ofDelivery})`,
      },
      columns,
      from: ofDelivery,
      order: [descending(sql`a.id`)],
    })
  },
})
