import { MOST_IN_FLIGHT, type WebhookId } from './claims.ts'
import type { Work } from './outbox.ts'

/**
 * So many attempts of this process are under way at the same time, and so many of them for one company. Receivers that do
 * not answer hold a lane for as long as an attempt may take: those that are failing hold at most half.
 */
const LANES = 40
const LANES_OF_A_COMPANY = 8
/** Webhooks that had a turn longer ago than so many others are as good as new. */
const REMEMBERED = 1_000

interface Lane {
  key: string
  company_id: number
  is_failing: boolean
  ended: Promise<void>
}

/** Who is being told of changes, and who had a turn, so that a receiver that is slow or dead delays nobody else. */
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
    /** Gives each webhook as often as it has deliveries due and there is room; whose turn is longest past comes first. */
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
