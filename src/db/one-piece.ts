import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'

/** The part of a `pg` client that is used here. */
interface Connection {
  connection: { stream: Socket }
}

/**
 * Sends everything that is queried over a connection in one turn of the event loop in one write: BEGIN, a statement and COMMIT,
 * or the statements of several calls. A write to a socket costs more CPU time than joining the messages.
 */
export function sendInOnePiece(client: PoolClient): void {
  const { stream } = (client as unknown as Connection).connection
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  let isHeld = false
  const letGo = () => {
    isHeld = false
    stream.uncork()
  }
  client.query = ((...args: unknown[]) => {
    if (!isHeld) {
      isHeld = true
      stream.cork()
      process.nextTick(letGo)
    }
    return query(...args)
  }) as typeof client.query
}
