import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { conflict } from './errors.ts'

type Holds = 'nothing' | 'parent' | 'record'

/**
 * The locks of a look-up, from the parent down so that nobody waits in a circle: `p` is the project, `l` the task list.
 * Whoever writes below a record shares it with all others who do; changing, archiving or deleting it waits for them, and
 * they for it.
 */
const LOCKS = {
  p: { parent: sql`for key share of p`, record: sql`for update of p` },
  l: { parent: sql`for key share of p for key share of l`, record: sql`for key share of p for update of l` },
  t: {
    parent: sql`for key share of p for key share of l for key share of t`,
    record: sql`for key share of p for key share of l for update of t`,
  },
  d: { parent: sql`for key share of p for key share of d`, record: sql`for key share of p for update of d` },
  f: { parent: sql`for key share of p for key share of f`, record: sql`for key share of p for update of f` },
}

const ATTEMPTS = 5

/**
 * Looks a record up and holds it until the commit, so that nothing is written into what was frozen, moved or deleted a
 * moment ago. `look` takes its columns and its joins from the rows that are held, and from nothing else.
 *
 * A row that comes back is true: after a wait PostgreSQL reads each held row anew and asks the conditions again. That none
 * comes back is not: a record that moved during the wait is compared with the parent it had. Only a look without a lock,
 * which sees one moment, can say that there is none; else the record, held by now, is looked up where it has gone.
 */
export async function lookUp<T>(
  { db, holds }: { db: Db; holds: Holds },
  record: keyof typeof LOCKS,
  look: Sql,
): Promise<T | undefined> {
  if (holds === 'nothing') return db.maybe<T>(look)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const row = await db.maybe<T>(sql`${look} ${LOCKS[record][holds]}`)
    if (row || !(await db.maybe(look))) return row
  }
  throw conflict()
}
