import { setTimeout as sleep } from 'node:timers/promises'
import { escapeLiteral, type QueryConfig, type QueryResult } from 'pg'
import sql, { empty, type Sql } from 'sql-template-tag'
import { FairQueue } from '../lib/fair-queue.ts'
import { type SpanFacts, tracer } from '../lib/tracing.ts'
import { queueOfConnections } from '../queues.ts'
import type { Connection, Connections, Queryable, SendShared } from './connections.ts'
import { isConcurrencyConflict, isOfStatement, isReadOnlySession } from './failures.ts'
import { createGathering } from './gathering.ts'
import { nameOf } from './prepared-statements.ts'

/** The database as every feature uses it: one statement at a time, or several in a transaction. */
export interface Db {
  /** The single row; throws when there is none. */
  one<T>(query: Sql): Promise<T>
  /** The first row, if there is one. */
  maybe<T>(query: Sql): Promise<T | undefined>
  many<T>(query: Sql): Promise<T[]>
  /** The rows of the last statement that the caller sends: a transaction with `endsWithLast` commits right after it. */
  last<T>(query: Sql): Promise<T[]>
  /**
   * Writes with a statement that is a transaction by itself. It must select from `signed`, which records the signer as BEGIN
   * does in a transaction.
   */
  signed<T>(statement: (signed: Sql) => Sql): Promise<T[]>
  /**
   * Rows that come under the same name for the same company and signer while others are being written are written by the next
   * `write`. It returns their answers in the order of the rows.
   */
  together<Row, T>(name: string, row: Row, write: (rows: Row[]) => Promise<T[]>): Promise<T>
  /** Returns how many rows were changed. */
  run(query: Sql): Promise<number>
  /** For a library that writes its own statements. */
  raw<T>(text: string, values: unknown[]): Promise<T[]>
  /** All or nothing. Retried after a deadlock or serialization failure; inside a transaction, `work` joins that transaction. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Calls back when what was written so far is committed: at once, or when the transaction has been. */
  onCommit(tell: () => void): void
  /**
   * The same database on behalf of a company: each company has its share of what may run at the same time. `signer` is recorded
   * in the feed of changes for what its transactions change. Inside a transaction, returns that transaction.
   */
  onBehalfOf(companyId: number, signer?: Signer): Db
}

interface TransactionOptions {
  /** COMMIT is sent right behind the statement of `last`, without waiting for its answer: nothing may follow it. */
  endsWithLast?: boolean
}

/** Who makes a change: a name, and the key if one was used. */
export interface Signer {
  actor: string
  keyId: number | null
}

const ATTEMPTS = 5

/** What may run at the same time, by company. */
export interface DbQueues {
  statements: FairQueue<number>
  transactions: FairQueue<number>
  /** Where transactions have the database to themselves: after a long one its company pauses, so that others come in between. */
  pause?: { afterMs: number; forMs: number }
}

/** `sendShared` sends statements outside of transactions. Without `queues`, as much runs at once as the pool has connections. */
export function createDb(
  pool: Connections,
  sendShared: SendShared = statement => pool.query(statement),
  queues: DbQueues = oneForAll(pool),
): Db {
  const gather = createGathering(isOfStatement)
  const on = (companyId: number, client: Queryable, signer?: Signer): Db => {
    const writing = <T>(work: OnConnection<T>) =>
      retrying(() => queues.transactions.run(companyId, () => onConnection(pool, work, queues.pause)))
    return {
      ...statements(client),
      async signed<T>(statement: (signed: Sql) => Sql) {
        const query = statement(signedBy(signer))
        return (await writing(client => execute(client, query))).rows as T[]
      },
      together: (name, row, write) =>
        gather(JSON.stringify([companyId, signer, name]), row, tracer ? tracer.bound(write) : write),
      transaction(work, options) {
        const run = () => writing((client, onBroken) => transactionOn(client, work, { ...options, signer, onBroken }))
        return tracer ? tracer.within({ name: 'transaction' }, run) : run()
      },
      onCommit: tell => tell(),
      onBehalfOf: (id, by) => on(id, shared(id), by),
    }
  }
  const shared = (companyId: number): Queryable => {
    // It keeps a connection as long as a transaction would, so it counts as one.
    const alone: Queryable['query'] = statement => queues.transactions.run(companyId, () => pool.query(statement))
    return { query: statement => queues.statements.run(companyId, () => sendShared(statement) ?? alone(statement)) }
  }
  // The lookups for every call (whose it is, whether it is allowed) do not wait for a company's share.
  return on(NO_COMPANY, { query: statement => sendShared(statement) ?? pool.query(statement) })
}

/** For what the service does on its own account. */
const NO_COMPANY = 0

function oneForAll({ options }: Connections): DbQueues {
  const both = new FairQueue<number>('connections', queueOfConnections(options.max))
  return { statements: both, transactions: both }
}

/** Those that are sent one at a time. */
export function statements(
  client: Queryable,
): Omit<Db, 'signed' | 'together' | 'transaction' | 'onCommit' | 'onBehalfOf'> {
  return {
    async one<T>(query: Sql) {
      const { rows } = await execute(client, query)
      if (rows.length === 0) throw new Error(`No row came back from: ${query.text}`)
      return rows[0] as T
    },
    async maybe<T>(query: Sql) {
      return (await execute(client, query)).rows[0] as T | undefined
    },
    async many<T>(query: Sql) {
      return (await execute(client, query)).rows as T[]
    },
    async last<T>(query: Sql) {
      return (await execute(client, query)).rows as T[]
    },
    async run(query: Sql) {
      return (await execute(client, query)).rowCount ?? 0
    },
    async raw<T>(text: string, values: unknown[]) {
      return (await send(client, { text, values })).rows as T[]
    },
  }
}

