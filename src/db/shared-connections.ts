import type { Pool, PoolClient } from 'pg'
import type { SendShared } from './connections.ts'
import { isReadOnlySession } from './failures.ts'

/** How many statements may be in flight on one connection before another one is opened. */
export const STATEMENTS_PER_CONNECTION = 8
/** A connection that has not answered for this long is busy with something large: nothing is queued behind it. */
const STALLED_AFTER_MS = 20

/** A connection that several statements share: each is sent without waiting for the answers to those before it. */
interface SharedConnection {
  client: Promise<PoolClient>
  onItsWay: number
  lastAnswerAt: number
  close: () => boolean
}

interface SharedConnections {
  /** Does work on one of the connections; undefined while all of them are stalled. */
  on<T>(work: (client: PoolClient) => Promise<T>): Promise<T> | undefined
  send: SendShared
}

/**
 * Sends statements that need no transaction. Under load they share a few connections of the pool instead of taking one each:
 * what is sent in one turn of the event loop goes out in one write, which costs the process and the kernel half as much. An
 * empty connection goes back to the pool. Only `most` are shared, so that transactions find others.
 */
export function createSharedConnections(pool: Pool, most: number): SharedConnections {
  const shared = new Set<SharedConnection>()

  /** The fullest with room, to use few connections; else a new one; else the emptiest; none while all of them are stalled. */
  function choose(): SharedConnection | undefined {
    const now = performance.now()
    const flowing = [...shared].filter(connection => now - connection.lastAnswerAt < STALLED_AFTER_MS)
    const withRoom = flowing.filter(connection => connection.onItsWay < STATEMENTS_PER_CONNECTION)
    if (withRoom.length > 0) return withRoom.reduce((a, b) => (b.onItsWay > a.onItsWay ? b : a))
    if (shared.size < most) return open(now)
    return flowing.length > 0 ? flowing.reduce((a, b) => (b.onItsWay < a.onItsWay ? b : a)) : undefined
  }

  function open(now: number): SharedConnection {
    const close = () => shared.delete(connection)
    const connection: SharedConnection = { client: pool.connect(), onItsWay: 0, lastAnswerAt: now, close }
    shared.add(connection)
    // Statements that are in flight fail when the connection is lost; later ones use another.
    connection.client.then(client => client.once('error', close), close)
    return connection
  }

  async function use<T>(connection: SharedConnection, work: (client: PoolClient) => Promise<T>): Promise<T> {
    connection.onItsWay++
    let client: PoolClient | undefined
    try {
      client = await connection.client
      return await work(client)
    } catch (error) {
      if (isReadOnlySession(error)) connection.close()
      throw error
    } finally {
      connection.onItsWay--
      connection.lastAnswerAt = performance.now()
      if (connection.onItsWay === 0 && client) {
        const isLost = !connection.close()
        client.off('error', connection.close).release(isLost)
      }
    }
  }

  function on<T>(work: (client: PoolClient) => Promise<T>): Promise<T> | undefined {
    const connection = choose()
    return connection && use(connection, work)
  }

  return { on, send: statement => on(client => client.query(statement)) }
}
