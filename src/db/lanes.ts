import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { takesNoWrites } from './db.ts'

/** How many statements may be on their way over one connection before another one is opened for more. */
export const STATEMENTS_PER_LANE = 8
/** A connection whose next answer takes this long is busy with something large: nothing is put behind it. */
const STALLED_AFTER_MS = 20

/** A connection that several statements share: each is sent without waiting for the answers to those before it. */
interface Lane {
  client: Promise<PoolClient>
  onItsWay: number
  lastAnswerAt: number
  close: () => boolean
}

/**
 * Sends statements that need no transaction. Under load they share a few connections of the pool instead of taking one
 * each: what is sent in one turn goes out in one piece, which costs the process and the kernel half as much. A lane goes
 * back to the pool when it is empty. Only `most` connections become lanes, so that transactions find others.
 */
export function createLanes(pool: Pool, most: number): Pick<PoolClient, 'query'> {
  const lanes = new Set<Lane>()

  /** The fullest with room, so that there are few; else a new one; else the emptiest; none while all of them are stalled. */
  function choose(): Lane | undefined {
    const now = performance.now()
    const flowing = [...lanes].filter(lane => now - lane.lastAnswerAt < STALLED_AFTER_MS)
    const withRoom = flowing.filter(lane => lane.onItsWay < STATEMENTS_PER_LANE)
    if (withRoom.length > 0) return withRoom.reduce((a, b) => (b.onItsWay > a.onItsWay ? b : a))
    if (lanes.size < most) return open(now)
    return flowing.length > 0 ? flowing.reduce((a, b) => (b.onItsWay < a.onItsWay ? b : a)) : undefined
  }

  function open(now: number): Lane {
    const close = () => lanes.delete(lane)
    const lane: Lane = { client: pool.connect(), onItsWay: 0, lastAnswerAt: now, close }
    lanes.add(lane)
    // Whoever is on it hears of a lost connection; the next comers take another.
    lane.client.then(client => client.once('error', close), close)
    return lane
  }

  async function query(statement: QueryConfig): Promise<QueryResult> {
    const lane = choose()
    if (!lane) return pool.query(statement)
    lane.onItsWay++
    let client: PoolClient | undefined
    try {
      client = await lane.client
      return await client.query(statement)
    } catch (error) {
      if (takesNoWrites(error)) lane.close()
      throw error
    } finally {
      lane.onItsWay--
      lane.lastAnswerAt = performance.now()
      if (lane.onItsWay === 0 && client) {
        const isLost = !lane.close()
        client.off('error', lane.close).release(isLost)
      }
    }
  }

  return { query } as Pick<PoolClient, 'query'>
}
