import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { CONTRACT_VERSION } from '../contract-version.ts'
import { GIVE_BACK, LOCKS, TRY_TO_TAKE } from './advisory-locks.ts'
import { errorCode, isConcurrencyConflict } from './failures.ts'
import { type Migration, migrationNames, readMigration } from './migration-files.ts'
import type { Database } from './postgres.ts'

type Migratable = Pick<Database, 'withoutDeadline'>
type Query = Pick<Client, 'query'>

interface Options {
  /** The schema becomes what it was when this file was the last. */
  upTo?: string
  /** Told once when a file has to wait for a table that others use. */
  onWait?: (message: string) => void
}

/**
 * Applies the numbered files that the database has not seen. Of several nodes that start at once, one does so, and the others
 * wait until they find nothing missing. A node that misses nothing waits for nobody: one of the release before starts while a
 * newer one is migrating.
 */
export function migrate({ withoutDeadline }: Migratable, { upTo, onWait }: Options = {}): Promise<string[]> {
  return withoutDeadline(async client => {
    const wanted = (await migrationNames()).filter(name => upTo === undefined || name <= upTo)
    if ((await missingOf(client, wanted)).length === 0) return []
    return alone(client, async () => {
      await client.query(CREATE_MIGRATIONS_TABLE)
      const missing = await missingOf(client, wanted)
      for (const name of missing) await apply(client, await readMigration(name), onWait)
      return missing
    })
  })
}

/**
 * Tries again instead of waiting in the database: whoever waits there has a snapshot, for whose end an index that is created
 * concurrently would wait in turn. The lock ends with the connection, also if the process is killed.
 */
async function alone<T>(client: Query, work: () => Promise<T>): Promise<T> {
  const take = async () => (await client.query<{ taken: boolean }>(TRY_TO_TAKE, [LOCKS.migrations])).rows[0]?.taken
  while (!(await take())) await sleep(TRY_LOCK_EVERY_MS)
  try {
    return await work()
  } finally {
    // The embedded database goes on with the same session.
    await client.query(GIVE_BACK, [LOCKS.migrations]).catch(() => {})
  }
}

const TRY_LOCK_EVERY_MS = 200

const CREATE_MIGRATIONS_TABLE = `
  create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(), oldest_release text)`

async function missingOf(client: Query, wanted: string[]): Promise<string[]> {
  const applied = await readApplied(client)
  const edited = await editedOf(applied)
  if (edited.length > 0) throw new EditedMigration(edited)
  const beyond = await beyondUs(applied)
  if (beyond) throw new TooOld(beyond)
  return wanted.filter(name => !applied.has(name))
}

/** What a database knows of a file that it has applied. */
interface AppliedMigration {
  name: string
  /** Null if the table is older than these. */
  checksum: string | null
  oldest_release: string | null
}

type Applied = Map<string, AppliedMigration>

export async function readApplied(client: Query): Promise<Applied> {
  const found = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`)
  if (!found.rows[0]?.exists) return new Map()
  const { rows } = await client.query<AppliedMigration>(
    `select name, to_jsonb(m) ->> 'checksum' as checksum, to_jsonb(m) ->> 'oldest_release' as oldest_release
     from migrations m order by name`,
  )
  return new Map(rows.map(row => [row.name, row]))
}

/** The files that are no longer what the database has applied. */
export async function editedOf(applied: Applied): Promise<string[]> {
  const edited: string[] = []
  for (const name of await migrationNames()) {
    const before = applied.get(name)
    if (before && before.checksum !== (await readMigration(name)).checksum) edited.push(name)
  }
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

/** The file of a newer release that has taken away what this one uses, if there is one. */
export async function beyondUs(applied: Applied): Promise<AppliedMigration | undefined> {
  const known = await migrationNames()
  return [...applied.values()].find(
    ({ name, oldest_release }) =>
      oldest_release !== null &&
      !known.includes(name) &&
      CONTRACT_VERSION.localeCompare(oldest_release, 'en', { numeric: true }) < 0,
  )
}

class TooOld extends Error {
  readonly code = 'too_old'
  constructor({ name, oldest_release }: AppliedMigration) {
    super(
      `The database needs release ${oldest_release} or newer since ${name}, and this is ${CONTRACT_VERSION}. Install a newer release, or restore a backup from before.`,
    )
  }
}

/**
 * How long a statement waits for a table. Calls that want the table queue up behind it, and have four seconds in all; whoever
 * holds the table may take much longer. So we give up soon, let the calls pass, and try again: for longer each time, because
 * where transactions take long there would otherwise always be one that is not over.
 */
const LOCK_WITHIN_MS = 500
const LOCK_WITHIN_AT_MOST_MS = 2_000
const TRY_EVERY_MS = 2_000
const TRY_FOR_MS = 600_000

async function apply(client: Query, migration: Migration, onWait: Options['onWait']): Promise<void> {
  const giveUpAt = performance.now() + TRY_FOR_MS
  for (let tried = 1; ; tried++) {
    try {
      if (migration.isOutside) return await applyOutside(client, migration)
      return await applyInTransaction(client, migration, Math.min(tried * LOCK_WITHIN_MS, LOCK_WITHIN_AT_MOST_MS))
    } catch (error) {
      if (!isHeldUp(error) || performance.now() > giveUpAt)
        throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
      if (tried === 1) onWait?.(`Migration ${migration.name} waits for a table that is in use${await whoHolds(client)}`)
      await sleep(TRY_EVERY_MS)
    }
  }
}

function isHeldUp(error: unknown): boolean {
  return errorCode(error) === '55P03' || isConcurrencyConflict(error)
}

/** The transaction that has been open longest is most likely the one that holds the table. */
async function whoHolds(client: Query): Promise<string> {
  const { rows } = await client.query<{ who: string }>(`
    select format('; process %s (%s) has a transaction open since %s', pid, application_name, xact_start::timestamptz(0)) as who
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '400 milliseconds'
    order by xact_start limit 1`)
  return rows[0]?.who ?? ''
}

async function applyInTransaction(client: Query, migration: Migration, lockWithinMs: number): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${lockWithinMs}`)
    await note(client, migration)
    for (const step of migration.steps) await client.query(step)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Noted last: if it is interrupted, all of its statements run again. */
async function applyOutside(client: Query, migration: Migration): Promise<void> {
  for (const step of migration.steps) await client.query(step)
  await note(client, migration)
}

async function note(client: Query, { name, checksum, oldestRelease }: Migration): Promise<void> {
  await client.query('insert into migrations (name, checksum, oldest_release) values ($1, $2, $3)', [
    name,
    checksum,
    oldestRelease,
  ])
}
