import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** What a call locks against changes until it commits. */
interface Locking {
  db: Db
  holds: 'nothing' | 'parent' | 'record'
}

/** The rows that are locked for a record, parents first to avoid deadlocks: `p` is the project, `l` the list. */
const PATHS = { p: ['p'], l: ['p', 'l'], t: ['p', 'l', 't'], d: ['p', 'd'], f: ['p', 'f'] }

type Lockable = keyof typeof PATHS

/**
 * Finds a record and locks it until the commit, so that nothing is written into what was frozen, moved or deleted a moment ago.
 * `query` must take its columns and joins only from the rows that are locked.
 *
 * A row that is returned is current: after a wait PostgreSQL reads each locked row again and rechecks the conditions. An empty
 * result may be wrong: a record that was moved during the wait was joined to its old parent. Only a query without a lock, which
 * reads one snapshot, can tell that there is none; otherwise the record, locked by now, is found in its new place.
 */
export async function findAndLock<T>({ db, holds }: Locking, record: Lockable, query: Sql): Promise<T | undefined> {
  if (holds === 'nothing') return db.maybe<T>(query)
  const row = await db.maybe<T>(sql`${query} ${locks(record, holds)}`)
  if (row || !(await db.maybe(query))) return row
  // The record is locked before its new parent here, so this must not wait: whoever deletes that parent waits for the record.
  const moved = await db.maybe<T>(sql`${query} ${locks(record, holds, 'skip locked')}`)
  if (!moved) throw beginAgain('The record was being moved and its new parent changed')
  return moved
}

/** Writers below a record share its lock; changing, archiving or deleting it waits for them, and they wait for it. */
export function locks(record: Lockable, holds: 'parent' | 'record', manner = ''): Sql {
  const lock = (table: string) =>
    `for ${table === record && holds === 'record' ? 'update' : 'key share'} of ${table} ${manner}`
  return raw(PATHS[record].map(lock).join(' '))
}

/** An error with the code by which PostgreSQL asks to retry the transaction. */
export function beginAgain(why: string): Error {
  return Object.assign(new Error(why), { code: '40001' })
}

/**
 * Locks a record that is read together with others. This comes first, as a statement of its own: a join that had to wait for a
 * lock would mix old and new rows. A read locks nothing.
 */
export async function lockForWrite({ db, holds }: Locking, lock: Sql): Promise<void> {
  if (holds !== 'nothing') await db.run(lock)
}
