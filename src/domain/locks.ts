import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'

type Holds = 'nothing' | 'parent' | 'record'

/** The rows that a look-up holds, from the parent down so that nobody waits in a circle: `p` is the project, `l` the list. */
const PATHS = { p: ['p'], l: ['p', 'l'], t: ['p', 'l', 't'], d: ['p', 'd'], f: ['p', 'f'] }

type Held = keyof typeof PATHS

/**
 * Looks a record up and holds it until the commit, so that nothing is written into what was frozen, moved or deleted a
 * moment ago. `look` takes its columns and its joins from the rows that are held, and from nothing else.
 *
 * A row that comes back is true: after a wait PostgreSQL reads each held row anew and asks the conditions again. That none
 * comes back is not: a record that moved during the wait was compared with the parent it had. Only a look without a lock,
 * which sees one moment, can say that there is none; else the record, held by now, is looked up where it has gone.
 */
export async function lookUp<T>(
  { db, holds }: { db: Db; holds: Holds },
  record: Held,
  look: Sql,
): Promise<T | undefined> {
  if (holds === 'nothing') return db.maybe<T>(look)
  const row = await db.maybe<T>(sql`${look} ${locks(record, holds)}`)
  if (row || !(await db.maybe(look))) return row
  // The record is held before its new parent here, so nobody waits: whoever is deleting that parent waits for the record.
  const moved = await db.maybe<T>(sql`${look} ${locks(record, holds, 'skip locked')}`)
  if (!moved) throw beginAgain()
  return moved
}

/**
 * Whoever writes below a record shares it with all others who do; changing, archiving or deleting it waits for them, and
 * they for it.
 */
function locks(record: Held, holds: 'parent' | 'record', manner = ''): Sql {
  const lock = (table: string) =>
    `for ${table === record && holds === 'record' ? 'update' : 'key share'} of ${table} ${manner}`
  return raw(PATHS[record].map(lock).join(' '))
}

/** The code with which PostgreSQL itself asks for the transaction to be tried again. */
function beginAgain(): Error {
  return Object.assign(new Error('The record was being moved and its new parent changed'), { code: '40001' })
}
