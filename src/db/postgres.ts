import type pg from 'pg'
import sql from 'sql-template-tag'
import './types.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { queuesOfPool } from '../queues.ts'
import { checkServer } from './check-server.ts'
import { createDb, type Db, type DbQueues } from './db.ts'
import { openPool } from './pool.ts'
import { openReplica, type Replica } from './replica.ts'
import { clientConfig, onOwnConnection } from './sessions.ts'
import { clientClass } from './several-hosts.ts'
import { createSharedConnections, STATEMENTS_PER_CONNECTION } from './shared-connections.ts'
import { createSignals, type Signals } from './signals.ts'

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
  /** A server that follows the database and answers reads, where one is set up. */
  replica?: Replica
  /** Returns when the database can be read and written; otherwise throws soon. */
  check(): Promise<void>
  /** The connections for calls, and how many calls wait for one. */
  connections(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface PostgresOptions {
  poolSize: number
  onError: (error: Error) => void
  /** PostgreSQL itself, where `url` is that of a pooler: for what needs a session, or more time than a call has. */
  directUrl?: string | undefined
  replica?: ReplicaOptions | undefined
}

interface ReplicaOptions {
  url: string
  /** Called when it begins to answer reads, and with the reason when it no longer does. */
  onStateChange: (problem: string | undefined) => void
}

/** Statement timeouts. What a call needs takes milliseconds; statements of jobs and their maintenance may take longer. */
const CALL_MS = 4_000
const JOB_MS = 20_000
const PROBE_MS = 1_500
const CONNECT_MS = 3_000
const LISTENER_PROBED_AFTER_MS = 10_000

export async function openPostgres(
  url: string,
  { poolSize, onError, directUrl, replica }: PostgresOptions,
): Promise<Database> {
  const { isPooled } = await checkServer({ url, directUrl, callMs: CALL_MS, onError })
  const direct = directUrl ?? url
  const calls = openPool({ url, statementMs: CALL_MS, isPooled }, { max: poolSize, connectMs: CONNECT_MS, onError })
  const jobs = openPool({ url: direct, statementMs: JOB_MS }, { max: 2, connectMs: CONNECT_MS, onError })
  // Reserved for the probe: it checks whether the database works, not whether calls are queueing for it.
  const probe = openPool({ url, statementMs: PROBE_MS, isPooled }, { max: 1, connectMs: CONNECT_MS, onError })
  const signals = createSignals(() => newListener(direct, onError), jobs.pool)
  const probing = createDb(probe.pool)
  const shared = Math.max(1, Math.floor(poolSize / 2))
  const db = createDb(calls.pool, createSharedConnections(calls.pool, shared).send, newQueues(poolSize, shared))
  const reads = replica && openReplica({ ...replica, primary: db, connections: shared })
  const close = async () => {
    signals.close()
    await reads?.close()
    await Promise.all([calls, jobs, probe].map(({ end }) => end()))
  }
  return {
    db,
    ...(reads && { replica: reads }),
    pool: jobs.pool,
    withoutDeadline: work => onOwnConnection({ url: direct, statementMs: 0 }, onError, work),
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

/** A connection that only listens sends nothing, so that only keep-alive probes can tell that it is lost. */
function newListener(url: string, onError: (error: Error) => void): pg.Client {
  const Client = clientClass(url)
  const client = new Client({
    ...clientConfig({ url, statementMs: 0 }),
    connectionTimeoutMillis: CONNECT_MS,
    keepAliveInitialDelayMillis: LISTENER_PROBED_AFTER_MS,
  })
  client.on('error', onError)
  return client
}
