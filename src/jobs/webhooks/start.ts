import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchCommits } from '../../db/commits.ts'
import { createAlarm } from '../../lib/alarm.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { claimNext, type WebhookId } from './claims.ts'
import { deliver, type WebhookParts } from './deliver.ts'
import { findDue } from './due.ts'
import { createLanes } from './lanes.ts'
import { createNews } from './news.ts'
import { PAUSES_MS } from './schedule.ts'

/** Without news, we look at least this often: another process may have had a delivery replayed. */
const LOOK_EVERY_MS = 1_000
/** The shortest pause between two looks, however much there is to do. */
const REST_MS = 50
/** After this time, a webhook with more deliveries makes room for others. */
const TURN_MS = 5_000
/**
 * The longest time for a turn and the attempt that it ends with, whatever hangs: less than the time for which a delivery is
 * claimed.
 */
const LANE_WITHIN_MS = 50_000

/** Sends changes to webhooks until it is stopped. Any number may run, in any number of processes. */
export function startWebhooks(parts: WebhookParts, pausesMs: readonly number[] = PAUSES_MS): { stop(): Promise<void> } {
  const { db, feedWatch, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const alarm = createAlarm()
  // Every attempt in flight listens to the signal.
  setMaxListeners(0, signal)
  const lanes = createLanes(webhook => serveInTime(webhook).finally(alarm.ring))
  const news = createNews(db)
  const unfollow = feedWatch.follow(companies => {
    if (news.expect(companies)) alarm.ring()
  })
  const mayHaveNews = watchCommits(parts.commits)
  let isMore = false
  let nextDueAt = 0
  const looking = keepLooking()

  return {
    async stop() {
      unfollow()
      stopping.abort()
      alarm.ring()
      await looking
      await lanes.end()
    },
  }

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await startDueDeliveries().catch(error => {
        log.warn({ err: error }, 'Webhooks could not be looked after')
        return LOOK_EVERY_MS
      })
      await sleep(REST_MS, undefined, { signal }).catch(() => {})
      await alarm.wait(Math.min(pauseMs, LOOK_EVERY_MS) - REST_MS)
    }
  }

  /** Returns how long there is nothing more to do, as far as is known. */
  async function startDueDeliveries(): Promise<number> {
    if (!mayHaveNews() && !isMore && performance.now() < nextDueAt) return LOOK_EVERY_MS
    isMore = await news.createDeliveries()
    const { work, next_in_ms } = await findDue(db)
    // What is due but finds no room is looked for again.
    nextDueAt = work.length > 0 ? 0 : performance.now() + (next_in_ms ?? Number.POSITIVE_INFINITY)
    lanes.begin(work)
    return isMore ? 0 : (next_in_ms ?? LOOK_EVERY_MS)
  }

  async function serveInTime(webhook: WebhookId): Promise<void> {
    await withDeadline(LANE_WITHIN_MS, () => deliverInTurn(webhook)).catch(error => {
      log.warn({ err: error, company: webhook.company_id, webhook: webhook.id }, 'A delivery was left behind')
    })
  }

  /** One delivery after the other, as long as there are any and the turn lasts. */
  async function deliverInTurn(webhook: WebhookId): Promise<void> {
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
