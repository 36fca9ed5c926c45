import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'

// Seen from src/db and from dist/db alike.
const FOLDER = new URL('../../src/db/migrations/', import.meta.url)
const LOCK = 7_461_120

/**
 * Applies the numbered files that the database has not seen, each in one transaction with its own mark. The lock is the
 * transaction's, so that of several nodes starting at once one applies a file and the others find it done.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  await locked(pool, client => client.query(MARKS))
  const applied: string[] = []
  for (const name of (await readdir(FOLDER)).filter(file => file.endsWith('.sql')).sort()) {
    if (await apply(pool, name)) applied.push(name)
  }
  return applied
}

const MARKS =
  'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())'

async function apply(pool: Pool, name: string): Promise<boolean> {
  const statements = await readFile(new URL(name, FOLDER), 'utf8')
  return locked(pool, async client => {
    const { rowCount } = await client.query('insert into migrations (name) values ($1) on conflict do nothing', [name])
    if (rowCount === 1) await client.query(statements)
    return rowCount === 1
  }).catch(error => {
    throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error })
  })
}

async function locked<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // A large database takes its time, and so does waiting for the node that migrates it.
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
