import type { QueryConfig, QueryResult } from 'pg'
import type { Connection, Connections } from '../../src/db/connections.ts'
import { createDb } from '../../src/db/db.ts'
import { shareOneConnection } from '../../src/db/one-connection.ts'
import { openPool } from '../../src/db/pool.ts'
import type { Database } from '../../src/db/postgres.ts'
import { FairQueue } from '../../src/lib/fair-queue.ts'
import { QUEUES } from '../../src/queues.ts'
import { drawsFrom } from './random.ts'

/** How a database fails, as its client sees it. After some failures the connection is lost. */
const KINDS = [
  { name: 'serialization failure', code: '40001', losesConnection: false },
  { name: 'admin shutdown', code: '57P01', losesConnection: true },
  { name: 'connection reset', code: 'ECONNRESET', losesConnection: true },
] as const

/** Before: the statement was not carried out. After: it was, and only the answer to it is lost. */
const MOMENTS = ['before', 'after'] as const

interface Fault {
  kind: (typeof KINDS)[number]
  moment: (typeof MOMENTS)[number]
}

/** Faults that strike single statements: BEGIN, what follows it, COMMIT, and those that are a transaction by themselves. */
export class Faults {
  /** How often each of them has struck, such as `admin shutdown after commit`. */
  readonly struck = new Map<string, number>()
  #chance = 0
  #draw = () => 1

  /** From now on each statement fails with this chance; the seed decides which do, and how. */
  begin(seed: number, chance: number): void {
    this.#draw = drawsFrom(seed)
    this.#chance = chance
  }

  end(): void {
    this.#chance = 0
  }

  next(text: string): Fault | undefined {
    if (this.#chance === 0 || this.#draw() >= this.#chance) return undefined
    const pick = <T>(list: readonly T[]) => list[Math.floor(this.#draw() * list.length)] as T
    // BEGIN cannot fail where no connection is lost.
    const kinds = text.startsWith('begin') ? KINDS.filter(({ losesConnection }) => losesConnection) : KINDS
    const fault = { kind: pick(kinds), moment: pick(MOMENTS) }
    const name = `${fault.kind.name} ${fault.moment} ${text === 'commit' ? 'commit' : 'statement'}`
    this.struck.set(name, (this.struck.get(name) ?? 0) + 1)
    return fault
  }
}

/** The same database, whose statements for calls fail as `faults` says. Its job queue has the connections it had. */
export function withFaults(opened: Database, faults: Faults): Database {
  if (opened.engine === 'embedded') {
    const connections = faulty(shareOneConnection(opened.pool), faults)
    const statements = new FairQueue<number>('statements', QUEUES.embeddedStatements)
    const transactions = new FairQueue<number>('transactions', QUEUES.embeddedTransactions)
    return { ...opened, db: createDb(connections, undefined, { statements, transactions }) }
  }
  const url = opened.pool.options.connectionString as string
  const { pool, end } = openPool({ url, statementMs: 4_000 }, { max: 6, connectMs: 3_000, onError: () => {} })
  const close = async () => {
    await end()
    await opened.close()
  }
  return { ...opened, db: createDb(faulty(pool, faults)), close }
}

function faulty(connections: Connections, faults: Faults): Connections {
  return {
    options: connections.options,
    connect: async () => faultyConnection(await connections.connect(), faults),
    async query(statement) {
      const fault = faults.next(textOf(statement))
      if (fault?.moment !== 'before') {
        const answer = await connections.query(statement)
        if (!fault) return answer
      }
      throw failure(fault)
    },
  }
}

const ROLLED_BACK: QueryResult = { command: 'ROLLBACK', rowCount: null, oid: 0, fields: [], rows: [] }

/** A connection that is as unusable after a fault as a real one, while the real one behind it rolls back. */
function faultyConnection(inner: Connection, faults: Faults): Connection {
  let state: 'usable' | 'aborted' | 'lost' = 'usable'
  let hasBegun = false
  return {
    pipeline: inner.pipeline ?? false,
    release: broken => inner.release(broken),
    async query(statement) {
      const text = textOf(statement)
      if (state === 'lost') throw new Error('Client has encountered a connection error and is not queryable')
      if (state === 'aborted') return afterAbort(text)
      const fault = text === 'rollback' ? undefined : faults.next(text)
      if (!fault) {
        hasBegun ||= text.startsWith('begin')
        return inner.query(statement)
      }
      // Decided before anything is awaited: COMMIT may already be on its way behind this statement.
      state = fault.kind.losesConnection ? 'lost' : 'aborted'
      const isWholeTransaction = text === 'commit' || (!hasBegun && !text.startsWith('begin'))
      if (fault.moment === 'after' && isWholeTransaction) await inner.query(statement)
      else if (hasBegun) await inner.query('rollback')
      throw failure(fault)
    },
  }

  /** As PostgreSQL answers in a transaction that it has aborted. */
  function afterAbort(text: string): QueryResult {
    if (text !== 'commit' && text !== 'rollback')
      throw Object.assign(new Error('current transaction is aborted'), { code: '25P02' })
    return ROLLED_BACK
  }
}

function failure({ kind }: Fault): Error {
  return Object.assign(new Error(kind.name), { code: kind.code })
}

function textOf(statement: QueryConfig | string): string {
  return typeof statement === 'string' ? statement : statement.text
}
