import { readdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import type { Database } from './postgres.ts'

// Beside this file in both src and dist: the build copies them.
const FOLDER = new URL('./migrations/', import.meta.url)
const LOCK = 7_461_120

type Migratable = Pick<Database, 'withoutDeadline'>

/**
 * Applies the numbered files that the database has not seen, each in one transaction together with the row that records it. The
 * lock ends with the transaction: of several nodes that start at once, one applies a file and the others find it applied. With
 * `upTo` the schema becomes what it was when that file was the last.
 */
export async function migrate(database: Migratable, upTo?: string): Promise<string[]> {
  await locked(database, client => client.query(CREATE_MIGRATIONS_TABLE))
  const seen = await namesSeen(database)
  const applied: string[] = []
  for (const name of await migrationNames()) {
    if (upTo !== undefined && name > upTo) break
    if (!seen.has(name) && (await apply(database, name))) applied.push(name)
  }
  return applied
}

/** In the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter(file => file.endsWith('.sql')).sort()
}

const CREATE_MIGRATIONS_TABLE =
  'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())'

async function namesSeen({ withoutDeadline }: Migratable): Promise<Set<string>> {
  const { rows } = await withoutDeadline(client => client.query<{ name: string }>('select name from migrations'))
  return new Set(rows.map(({ name }) => name))
}

async function apply(database: Migratable, name: string): Promise<boolean> {
  const statements = await readFile(new URL(name, FOLDER), 'utf8')
  return locked(database, async client => {
    const { rowCount } = await client.query('insert into migrations (name) values ($1) on conflict do nothing', [name])
    if (rowCount === 1) await client.query(statements)
    return rowCount === 1
  }).catch(error => {
    throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error })
  })
}

/** Without a deadline: a large database takes long to migrate, and other nodes wait for as long. */
function locked<T>({ withoutDeadline }: Migratable, work: (client: Pick<Client, 'query'>) => Promise<T>): Promise<T> {
  return withoutDeadline(async client => {
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
