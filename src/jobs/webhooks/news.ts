import type { Db } from '../../db/db.ts'
import { companiesBehind, createDeliveries, findBehind } from './outbox.ts'

/**
 * How often all webhooks are looked at, and not only those of companies with news: for what another worker left undone when it
 * was killed, and for companies that were reopened.
 */
const LOOK_AT_ALL_EVERY_MS = 15_000
/** How often webhooks are looked at that had no room for more deliveries. */
const LOOK_AT_FULL_EVERY_MS = 5_000
const COMPANIES_AT_ONCE = 20

/**
 * The companies whose webhooks may be behind. This is only a hint, kept in memory: how far each webhook has come is in the
 * database, and a company is not dropped before the database says that none of its webhooks is behind.
 */
export function createNews(db: Db) {
  const companies = new Set<number>()
  const full = new Set<number>()
  const lookedAt = { all: -Infinity, full: -Infinity }
  let isFollowing = false

  async function lookAgain(): Promise<void> {
    const now = performance.now()
    if (now - lookedAt.all > LOOK_AT_ALL_EVERY_MS) {
      for (const id of await companiesBehind(db)) companies.add(id)
      lookedAt.all = now
    }
    if (now - lookedAt.full > LOOK_AT_FULL_EVERY_MS) {
      for (const id of full) companies.add(id)
      full.clear()
      lookedAt.full = now
    }
  }

  /** Each company leaves the queue first: what is heard of it while this runs puts it back. */
  async function createDeliveriesOf(ids: number[]): Promise<void> {
    for (const id of ids) companies.delete(id)
    try {
      const behind = await findBehind(db, ids)
      const ready = behind.filter(({ is_full }) => !is_full)
      if (ready.length > 0) await createDeliveries(db, ready)
      for (const { company_id, is_full } of behind) (is_full ? full : companies).add(company_id)
    } catch (error) {
      for (const id of ids) companies.add(id)
      throw error
    }
  }

  return {
    /** True when there is something to do. */
    expect(ids: readonly number[]): boolean {
      const isFirst = !isFollowing
      isFollowing = true
      for (const id of ids) companies.add(id)
      return isFirst || ids.length > 0
    },

    /** Creates the next deliveries of some companies, in turn. True when there may be more to create. */
    async createDeliveries(): Promise<boolean> {
      // Entries from before the first look of the watch are found by looking at all webhooks after it, so that none is missed
      // between the two.
      if (!isFollowing) return false
      await lookAgain()
      const ids = [...companies].slice(0, COMPANIES_AT_ONCE)
      if (ids.length > 0) await createDeliveriesOf(ids)
      return companies.size > 0
    },
  }
}
