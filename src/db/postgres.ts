import pg from 'pg'
import sql from 'sql-template-tag'
import './types.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { queuesOfPool } from '../queues.ts'
import { createDb, type Db, type DbQueues } from './db.ts'
import { sendInOnePiece } from './one-piece.ts'
import { ONE_PLAN } from './one-plan.ts'
import { boundPreparedStatements } from './prepared-statements.ts'
import { createSharedConnections, STATEMENTS_PER_CONNECTION } from './shared-connections.ts'
import { createSignals, type Signals } from './signals.ts'
import { endSilentConnections } from './silent-connections.ts'

const MINIMUM_VERSION = 150000

/** Statements take a millisecond or two. Compiling one, which PostgreSQL decides by its estimate, takes 100 times that. */
const NOT_COMPILED = 'jit=off'

export interface Database {
  db: Db
  /** For the job queue: its statements may take longer than those of a call. */
  pool: pg.Pool
  /** A connection for work without a time limit. */
  withoutDeadline<T>(work: (client: Pick<pg.Client, 'query'>) => Promise<T>): Promise<T>
  engine: 'embedded' | 'postgres'
  /** A number that rises whenever something was written, where only this process writes. */
  commits?: () => number
  /** To and from other processes, where there may be any. */
  signals?: Signals
  /** Returns when the database can be read and written; otherwise throws soon. */
  check(): Promise<void>
  /** The connections for calls, and how many calls wait for one. */
  connections(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface PostgresOptions {
  poolSize: number
  onError: (error: Error) => void
}

/** Statement timeouts. What a call needs takes milliseconds; statements of jobs and their maintenance may take longer. */
const CALL_MS = 4_000
const JOB_MS = 20_000
const PROBE_MS = 1_500
const CONNECT_MS = 3_000
/** At the start nobody waits for an answer yet, and the database may still be starting too. */
const CONNECT_AT_START_MS = 15_000
/** PostgreSQL cancels a statement at its timeout; a connection that stays silent for this much longer is lost. */
const SILENCE_MS = 500
const LISTENER_PROBED_AFTER_MS = 10_000

export async function openPostgres(url: string, { poolSize, onError }: PostgresOptions): Promise<Database> {
  await checkServer(work => withoutDeadline(url, onError, work))
  const open = (max: number, statementMs: number) => openPool(url, { max, statementMs, onError })
  const calls = open(poolSize, CALL_MS)
  const jobs = open(2, JOB_MS)
  // Reserved for the probe: it checks whether the database works, not whether calls are queueing for it.
  const probe = open(1, PROBE_MS)
  const signals = createSignals(() => newListener(url, onError), jobs.pool)
  const close = async () => {
    signals.close()
    await Promise.all([calls, jobs, probe].map(({ end }) => end()))
  }
  const probing = createDb(probe.pool)
  const shared = Math.max(1, Math.floor(poolSize / 2))
  return {
    db: createDb(calls.pool, createSharedConnections(calls.pool, shared), newQueues(poolSize, shared)),
    pool: jobs.pool,
    withoutDeadline: work => withoutDeadline(url, onError, work),
    engine: 'postgres',
    signals,
    check: () => checkWriting(probing),
    connections: () => ({
      open: calls.pool.totalCount,
      idle: calls.pool.idleCount,
      waiting: calls.pool.waitingCount,
    }),
    close,
  }
}

/** Only a write shows that the disk is full or that the server is read-only. */
export async function checkWriting(db: Db): Promise<void> {
  await db.run(sql`update write_probe set written_at = now()`)
}

function newQueues(poolSize: number, shared: number): DbQueues {
  const { statements, transactions } = queuesOfPool(poolSize, shared, STATEMENTS_PER_CONNECTION)
  return {
    statements: new FairQueue('statements', statements),
    transactions: new FairQueue('transactions', transactions),
  }
}

async function withoutDeadline<T>(
  url: string,
  onError: (error: Error) => void,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...clientConfig(url), connectionTimeoutMillis: CONNECT_AT_START_MS })
  client.on('error', onError)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A connection that only listens sends nothing, so that only keep-alive probes can tell that it is lost. */
function newListener(url: string, onError: (error: Error) => void): pg.Client {
  const client = new pg.Client({
    ...clientConfig(url),
    connectionTimeoutMillis: CONNECT_MS,
    keepAliveInitialDelayMillis: LISTENER_PROBED_AFTER_MS,
  })
  client.on('error', onError)
  return client
}

function openPool(
  url: string,
  { max, statementMs, onError }: { max: number; statementMs: number; onError: (error: Error) => void },
) {
  const pool = new pg.Pool({
    ...clientConfig(url),
    max,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    lock_timeout: statementMs - 500,
    idle_in_transaction_session_timeout: 2 * statementMs,
    pipeline: true,
  })
  pool.on('error', onError)
  // The pool removes its listener from a client that is in use: without this one a lost connection would end the process.
  pool.on('connect', client => client.on('error', onError))
  pool.on('connect', sendInOnePiece)
  pool.on('connect', boundPreparedStatements)
  const stopListening = endSilentConnections(pool, statementMs + SILENCE_MS)
  const end = async () => {
    stopListening()
    await pool.end()
  }
  return { pool, end }
}

function clientConfig(url: string): pg.ClientConfig {
  const options = `-c ${ONE_PLAN} -c ${NOT_COMPILED} -c timezone=UTC -c datestyle=ISO`
  return { connectionString: url, keepAlive: true, application_name: 'diwan', options }
}

async function checkServer(withoutDeadline: Database['withoutDeadline']): Promise<void> {
  const { rows } = await withoutDeadline(client =>
    client.query<{ version: number; encoding: string; matches: boolean }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
              'م' ~ '[[:alpha:]]' as matches`,
    ),
  ).catch(error => {
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