function execute(client: Queryable, { text, values }: Sql): Promise<QueryResult> {
  const name = nameOf(text)
  return send(client, { ...(name && { name }), text, values: values as unknown[] })
}

function send(client: Queryable, statement: QueryConfig): Promise<QueryResult> {
  return tracer ? tracer.within(spanOf(statement), () => client.query(statement)) : client.query(statement)
}

/** A statement is told by its first words. Values are never among them: each is a parameter. */
function spanOf({ text }: QueryConfig): SpanFacts {
  const name = text.slice(0, 120).replace(/\s+/g, ' ').trim().slice(0, 60)
  return { name, kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name } }
}

interface SignedOptions extends TransactionOptions {
  signer?: Signer | undefined
}

type OnConnection<T> = (client: Connection, onBroken: (failure: Error) => void) => Promise<T>

async function onConnection<T>(pool: Connections, work: OnConnection<T>, pause?: DbQueues['pause']): Promise<T> {
  const client = await pool.connect()
  const since = performance.now()
  let broken: Error | undefined
  const onBroken = (failure: Error) => {
    broken = failure
  }
  try {
    return await work(client, onBroken)
  } catch (error) {
    if (isReadOnlySession(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
    if (pause && performance.now() - since > pause.afterMs) await sleep(pause.forMs)
  }
}

const COMMIT: QueryConfig = { text: 'commit' }

/** `onBroken` is called for a connection on which even ROLLBACK fails. */
export async function transactionOn<T>(
  client: Omit<Connection, 'release'>,
  work: (tx: Db) => Promise<T>,
  { signer, endsWithLast = false, onBroken = () => {} }: SignedOptions & { onBroken?: (failure: Error) => void } = {},
): Promise<T> {
  let isOver = false
  try {
    const begun = await begin(client, signer)
    let commit: Promise<QueryResult> | undefined
    const told: (() => void)[] = []
    const end = () => {
      isOver = true
      return begun.query(COMMIT)
    }
    const within: Queryable = {
      async query(statement) {
        // Of several that are sent at once, one may fail while others are still to come: on their own they would be committed.
        if (isOver) throw new Error('A statement came after the end of its transaction')
        return begun.query(statement)
      },
    }
    const tx: Db = {
      ...statements(within),
      async last<T>(query: Sql) {
        const answer = execute(within, query)
        // If the statement fails, PostgreSQL treats the COMMIT behind it as a ROLLBACK.
        if (endsWithLast && client.pipeline) commit = end()
        commit?.catch(() => {})
        return (await answer).rows as T[]
      },
      signed: async <T>(statement: (signed: Sql) => Sql) =>
        (await execute(within, statement(signedBy(signer)))).rows as T[],
      together: async <Row, T>(_name: string, row: Row, write: (rows: Row[]) => Promise<T[]>) =>
        (await write([row]))[0] as T,
      transaction: inner => inner(tx),
      onCommit: tell => told.push(tell),
      onBehalfOf: () => tx,
    }
    const result = await work(tx)
    const { command } = await (commit ?? end())
    // PostgreSQL answers COMMIT with ROLLBACK when a statement had failed and its error was ignored.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements had failed')
    for (const tell of told) tell()
    return result
  } catch (error) {
    isOver = true
    await client.query('rollback').catch(onBroken)
    throw error
  }
}

/** The same transaction, for code whose last statement is not the last one of the transaction. */
export function moreFollows(tx: Db): Db {
  const within: Db = { ...tx, last: tx.many, transaction: inner => inner(within), onBehalfOf: () => within }
  return within
}

/** With pipelining, BEGIN is sent together with the first statement; later statements wait until BEGIN has succeeded. */
async function begin(client: Omit<Connection, 'release'>, signer?: Signer): Promise<Queryable> {
  const begun = client.query(beginning(signer))
  if (!client.pipeline) await begun
  begun.catch(() => {})
  let isFirst = true
  return {
    async query(statement) {
      if (!isFirst) await begun
      isFirst = false
      return client.query(statement)
    },
  }
}

function beginning(signer?: Signer): string {
  const trace = tracer?.traceparent()
  const begun = trace ? `begin; set local diwan.trace = ${escapeLiteral(trace)}` : 'begin'
  if (!signer) return begun
  const signed = `${begun}; set local diwan.actor = ${escapeLiteral(signer.actor)}`
  return signer.keyId === null ? signed : `${signed}; set local diwan.key = '${signer.keyId}'`
}

/** Sets the signer within a statement that has no BEGIN before it. */
function signedBy(signer?: Signer): Sql {
  const { actor = '', keyId = null } = signer ?? {}
  const traced = tracer ? sql`, set_config('diwan.trace', ${tracer.traceparent() ?? ''}, true)` : empty
  return sql`(
    select set_config('diwan.actor', ${actor}, true), set_config('diwan.key', ${keyId === null ? '' : String(keyId)}, true)${traced}) signed`
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === ATTEMPTS || !isConcurrencyConflict(error)) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 20 * n))
    }
  }
}
