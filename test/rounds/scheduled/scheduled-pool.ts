import { EventEmitter } from 'node:events'
import type fc from 'fast-check'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { scheduled } from './scheduled-db.ts'

/**
 * A pool whose connections are lent and whose statements are answered when the scheduler says so. It remembers what every
 * connection was sent, and what was done to it that nobody may do.
 */
export function scheduledPool(scheduler: fc.Scheduler, max: number) {
  const waiting: (() => void)[] = []
  const faults: string[] = []
  const clients = Array.from({ length: max }, (_, n) => newClient(n))
  const free = [...clients]

  function newClient(n: number) {
    const sent: string[] = []
    let answered: Promise<unknown> = Promise.resolve()
    const client = Object.assign(new EventEmitter(), {
      sent,
      isLent: false,
      async query(statement: QueryConfig | string): Promise<QueryResult> {
        const text = typeof statement === 'string' ? statement : statement.text
        if (!client.isLent) faults.push(`${text} was sent to a connection that nobody has`)
        sent.push(text)
        // Answers come in the order of the statements.
        const before = answered
        const answer = scheduler.schedule(Promise.resolve(), `connection ${n}: ${text}`)
        answered = Promise.all([before, answer])
        await answered
        if (text.includes('fails')) throw new Error(text)
        return { command: text.toUpperCase(), rowCount: 1, oid: 0, fields: [], rows: [{ text }] }
      },
      release() {
        if (!client.isLent) faults.push('A connection was given back twice')
        client.isLent = false
        free.push(client)
        waiting.shift()?.()
      },
    })
    return client
  }

  const pool = {
    options: { max },
    get waitingCount() {
      return waiting.length
    },
    async connect(): Promise<PoolClient> {
      return scheduled(scheduler, 'connect', async () => {
        while (free.length === 0) await new Promise<void>(resolve => waiting.push(resolve))
        const client = free.shift() as (typeof clients)[number]
        client.isLent = true
        return client as unknown as PoolClient
      })
    },
    async query(statement: QueryConfig | string): Promise<QueryResult> {
      const client = await pool.connect()
      try {
        return await client.query(statement as string)
      } finally {
        client.release()
      }
    },
  }
  return {
    pool: pool as unknown as Pool,
    clients,
    faults,
    areAllBack: () => free.length === max && waiting.length === 0,
  }
}
