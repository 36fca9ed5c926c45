import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Sql } from 'sql-template-tag'

/** What every feature speaks to: one statement at a time, or several in a transaction. */
export interface Db {
  /** The single row; it is a fault when there is none. */
  one<T>(query: Sql): Promise<T>
  /** The first row, if there is one. */
  maybe<T>(query: Sql): Promise<T | undefined>
  many<T>(query: Sql): Promise<T[]>
  /** How many rows were changed. */
  run(query: Sql): Promise<number>
  /** For a library that writes its own statements. */
  raw<T>(text: string, values: unknown[]): Promise<T[]>
  /** All or nothing. Begins again when PostgreSQL gives up on it for the sake of another; inside one, it is that one. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const ATTEMPTS = 5

type Queryable = Pick<PoolClient, 'query'>

/** `single` sends what needs no transaction. */
export function createDb(pool: Pool, single: Queryable = pool): Db {
  return { ...statements(single), transaction: work => again(() => inTransaction(pool, work)) }
}

function statements(client: Queryable): Omit<Db, 'transaction'> {
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
    async run(query: Sql) {
      return (await execute(client, query)).rowCount ?? 0
    },
    async raw<T>(text: string, values: unknown[]) {
      return (await client.query({ text, values })).rows as T[]
    },
  }
}

const names = new Map<string, string>()

/** Every statement is named, so that each connection parses and plans it once. Texts are written in the code: they are few. */
function execute(client: Queryable, query: Sql): Promise<QueryResult> {
  const { text, values } = query
  let name = names.get(text)
  if (name === undefined) {
    name = `diwan_${names.size}`
    names.set(text, name)
  }
  return client.query({ name, text, values: values as unknown[] })
}

async function inTransaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const tx: Db = { ...statements(await begin(client)), transaction: inner => inner(tx) }
    const result = await work(tx)
    const { command } = await client.query('commit')
    // So PostgreSQL answers when a statement had failed and nobody minded.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements had failed')
    return result
  } catch (error) {
    await client.query('rollback').catch(failure => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Where statements can follow one another without waiting, BEGIN goes out with the first; the others wait until it is true. */
async function begin(client: PoolClient): Promise<Queryable> {
  const begun = client.query('begin')
  if (!client.pipeline) await begun
  begun.catch(() => {})
  let isFirst = true
  const query = async (statement: QueryConfig) => {
    if (!isFirst) await begun
    isFirst = false
    return client.query(statement)
  }
  return { query } as Queryable
}

async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === ATTEMPTS || !isGivenUp(error)) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 20 * n))
    }
  }
}

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

/** True when PostgreSQL gave up a transaction for the sake of another. */
export function isGivenUp(error: unknown): boolean {
  const code = errorCode(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED
}

export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505'
}

export function isMissingParent(error: unknown): boolean {
  return errorCode(error) === '23503'
}

/** True when the database cannot be reached or is going away: the caller may try again later. */
export function isUnreachable(error: unknown): boolean {
  const code = errorCode(error)
  if (code === undefined)
    return /timeout exceeded when trying to connect|Connection terminated|not queryable|after calling end|PGlite is closed/i.test(
      String(error),
    )
  return (
    /^(08|57P0|53300)/.test(code) ||
    /^E(CONNREFUSED|CONNRESET|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH|AI_AGAIN|NOENT)/.test(code)
  )
}
