import { access, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import './types.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { flush, flushTree, makeFolder } from '../lib/flush.ts'
import { PAUSE_OF_EMBEDDED, QUEUES } from '../queues.ts'
import { createDb } from './db.ts'
import type { EngineSession } from './engine-session.ts'
import { EngineDied } from './engine-thread.ts'
import { createCopies, removeAbandonedCopies } from './folder-copies.ts'
import { lockFolder } from './folder-lock.ts'
import { keepHouse } from './housekeeping.ts'
import { type EngineEvents, keepEngineAlive, type LivingEngine } from './living-engine.ts'
import { unpackCluster } from './new-cluster.ts'
import { shareOneConnection } from './one-connection.ts'
import { checkWriting, type Database } from './postgres.ts'
import { boundPreparedStatements } from './prepared-statements.ts'

const ENGINE_VERSION = '18'
const CLOSE_WITHIN_MS = 5_000

/** PostgreSQL inside this process, in a folder that only this process may open. */
export async function openEmbedded(
  dataDir: string,
  onError: EngineEvents['onError'],
  onReopened: EngineEvents['onReopened'] = () => {},
): Promise<Database> {
  await makeFolder(dataDir)
  let pool: pg.Pool | undefined
  const giveCopy = createCopies(dataDir, work => alone(pool, work))
  const unlock = await lockFolder(dataDir, giveCopy)
  try {
    await removeAbandonedCopies(dataDir)
    const database = await openLocked(join(dataDir, 'database'), unlock, { onError, onReopened })
    pool = database.pool
    return database
  } catch (error) {
    await unlock()
    throw error
  }
}

async function openLocked(folder: string, unlock: () => Promise<void>, events: EngineEvents): Promise<Database> {
  await initialise(folder)
  await checkVersion(folder)
  const engine = await keepEngineAlive(folder, events)
  const pool = openPool(engine, events.onError)
  await assertDurable(pool, engine)

  const stopHousekeeping = keepHouse({ pool, flushes: () => engine.flushes(), onError: events.onError })
  const close = async () => {
    stopHousekeeping()
    // If the checkpoint does not complete, the next start only takes longer.
    const checkpoint = pool.query('checkpoint').catch(events.onError)
    await Promise.race([checkpoint.then(() => pool.end()), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
    await engine.close()
    await unlock()
  }
  const shared = shareOneConnection(pool)
  const db = createDb(shared, undefined, {
    statements: new FairQueue('statements', QUEUES.embeddedStatements),
    transactions: new FairQueue('transactions', QUEUES.embeddedTransactions),
    pause: PAUSE_OF_EMBEDDED,
  })
  return {
    db,
    pool,
    engine: 'embedded',
    commits: () => engine.flushes(),
    withoutDeadline: work => withClient(pool, work),
    check: () => checkWriting(db),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close,
  }
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/** Runs work between the transactions of others: there is one client, and whoever has it has the database to itself. */
async function alone(pool: pg.Pool | undefined, work: () => Promise<void>): Promise<number> {
  if (!pool) throw new Error('it is starting: try again soon')
  return withClient(pool, async client => {
    const since = performance.now()
    await client.query('checkpoint')
    await work()
    return Math.round(performance.now() - since)
  })
}

/** A pool of one client, which is kept for as long as it is usable: the engine has only one session. */
function openPool(engine: LivingEngine, onError: (error: Error) => void): pg.Pool {
  class EngineClient extends pg.Client {
    readonly #session: EngineSession
    constructor() {
      const session = engine.newSession()
      super({ stream: () => session, ssl: false, pipeline: true } as object)
      this.#session = session
    }
    /** Nothing that this client has sent may run once the next client is connected: they share one session. */
    override end(...given: []): Promise<void> {
      this.#session.destroy()
      return super.end(...given)
    }
  }
  const pool = new pg.Pool({ Client: EngineClient, max: 1, idleTimeoutMillis: 0 })
  // The engine itself has already reported its death.
  const tell = (error: Error) => {
    if (!(error instanceof EngineDied)) onError(error)
  }
  pool.on('error', tell)
  // The pool removes its listener from a client that is in use: without this one an error would end the process.
  pool.on('connect', client => client.on('error', tell))
  pool.on('connect', boundPreparedStatements)
  return pool
}

/**
 * A new database is made in a folder with a temporary name, which is renamed only when every file is flushed: after a kill or a
 * power cut there is either no database or a complete one.
 */
async function initialise(folder: string): Promise<void> {
  if (await exists(folder)) return
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await unpackCluster(draft)
  await flushTree(draft)
  await rename(draft, folder)
  await flush(dirname(folder))
}

async function checkVersion(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version.trim() === ENGINE_VERSION) return
  throw new Error(
    version === ''
      ? `DATA_DIR: ${folder} is not a database; nothing in it was touched. Move it away or choose another DATA_DIR`
      : `DATA_DIR: ${folder} was written by PostgreSQL ${version.trim()}, this release embeds ${ENGINE_VERSION}; nothing in it was touched`,
  )
}

async function assertDurable(pool: pg.Pool, engine: LivingEngine): Promise<void> {
  const before = engine.flushes()
  await pool.query(`create table if not exists durability_probe (checked_at timestamptz not null)`)
  await pool.query('delete from durability_probe')
  await pool.query('insert into durability_probe values (now())')
  if (engine.flushes() === before)
    throw new Error('The embedded database does not flush its commits to the disk: refusing to run')
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
