import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { type Db, transactionOn } from '../../../src/db/db.ts'
import { askForCopy } from '../../../src/db/folder-copies.ts'
import { inspect } from '../../../src/db/inspect.ts'
import type { Database } from '../../../src/db/postgres.ts'
import { onReplica } from '../../../src/db/replica-session.ts'
import type { Blobs } from '../../../src/domain/ports/blob-store.ts'
import { Failure } from '../frame/command.ts'
import { withDatabase } from './own-database.ts'

/** The database as it was at one moment. */
export interface Snapshot {
  db: Db
  engine: Database['engine']
  /** The last migration applied to the database, and those that are missing. */
  migration: string
  missingMigrations: string[]
  /** For how long the server of an embedded database was paused for it. */
  heldMs: number
}

type Work<T> = (snapshot: Snapshot) => Promise<T>

/**
 * Reads the database as of one moment, while everything keeps running. The bytes of the files in it stay until the work is
 * done. `replica` is the URL of a server to read from in place of the database.
 */
export async function withSnapshot<T>(config: Config, blobs: Blobs, work: Work<T>, replica?: string): Promise<T> {
  // Before that moment, so that files deleted after it keep their bytes.
  const release = await blobs.keepEverything()
  try {
    return await readAtOneMoment(config, work, replica)
  } finally {
    await release()
  }
}

async function readAtOneMoment<T>(config: Config, work: Work<T>, replica?: string): Promise<T> {
  if (replica)
    return withDatabase(config, ({ db, engine }) =>
      atOneMoment({ withoutDeadline: read => onReplica(replica, db, read), engine }, 0, work),
    )
  if (config.databaseUrl) return withDatabase(config, database => atOneMoment(database, 0, work))
  const folder = join(config.dataDir, 'database')
  if (!existsSync(folder)) throw new Failure(`DATA_DIR: there is no database in ${config.dataDir}`)
  const copy = await askForCopy(config.dataDir)
  if (!copy) return withDatabase(config, database => atOneMoment(database, 0, work))
  try {
    return await withDatabase({ ...config, dataDir: copy.folder }, database => atOneMoment(database, copy.heldMs, work))
  } finally {
    await copy.remove()
  }
}

/**
 * Overrides the time-outs of the server or the role: reading everything takes as long as it takes. Which of them exist depends
 * on the server's version.
 */
const WITHOUT_TIME_OUTS = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'idle_session_timeout')`

type Source = Pick<Database, 'withoutDeadline' | 'engine'>

function atOneMoment<T>({ withoutDeadline, engine }: Source, heldMs: number, work: Work<T>): Promise<T> {
  return withoutDeadline(async client => {
    const { migrations } = await inspect(client)
    if (!migrations) throw new Failure('There is nothing of Diwan in the database')
    await client.query(WITHOUT_TIME_OUTS)
    return transactionOn(client, async db => {
      await db.raw('set transaction isolation level repeatable read, read only', [])
      return work({ db, engine, migration: await lastMigration(db), missingMigrations: migrations.missing, heldMs })
    })
  })
}

async function lastMigration(db: Db): Promise<string> {
  const [last] = await db.raw<{ name: string }>('select max(name) as name from migrations', [])
  return last?.name ?? ''
}
