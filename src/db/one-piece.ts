import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'

/** What `pg` knows of a connection. */
interface Connection {
  connection: { stream: Socket }
}

/**
 * Lets all that is asked over a connection in one turn go out in one piece: BEGIN, a statement and COMMIT, or the statements of
 * several calls. To write to a socket costs the process more than to put together what is written.
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
