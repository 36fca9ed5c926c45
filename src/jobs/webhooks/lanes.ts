import { nameAmongAll } from '../../domain/access/names.ts'
import { FairQueue, NoRoom } from '../../lib/fair-queue.ts'
import { QUEUES } from '../../queues.ts'
import type { WebhookId } from './claims.ts'
import type { Work } from './due.ts'

/**
 * Serves webhooks in lanes, of which each company has a few. A receiver that does not answer holds a lane for as long as an
 * attempt may take, so those that are failing hold at most half: a slow or dead receiver delays nobody else.
 */
export function createLanes(serve: (webhook: WebhookId) => Promise<void>) {
  const lanes = new FairQueue<number>('webhooks', QUEUES.webhooks)
  const failing = new FairQueue<number>('failing webhooks', QUEUES.failingWebhooks)
  const underWay = new FairQueue<string>('one webhook', QUEUES.oneWebhook)
  const runs = new Set<Promise<void>>()

  async function inTurn(webhook: Work): Promise<void> {
    const inLane = () => lanes.run(webhook.company_id, () => serve(webhook))
    try {
      await (webhook.is_failing ? failing.run(webhook.company_id, inLane) : inLane())
    } catch (error) {
      // It is still due, and will be found again.
      if (!(error instanceof NoRoom)) throw error
    }
  }

  return {
    /** Serves each webhook in as many lanes as it has due deliveries, when it is the turn of its company. */
    begin(work: Work[]): void {
      for (const webhook of work) {
        for (let n = 0; n < webhook.due; n++) {
          const leave = underWay.tryEnter(nameAmongAll('webhook', webhook.company_id, webhook.id))
          if (!leave) break
          const run = inTurn(webhook).finally(() => {
            leave()
            runs.delete(run)
          })
          runs.add(run)
        }
      }
    },

    /** Nothing more begins; waits for what has begun. */
    async end(): Promise<void> {
      for (const queue of [lanes, failing, underWay]) queue.close()
      await Promise.all(runs)
    },
  }
}
