import { readdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import type { Database } from './postgres.ts'

// Beside this file, in src and in dist alike: the build carries them along.
const FOLDER = new URL('./migrations/', import.meta.url)
const LOCK = 7_461_120

type Migrated = Pick<Database, 'unhurried'>

/**
 * Applies the numbered files that the database has not seen, each in one transaction with its own mark. The lock is the
 * transaction's, so that of several nodes starting at once one applies a file and the others find it done.
 */
export async function migrate(database: Migrated): Promise<string[]> {
  await locked(database, client => client.query(MARKS))
  const applied: string[] = []
  for (const name of (await readdir(FOLDER)).filter(file => file.endsWith('.sql')).sort()) {
    if (await apply(database, name)) applied.push(name)
  }
  return applied
}

const MARKS =
  'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())'

async function apply(database: Migrated, name: string): Promise<boolean> {
  const statements = await readFile(new URL(name, FOLDER), 'utf8')
  return locked(database, async client => {
    const { rowCount } = await client.query('insert into migrations (name) values ($1) on conflict do nothing', [name])
    if (rowCount === 1) await client.query(statements)
    return rowCount === 1
  }).catch(error => {
    throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error })
  })
}

/** A large database takes its time, and so does waiting for the node that migrates it. */
function locked<T>({ unhurried }: Migrated, work: (client: Pick<Client, 'query'>) => Promise<T>): Promise<T> {
  return unhurried(async client => {
    try {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock($1)', [LOCK])
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}
