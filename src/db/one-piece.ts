import type { PoolClient } from 'pg'
import { beforeQuery, socketOf } from './pg-internals.ts'

/**
 * Sends everything that is queried over a connection in one turn of the event loop in one write: BEGIN, a statement and COMMIT,
 * or the statements of several calls. A write to a socket costs more CPU time than joining the messages.
 */
export function sendInOnePiece(client: PoolClient): void {
  const socket = socketOf(client)
  let isHeld = false
  const letGo = () => {
    isHeld = false
    socket.uncork()
  }
  beforeQuery(client, () => {
    if (isHeld) return
    isHeld = true
    socket.cork()
    process.nextTick(letGo)
  })
}
