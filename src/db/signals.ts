import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Pool } from 'pg'

/**
 * Short messages to all processes on the same database, this one included. One may be lost with a connection, so whoever waits
 * for them also looks now and then.
 */
export interface Signals {
  /** Sends a name, soon. Sent after a commit and not within the transaction: PostgreSQL would let no other commit meanwhile. */
  send(name: string): void
  /** Calls back for every name from now on. */
  listen(onSignal: (name: string) => void): void
  /** False while signals might be missed. */
  isHearing(): boolean
}

export const JOB_SIGNALS = 'diwan_jobs'
/** Names are gathered for this long after others were sent. */
const GATHER_MS = 50
const RECONNECT_AFTER_MS = 1_000
/** Sent to oneself: what does not come back would not be heard either, as behind a pooler that shares connections. */
const ECHO = ''

/** Listens on a connection of its own, which is opened when it is first needed. */
export function createSignals(newClient: () => Client, pool: Pool): Signals & { close(): void } {
  const closing = new AbortController()
  const names = new Set<string>()
  const listeners: ((name: string) => void)[] = []
  let isSending = false
  let hasHeard = false
  let client: Client | undefined

  async function sendAll(): Promise<void> {
    isSending = true
    while (names.size > 0) {
      const sent = [...names]
      names.clear()
      await pool
        .query('select pg_notify($1, name) from unnest($2::text[]) name', [JOB_SIGNALS, sent])
        // They are found when somebody looks.
        .catch(() => {})
      await sleep(GATHER_MS)
    }
    isSending = false
  }

  function send(name: string): void {
    names.add(name)
    if (!isSending) sendAll()
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      client = newClient()
      await hear(client).catch(() => {})
      hasHeard = false
      client.end().catch(() => {})
      await sleep(RECONNECT_AFTER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  /** Returns when the connection is gone. */
  async function hear(client: Client): Promise<void> {
    const ended = new Promise<void>(resolve => client.once('end', resolve))
    client.on('notification', ({ payload = ECHO }) => {
      hasHeard = true
      if (payload !== ECHO) for (const onSignal of listeners) onSignal(payload)
    })
    await client.connect()
    await client.query(`listen ${JOB_SIGNALS}`)
    send(ECHO)
    await ended
  }

  return {
    send,
    listen(onSignal) {
      listeners.push(onSignal)
      if (listeners.length === 1) keepListening()
    },
    isHearing: () => hasHeard,
    close() {
      closing.abort()
      client?.end().catch(() => {})
    },
  }
}
