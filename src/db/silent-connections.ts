import type { Pool, PoolClient } from 'pg'
import { awaitsAnswer, socketOf } from './pg-internals.ts'

const LOOK_EVERY_MS = 250

/** When data last arrived on a connection. */
interface Traffic {
  bytesRead: number
  heardAt: number
  /** Since when an answer has been due without any data arriving. */
  silentSince: number | undefined
}

/**
 * Closes connections that have fallen silent. When a machine is gone or a network drops packets, nothing closes the connection:
 * the kernel waits for as long as TCP allows. PostgreSQL cancels a statement after its `statement_timeout`, so a connection
 * that is silent for longer than that is lost. When one is lost, the others that have been silent since then are closed too.
 * Whoever waited on them gets an error that the connection was lost.
 */
export function watchForSilence(pool: Pool, afterMs: number): { end(): void } {
  const connections = new Map<PoolClient, Traffic>()
  pool.on('connect', client => {
    connections.set(client, { bytesRead: 0, heardAt: performance.now(), silentSince: undefined })
  })
  pool.on('remove', client => connections.delete(client))

  const timer = setInterval(() => {
    const now = performance.now()
    let lostAt = Number.NEGATIVE_INFINITY
    for (const [client, traffic] of connections) {
      update(client, traffic, now)
      const { silentSince = now } = traffic
      if (now - silentSince > afterMs) lostAt = Math.max(lostAt, silentSince)
    }
    for (const [client, { heardAt }] of connections) if (heardAt < lostAt) socketOf(client).destroy()
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    /** Watches no longer, and closes connections on which an answer is still due. */
    end() {
      clearInterval(timer)
      for (const client of connections.keys()) if (awaitsAnswer(client)) socketOf(client).destroy()
    },
  }
}

function update(client: PoolClient, traffic: Traffic, now: number): void {
  const { bytesRead } = socketOf(client)
  if (bytesRead !== traffic.bytesRead) Object.assign(traffic, { bytesRead, heardAt: now, silentSince: undefined })
  else if (awaitsAnswer(client)) traffic.silentSince ??= now
  else traffic.silentSince = undefined
}
