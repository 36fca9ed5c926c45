import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'

/** What a call keeps from being changed until it commits. */
interface Locking {
  db: Db
  holds: 'nothing' | 'parent' | 'record'
}

/** The rows that are locked for a record, from the parent down so that nobody waits in a circle: `p` is the project, `l` the list. */
const PATHS = { p: ['p'], l: ['p', 'l'], t: ['p', 'l', 't'], d: ['p', 'd'], f: ['p', 'f'] }

type Lockable = keyof typeof PATHS

/**
 * Finds a record and locks it until the commit, so that nothing is written into what was frozen, moved or deleted a
 * moment ago. `query` takes its columns and its joins from the rows that are locked, and from nothing else.
 *
 * A row that comes back is true: after a wait PostgreSQL reads each locked row anew and asks the conditions again. That none
 * comes back is not: a record that moved during the wait was compared with the parent it had. Only a query without a
 * lock, which sees one moment, can say that there is none; else the record, locked by now, is found where it has gone.
 */
export async function findAndLock<T>({ db, holds }: Locking, record: Lockable, query: Sql): Promise<T | undefined> {
  if (holds === 'nothing') return db.maybe<T>(query)
  const row = await db.maybe<T>(sql`${query} ${locks(record, holds)}`)
  if (row || !(await db.maybe(query))) return row
  // The record is locked before its new parent here, so nobody waits: whoever is deleting that parent waits for the record.
  const moved = await db.maybe<T>(sql`${query} ${locks(record, holds, 'skip locked')}`)
  if (!moved) throw beginAgain()
  return moved
}

/**
 * Whoever writes below a record shares it with all others who do; changing, archiving or deleting it waits for them, and
 * they for it.
 */
export function locks(record: Lockable, holds: 'parent' | 'record', manner = ''): Sql {
  const lock = (table: string) =>
    `for ${table === record && holds === 'record' ? 'update' : 'key share'} of ${table} ${manner}`
  return raw(PATHS[record].map(lock).join(' '))
}

/** The code with which PostgreSQL itself asks for the transaction to be tried again. */
function beginAgain(): Error {
  return Object.assign(new Error('The record was being moved and its new parent changed'), { code: '40001' })
}

/**
 * Locks a record that is read with others. It comes before the reading, as a statement of its own: one that joins and had to
 * wait would show a mixture of old and new. A read locks nothing.
 */
export async function lockForWrite({ db, holds }: Locking, lock: Sql): Promise<void> {
  if (holds !== 'nothing') await db.run(lock)
}
