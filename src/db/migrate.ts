import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import { LOCKS, TAKE_UNTIL_COMMIT } from './advisory-locks.ts'
import type { Database } from './postgres.ts'

// Beside this file in both src and dist: the build copies them.
const FOLDER = new URL('./migrations/', import.meta.url)

type Migratable = Pick<Database, 'withoutDeadline'>

/**
 * Applies the numbered files that the database has not seen, each in one transaction together with the row that records it. The
 * lock ends with the transaction: of several nodes that start at once, one applies a file and the others find it applied. With
 * `upTo` the schema becomes what it was when that file was the last.
 */
export async function migrate(database: Migratable, upTo?: string): Promise<string[]> {
  await locked(database, client => client.query(CREATE_MIGRATIONS_TABLE))
  const seen = await database.withoutDeadline(readApplied)
  const edited = await editedOf(seen)
  if (edited.length > 0) throw new EditedMigration(edited)
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

const CREATE_MIGRATIONS_TABLE = `
  create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`

/** The files that a database has applied, and their checksums: null if the table is older than those. */
type Applied = Map<string, string | null>

export async function readApplied(client: Pick<Client, 'query'>): Promise<Applied> {
  const { rows } = await client.query<{ name: string; checksum: string | null }>(
    `select name, to_jsonb(m) ->> 'checksum' as checksum from migrations m`,
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** The files that are no longer what the database has applied. */
export async function editedOf(applied: Applied): Promise<string[]> {
  const edited: string[] = []
  for (const name of await migrationNames())
    if (applied.has(name) && applied.get(name) !== checksumOf(await statementsOf(name))) edited.push(name)
  return edited
}

export const WHAT_TO_DO_ABOUT_EDITED =
  'Put the file back as it was, and make the change in a new file. In development, delete the data folder or the database instead.'

/** Has a code, as errors have that the operator can do something about. */
class EditedMigration extends Error {
  readonly code = 'edited_migration'
  constructor(names: string[]) {
    super(`Edited after this database had applied it: ${names.join(', ')}. ${WHAT_TO_DO_ABOUT_EDITED}`)
  }
}

function statementsOf(name: string): Promise<string> {
  return readFile(new URL(name, FOLDER), 'utf8')
}

/** Whatever the line endings are: Git can change them. */
function checksumOf(statements: string): string {
  return createHash('sha256').update(statements.replaceAll('\r\n', '\n')).digest('hex')
}

async function apply(database: Migratable, name: string): Promise<boolean> {
  const statements = await statementsOf(name)
  return locked(database, async client => {
    const { rowCount } = await client.query(
      'insert into migrations (name, checksum) values ($1, $2) on conflict do nothing',
      [name, checksumOf(statements)],
    )
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
      await client.query(TAKE_UNTIL_COMMIT, [LOCKS.migrations])
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}
