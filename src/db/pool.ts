import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sendInOnePiece } from './one-piece.ts'
import { boundPreparedStatements } from './prepared-statements.ts'
import { clientConfig, type Session } from './sessions.ts'
import { clientClass } from './several-hosts.ts'
import { watchForSilence } from './silent-connections.ts'

/** PostgreSQL cancels a statement at its timeout; a connection that stays silent for this much longer is lost. */
const SILENCE_MS = 500
/** For what is still under way when the pool ends: less than a part of a server that stops has to close. */
const LAST_ANSWERS_WITHIN_MS = 500

interface PoolOptions {
  max: number
  connectMs: number
  onError: (error: Error) => void
  /** A new connection is used if this does not throw. */
  onConnect?: (client: pg.ClientBase) => Promise<void>
}

export function openPool(session: Session, { max, connectMs, onError, onConnect }: PoolOptions) {
  const pool = new pg.Pool({
    ...clientConfig(session),
    Client: clientClass(session.url),
    max,
    connectionTimeoutMillis: connectMs,
    pipeline: true,
    ...(onConnect && { onConnect }),
  })
  pool.on('error', onError)
  // The pool removes its listener from a client that is in use: without this one a lost connection would end the process.
  pool.on('connect', client => client.on('error', onError))
  pool.on('connect', sendInOnePiece)
  pool.on('connect', boundPreparedStatements)
  const watch = watchForSilence(pool, session.statementMs + SILENCE_MS)
  /** A connection that has fallen silent, or is only being opened, is not waited for. */
  const end = async () => {
    const late = sleep(LAST_ANSWERS_WITHIN_MS, undefined, { ref: false })
    await Promise.race([pool.end(), late])
    watch.end()
  }
  return { pool, end }
}
