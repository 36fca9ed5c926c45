import pg from 'pg'
import './types.ts'
import { createDb, type Db } from './db.ts'
import { createLanes } from './lanes.ts'

const MINIMUM_VERSION = 150000

/** One plan a statement: each is written for one index, and to plan it anew for every company would cost more than it. */
export const ONE_PLAN = 'plan_cache_mode=force_generic_plan'

export interface Database {
  db: Db
  pool: pg.Pool
  engine: 'embedded' | 'postgres'
  close(): Promise<void>
}

export interface PostgresOptions {
  poolSize: number
  onError: (error: Error) => void
}

export async function openPostgres(url: string, { poolSize, onError }: PostgresOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 15_000,
    // A statement that the design did not bound must not hold a connection for ever.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    options: `-c ${ONE_PLAN}`,
    pipeline: true,
    application_name: 'diwan',
  })
  pool.on('error', onError)
  // A client in a transaction has no listener of the pool's: without this one a lost connection ends the process.
  pool.on('connect', client => client.on('error', onError))
  try {
    await checkServer(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return { db: createDb(pool, createLanes(pool)), pool, engine: 'postgres', close: () => pool.end() }
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ version: number; encoding: string; matches: boolean }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
              'م' ~ '[[:alpha:]]' as matches`,
    )
    .catch(error => {
      throw new Error(`DATABASE_URL: the database does not answer (${error.message || error.code})`)
    })
  const [server] = rows
  if (!server || server.version < MINIMUM_VERSION) throw new Error('DATABASE_URL must point at PostgreSQL 15 or newer')
  if (server.encoding !== 'UTF8') throw new Error('DATABASE_URL must point at a database with the encoding UTF8')
  if (!server.matches) {
    throw new Error(
      'DATABASE_URL must point at a database whose LC_CTYPE knows Arabic letters: create it with ' +
        "`create database diwan template template0 encoding 'UTF8' lc_ctype 'C.UTF-8' lc_collate 'C.UTF-8'`",
    )
  }
}
