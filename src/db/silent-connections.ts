import type { Socket } from 'node:net'
import type { Pool } from 'pg'

const LOOK_EVERY_MS = 250

/** What `pg` knows of a connection. */
interface Connection {
  connection: { stream: Socket }
  /** False while an answer is awaited. */
  readyForQuery?: boolean
}

/** When a connection was last heard. */
interface Traffic {
  bytesRead: number
  heardAt: number
  /** Since when it owes an answer and has said nothing. */
  silentSince: number | undefined
}

/**
 * Ends connections that have fallen silent. A machine that is gone, or a network that drops packets, closes nothing: the
 * kernel waits for an answer for as long as TCP likes. PostgreSQL itself ends a statement after its `statement_timeout`, so
 * one that has said nothing for longer than that is not at work but gone. Where one is, those that have not been heard
 * since are not trusted either. Whoever waited on them is told that the connection was lost.
 */
export function endSilentConnections(pool: Pool, afterMs: number): () => void {
  const connections = new Map<Connection, Traffic>()
  pool.on('connect', client => {
    connections.set(client as unknown as Connection, {
      bytesRead: 0,
      heardAt: performance.now(),
      silentSince: undefined,
    })
  })
  pool.on('remove', client => connections.delete(client as unknown as Connection))

  const timer = setInterval(() => {
    const now = performance.now()
    let lostAt = Number.NEGATIVE_INFINITY
    for (const [client, traffic] of connections) {
      update(client, traffic, now)
      const { silentSince = now } = traffic
      if (now - silentSince > afterMs) lostAt = Math.max(lostAt, silentSince)
    }
    for (const [client, { heardAt }] of connections) if (heardAt < lostAt) client.connection.stream.destroy()
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function update({ connection, readyForQuery }: Connection, traffic: Traffic, now: number): void {
  const { bytesRead } = connection.stream
  if (bytesRead !== traffic.bytesRead) Object.assign(traffic, { bytesRead, heardAt: now, silentSince: undefined })
  else if (readyForQuery === false) traffic.silentSince ??= now
  else traffic.silentSince = undefined
}
