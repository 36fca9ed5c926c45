import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimNext, type WebhookId } from './claims.ts'
import { deliver, type WebhookParts } from './deliver.ts'
import { createLanes } from './lanes.ts'
import { findWork, gather } from './outbox.ts'
import { PAUSES_MS } from './schedule.ts'

const LOOK_EVERY_MS = 500
/**
 * After deliveries were created, we look again soon; but a company that writes without a pause must not be polled without one.
 */
const LOOK_AGAIN_MS = 50
/** After this time, a webhook with more deliveries makes room for others. */
const TURN_MS = 5_000

/** Sends changes to webhooks until it is stopped. Any number may run, in any number of processes. */
export function startWebhooks(parts: WebhookParts, pausesMs: readonly number[] = PAUSES_MS): { stop(): Promise<void> } {
  const { db, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  // Every attempt in flight listens to the signal.
  setMaxListeners(0, signal)
  const lanes = createLanes()
  const looking = look()

  return {
    async stop() {
      stopping.abort()
      await looking
      await lanes.end()
    },
  }

  async function look(): Promise<void> {
    while (!signal.aborted) {
      const isMore = await begin().catch(error => {
        log.warn({ err: error }, 'Webhooks could not be looked after')
        return false
      })
      await sleep(isMore ? LOOK_AGAIN_MS : LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** True when deliveries may have been made just now. */
  async function begin(): Promise<boolean> {
    const work = await findWork(db)
    for (const webhook of lanes.inTurn(work)) lanes.begin(webhook, () => serve(webhook))
    const news = work.filter(({ has_news }) => has_news)
    for (const webhook of news) if (!signal.aborted) await gather(db, webhook)
    return news.length > 0
  }

  /** One delivery after the other, as long as there are any and the turn lasts. */
  async function serve(webhook: WebhookId): Promise<void> {
    const endsAt = Date.now() + TURN_MS
    while (!signal.aborted && Date.now() < endsAt) {
      const claim = await claimNext(db, webhook).catch(error => {
        log.warn({ err: error, company: webhook.company_id, webhook: webhook.id }, 'No delivery could be taken')
      })
      if (!claim) return
      await deliver(parts, claim, pausesMs, signal)
    }
  }
}
