import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Connections } from './db.ts'

/** A time in which the connection of the pool is here. */
interface Stay {
  client: Promise<PoolClient>
  hasBegun: boolean
  users: number
  failure: Error | undefined
  /** When those who came before have sent what they had to send. */
  quiet: Promise<void>
  /** Nobody joins it any more. */
  end: () => void
}

/** How a transaction ends, whatever is answered. */
const ENDS = ['commit', 'rollback']

/** Somebody else speaks by now. What failed at its end is rolled back already. */
function afterItsEnd(text: string): Partial<QueryResult> {
  if (text === 'rollback') return { command: 'ROLLBACK' }
  throw new Error('A statement came after the end of its transaction')
}

/**
 * Shares the one connection of a pool, in the order of asking: a statement is sent without waiting for the answers to those before
 * it, and a transaction has the connection to itself from its BEGIN until its COMMIT or ROLLBACK is sent. So the database finds the next
 * work waiting when it has done one. The connection goes back to the pool when nobody needs it, or when the pool has others
 * waiting for it.
 */
export function shareOneConnection(pool: Pool): Connections {
  let latest: Stay | undefined

  function enter(): Stay {
    if (latest?.hasBegun && pool.waitingCount > 0) latest.end()
    latest ??= open()
    latest.users++
    return latest
  }

  function open(): Stay {
    const end = () => {
      if (latest === stay) latest = undefined
    }
    const client = pool.connect()
    const stay: Stay = { client, hasBegun: false, users: 0, failure: undefined, quiet: Promise.resolve(), end }
    client.then(client => {
      stay.hasBegun = true
      client.once('error', end)
    }, end)
    return stay
  }

  function leave(stay: Stay, client: PoolClient): void {
    stay.users--
    if (stay.users > 0) return
    stay.end()
    client.off('error', stay.end).release(stay.failure)
  }

  /** The connection, once it is quiet on it; and how to let the next one speak. */
  async function speak(stay: Stay): Promise<{ client: PoolClient; hush: () => void }> {
    let hush = () => {}
    const before = stay.quiet
    stay.quiet = new Promise(resolve => {
      hush = resolve
    })
    const client = await stay.client
    await before
    return { client, hush }
  }

  async function query(statement: QueryConfig): Promise<QueryResult> {
    const stay = enter()
    const { client, hush } = await speak(stay)
    try {
      const answer = client.query(statement)
      hush()
      return await answer
    } finally {
      leave(stay, client)
    }
  }

  async function connect(): Promise<PoolClient> {
    const stay = enter()
    const { client, hush } = await speak(stay)
    let hasBegun = false
    let isOver = false
    return {
      pipeline: true,
      async query(statement: QueryConfig | string) {
        const text = typeof statement === 'string' ? statement : statement.text
        if (isOver) return afterItsEnd(text)
        const answer = client.query(statement)
        isOver = ENDS.includes(text) || (!hasBegun && !text.startsWith('begin'))
        hasBegun = true
        if (isOver) hush()
        return answer
      },
      release(failure?: Error) {
        stay.failure ??= failure
        if (failure) stay.end()
        hush()
        leave(stay, client)
      },
    } as unknown as PoolClient
  }

  return { query, connect, options: pool.options } as unknown as Connections
}
