import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Connection, Connections } from './connections.ts'

/** The connection while it is borrowed from the pool, by everyone who uses it in that time. */
interface Loan {
  client: Promise<PoolClient>
  hasBegun: boolean
  users: number
  failure: Error | undefined
  /** Resolves when everyone before has sent all statements they had to send. */
  everyoneHasSent: Promise<void>
  /** After this nobody else uses the loan. */
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
  let latest: Loan | undefined

  function enter(): Loan {
    if (latest?.hasBegun && pool.waitingCount > 0) latest.end()
    latest ??= open()
    latest.users++
    return latest
  }

  function open(): Loan {
    const end = () => {
      if (latest === loan) latest = undefined
    }
    const client = pool.connect()
    const loan: Loan = {
      client,
      hasBegun: false,
      users: 0,
      failure: undefined,
      everyoneHasSent: Promise.resolve(),
      end,
    }
    client.then(client => {
      loan.hasBegun = true
      client.once('error', end)
    }, end)
    return loan
  }

  function leave(loan: Loan, client: PoolClient): void {
    loan.users--
    if (loan.users > 0) return
    loan.end()
    client.off('error', loan.end).release(loan.failure)
  }

  /** Waits for the turn to send: returns the connection, and `passOn`, which gives the turn to the next. */
  async function waitForTurn(loan: Loan): Promise<{ client: PoolClient; passOn: () => void }> {
    let passOn = () => {}
    const before = loan.everyoneHasSent
    loan.everyoneHasSent = new Promise(resolve => {
      passOn = resolve
    })
    const client = await loan.client
    await before
    return { client, passOn }
  }

  async function query(statement: QueryConfig | string): Promise<QueryResult> {
    const loan = enter()
    const { client, passOn } = await waitForTurn(loan)
    try {
      const answer = client.query(statement)
      passOn()
      return await answer
    } finally {
      leave(loan, client)
    }
  }

  async function connect(): Promise<Connection> {
    const loan = enter()
    const { client, passOn } = await waitForTurn(loan)
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
        if (isOver) passOn()
        return answer
      },
      release(failure?: Error) {
        loan.failure ??= failure
        if (failure) loan.end()
        passOn()
        leave(loan, client)
      },
    }
  }

  return { query, connect, options: pool.options }
}
