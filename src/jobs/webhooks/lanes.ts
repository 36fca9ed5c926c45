import { MOST_IN_FLIGHT, type WebhookId } from './claims.ts'
import type { Work } from './due.ts'

/**
 * The most attempts in flight in this process, and the most for one company. A receiver that does not answer holds a lane for
 * as long as an attempt may take: those that are failing hold at most half.
 */
const LANES = 40
const LANES_OF_A_COMPANY = 8
/** A webhook whose last turn was before those of this many others counts as new. */
const REMEMBERED = 1_000

interface Lane {
  key: string
  company_id: number
  is_failing: boolean
  ended: Promise<void>
}

/** Tracks which webhooks are being served and which had a turn, so that a slow or dead receiver delays nobody else. */
export function createLanes() {
  const lanes = new Set<Lane>()
  const served = new Map<string, number>()

  function hasRoom(webhook: Work): boolean {
    const ofCompany = (lane: Lane) => lane.company_id === webhook.company_id
    const ofFailing = (lane: Lane) => lane.is_failing
    const bounds: [most: number, isCounted: (lane: Lane) => boolean][] = [
      [LANES, () => true],
      [LANES_OF_A_COMPANY, ofCompany],
      [MOST_IN_FLIGHT, lane => lane.key === keyOf(webhook)],
    ]
    if (webhook.is_failing)
      bounds.push([LANES / 2, ofFailing], [LANES_OF_A_COMPANY / 2, lane => ofFailing(lane) && ofCompany(lane)])
    return bounds.every(([most, isCounted]) => [...lanes].filter(isCounted).length < most)
  }

  return {
    /** Yields each webhook as often as it has due deliveries and there is room; the one whose turn is longest ago comes first. */
    *inTurn(work: Work[]): Generator<Work> {
      const lastTurn = (webhook: Work) => served.get(keyOf(webhook)) ?? 0
      for (const webhook of work.toSorted((a, b) => lastTurn(a) - lastTurn(b)))
        for (let n = 0; n < webhook.due && hasRoom(webhook); n++) yield webhook
    },

    begin(webhook: Work, run: () => Promise<void>): void {
      const key = keyOf(webhook)
      served.delete(key)
      served.set(key, performance.now())
      const [longestPast] = served.keys()
      if (served.size > REMEMBERED && longestPast !== undefined) served.delete(longestPast)
      const lane: Lane = {
        key,
        company_id: webhook.company_id,
        is_failing: webhook.is_failing,
        ended: Promise.resolve(),
      }
      lanes.add(lane)
      lane.ended = run().finally(() => lanes.delete(lane))
    },

    async end(): Promise<void> {
      await Promise.all([...lanes].map(({ ended }) => ended))
    },
  }
}

const keyOf = ({ company_id, id }: WebhookId) => `${company_id} ${id}`
