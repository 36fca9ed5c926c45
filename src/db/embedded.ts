import { closeSync, fsyncSync, openSync } from 'node:fs'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import './types.ts'
import { createDb } from './db.ts'
import { lockFolder } from './folder-lock.ts'
import { checkWriting, type Database, ONE_PLAN } from './postgres.ts'

const ENGINE_VERSION = '18'
const CHECKPOINT_EVERY_MS = 3 * 60_000
const VACUUM_EVERY_MS = 24 * 3_600_000

// `-F` would turn fsync off; without it and with these, a commit is on the disk before it is acknowledged.
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'max_wal_size=64MB', 'timezone=UTC', ONE_PLAN].flatMap(setting => [
    '-c',
    setting,
  ]),
]

/** PostgreSQL inside this process, in a folder that only this process may open. */
export async function openEmbedded(dataDir: string, onError: (error: Error) => void): Promise<Database> {
  await mkdir(dataDir, { recursive: true })
  const unlock = await lockFolder(dataDir)
  try {
    return await openLocked(join(dataDir, 'database'), unlock, onError)
  } catch (error) {
    await unlock()
    throw error
  }
}

async function openLocked(
  folder: string,
  unlock: () => Promise<void>,
  onError: (error: Error) => void,
): Promise<Database> {
  await initialise(folder)
  await checkVersion(folder)
  const files = new DurableNodeFS(folder)
  const engine = await start(files)
  const pool = new pg.Pool({ ...createPgConfig(engine), max: 1 } as pg.PoolConfig)
  pool.on('error', onError)
  await assertDurable(pool, files)

  // The engine has no background processes: what they would do is done here.
  const timers = [
    setInterval(() => pool.query('checkpoint').catch(onError), CHECKPOINT_EVERY_MS),
    setInterval(() => pool.query('vacuum analyze').catch(onError), VACUUM_EVERY_MS),
  ]
  for (const timer of timers) timer.unref()

  const close = async () => {
    for (const timer of timers) clearInterval(timer)
    await pool.query('checkpoint')
    await pool.end()
    await engine.close()
    await unlock()
  }
  const db = createDb(pool)
  return {
    db,
    pool,
    engine: 'embedded',
    unhurried: work => withClient(pool, work),
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

/** A new database is made in a folder of another name, so that a kill in the middle leaves nothing half-made behind. */
async function initialise(folder: string): Promise<void> {
  if (await exists(folder)) return
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const engine = await start(new DurableNodeFS(draft))
  await engine.exec('checkpoint')
  await engine.close()
  await rename(draft, folder)
  syncFolder(join(folder, '..'))
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

/** The engine reads values with decoders that drop a leading U+FEFF: what comes back would not be what was stored. */
class ExactTextDecoder extends TextDecoder {
  constructor(label?: string, options: ConstructorParameters<typeof TextDecoder>[1] = {}) {
    super(label, { ignoreBOM: true, ...options })
  }
}

async function start(fs: DurableNodeFS): Promise<PGlite> {
  globalThis.TextDecoder = ExactTextDecoder
  const engine = new PGlite({ fs, extensions: { btree_gin, pg_trgm }, startParams: START_PARAMETERS })
  await engine.waitReady
  return engine
}

/** The engine's file system never asks the kernel to flush. This one does, and counts, so that it can be checked. */
class DurableNodeFS extends NodeFS {
  flushes = 0

  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(engine, options)
    // biome-ignore lint/suspicious/noExplicitAny: the engine does not export the type of its module
    result.emscriptenOpts.preRun?.push((module: any) => {
      const { type } = module.FS.lookupPath(PGlite.paths.PGDATA).node.mount
      type.stream_ops.fsync = (stream: { nfd: number }) => {
        fsyncSync(stream.nfd)
        this.flushes++
        return 0
      }
    })
    return result
  }
}

async function assertDurable(pool: pg.Pool, files: DurableNodeFS): Promise<void> {
  const before = files.flushes
  await pool.query(`create table if not exists durability_probe (checked_at timestamptz not null)`)
  await pool.query('delete from durability_probe')
  await pool.query('insert into durability_probe values (now())')
  if (files.flushes === before)
    throw new Error('The embedded database does not flush its commits to the disk: refusing to run')
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
