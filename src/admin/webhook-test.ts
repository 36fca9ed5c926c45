import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import Type from 'typebox'
import { nameAmongAll } from '../domain/access/names.ts'
import { conflict, orNotFound, unprocessable } from '../domain/errors.ts'
import type { WebhookRequest } from '../domain/ports/webhook-sender.ts'
import { type Destination, requestOf } from '../domain/webhooks/message.ts'
import { Nullable, Single } from '../http/answers/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { findWebhook, type WebhookRow } from './webhooks.ts'

const TestResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'True when the receiver answered 2xx' }),
    status: Nullable(Type.Integer({ description: 'Null when there was no answer' })),
    error: Nullable(Type.String({ description: 'Why it failed, as in the log; null if it succeeded' })),
    ms: Type.Integer(),
    response: Nullable(Type.String({ description: 'The first kilobyte of the answer' })),
  },
  {
    title: 'WebhookTest',
    examples: [{ delivered: false, status: 500, error: 'status_500', ms: 87, response: 'Something went wrong' }],
  },
)

/** One at a time for each webhook: a caller who tests often must not make us call a receiver often. */
const underWay = new Set<string>()

export const testWebhook = adminEndpoint({
  name: 'test_webhook',
  since: '1.5.0',
  operation: 'webhooks:write',
  who: 'key administrators',
  summary: 'Send a test message',
  description:
    'Sends a `ping` and returns what the receiver answered, within 15 seconds. It also works while the webhook is switched off, and is not logged.',
  method: 'POST',
  at: ['/companies/:company/webhooks/:webhook/test'],
  find: findWebhook,
  async prepare(call, webhook) {
    const name = nameAmongAll('webhook', call.companyId, webhook.id)
    if (underWay.has(name)) throw conflict('A test of this webhook is already running. Wait for its answer.')
    underWay.add(name)
    try {
      return await call.webhookSender.send(await pingOf(call, webhook), call.signal)
    } finally {
      underWay.delete(name)
    }
  },
  returns: Single(TestResult),
  async run({ prepared: { error, status, ms, response } }) {
    return { data: { delivered: error === null, status, error, ms, response } }
  },
})

async function pingOf({ db, companyId, by, encryption }: AdminCall, { id }: WebhookRow): Promise<WebhookRequest> {
  const destination = await orNotFound(
    db.maybe<Destination>(sql`
      select company_id, url, secret, case when previous_secret_until > now() then previous_secret end as previous_secret
      from webhooks where company_id = ${companyId} and id = ${id}`),
  )
  const ping = {
    id,
    type: 'ping',
    timestamp: new Date().toISOString(),
    company_id: companyId,
    project_id: null,
    parent_id: null,
    parent_kind: null,
    actor: by === 'operator' ? by : by.name,
    fields: null,
    data: null,
  }
  try {
    return requestOf(encryption, destination, `msg_${randomUUID().replaceAll('-', '')}`, ping)
  } catch {
    throw unprocessable('secret', "can't be read any more: rotate the secret of the webhook")
  }
}
