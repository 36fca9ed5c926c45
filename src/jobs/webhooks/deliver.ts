import { handleOf, parentOf } from '../../domain/feed/entry.ts'
import { dataOf, type Message, requestOf } from '../../domain/webhooks/message.ts'
import { type Span, tracer } from '../../lib/tracing.ts'
import type { WorkerParts } from '../parts.ts'
import { type Claim, releaseClaim, type Tried } from './claims.ts'
import { noteFailure, noteSuccess } from './health.ts'
import { pauseAfter } from './schedule.ts'

export type WebhookParts = Pick<
  WorkerParts,
  'db' | 'jobs' | 'feedWatch' | 'commits' | 'encryption' | 'webhookSender' | 'readRecord' | 'log'
>

/** When the fault is ours, the receiver is left alone for a while and the attempt does not count. */
const OWN_FAULT_PAUSE_MS = 60_000

/** Attempts a delivery once, as a part of the trace of its change. `signal` ends the attempt when the worker is to stop: then it counts as not begun. */
export async function deliver(
  parts: WebhookParts,
  claim: Claim,
  pausesMs: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  if (!tracer) return deliverOnce(parts, claim, pausesMs, signal)
  const attributes = {
    'http.request.method': 'POST',
    'server.address': new URL(claim.url).hostname,
    'diwan.company_id': claim.company_id,
    'diwan.webhook.id': claim.webhook_id,
    'diwan.webhook.attempt': claim.attempts + 1,
  }
  const facts = { name: 'POST webhook', kind: 'client', attributes } as const
  return tracer.following(claim.traceparent, facts, span => deliverOnce(parts, claim, pausesMs, signal, span))
}

async function deliverOnce(
  parts: WebhookParts,
  claim: Claim,
  pausesMs: readonly number[],
  signal: AbortSignal,
  span?: Span,
): Promise<void> {
  const { db, log } = parts
  try {
    const attempt = await attemptOnce(parts, claim, signal)
    span?.set({ 'http.response.status_code': attempt.status ?? undefined })
    if (attempt.error !== null) span?.fail({ code: attempt.error })
    if (signal.aborted && attempt.error !== null) return await releaseClaim(db, claim, 0)
    if (attempt.error === null) return await noteSuccess(db, claim, attempt)
    await noteFailure(parts, claim, attempt, pauseAfter(claim.attempts + 1, attempt.retryAfterSeconds, pausesMs))
  } catch (error) {
    span?.fail(error)
    log.warn({ err: error, company: claim.company_id, webhook: claim.webhook_id }, 'A webhook could not be delivered')
    // If even that fails, the delivery comes back when the claim expires.
    await releaseClaim(db, claim, OWN_FAULT_PAUSE_MS).catch(() => {})
  }
}

async function attemptOnce(parts: WebhookParts, claim: Claim, signal: AbortSignal): Promise<Tried> {
  const { encryption, webhookSender } = parts
  const message = await messageOf(parts, claim)
  let request: ReturnType<typeof requestOf>
  try {
    request = requestOf(encryption, claim, claim.message_id, message)
  } catch {
    // SERVER_SECRET has changed. Rotating the webhook's secret makes one that can be read.
    return { error: 'secret_unreadable', status: null, ms: 0, response: null, retryAfterSeconds: null, request: null }
  }
  const traceparent = tracer?.traceparent()
  if (traceparent) request.headers.traceparent = traceparent
  return { ...(await webhookSender.send(request, signal)), request }
}

async function messageOf({ readRecord }: WebhookParts, claim: Claim): Promise<Message> {
  const { company_id, kind, change, record_id, project_id, actor, fields, at } = claim
  return {
    id: handleOf(record_id),
    type: `${kind}.${change}`,
    timestamp: at,
    company_id,
    project_id,
    ...parentOf(claim),
    actor,
    fields,
    data: dataOf(await readRecord(company_id, claim)),
  }
}
