import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Connection, Connections } from './connections.ts'

/** A period in which we hold the connection of the pool. */
interface Stay {
  client: Promise<PoolClient>
  hasBegun: boolean
  users: number
  failure: Error | undefined
  /** Resolves when everyone before has sent all statements they had to send. */
  quiet: Promise<void>
  /** After this nobody joins the stay any more. */
  end: () => void
}

/** The statements that end a transaction, whatever the answer to them. */
const ENDS = ['commit', 'rollback']

/** Somebody else uses the connection by now. If COMMIT failed, PostgreSQL has rolled back already. */
function afterItsEnd(text: string): QueryResult {
  if (text === 'rollback') return { command: 'ROLLBACK', rowCount: null, oid: 0, fields: [], rows: [] }
  throw new Error('A statement came after the end of its transaction')
}

/**
 * Shares the one connection of a pool, first come, first served: a statement is sent without waiting for the answers to those
 * before it, and a transaction has the connection to itself from its BEGIN until its COMMIT or ROLLBACK is sent. So the next
 * work is already waiting when the database has finished the last. The connection goes back to the pool when nobody needs it,
 * or when others are waiting for it in the pool.
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

  /** Waits for the turn to send: returns the connection, and `hush`, which gives the turn to the next. */
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

  async function query(statement: QueryConfig | string): Promise<QueryResult> {
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

  async function connect(): Promise<Connection> {
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
    }
  }

  return { query, connect, options: pool.options }
}
