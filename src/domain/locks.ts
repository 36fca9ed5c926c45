import sql, { empty, type Sql } from 'sql-template-tag'

type Holds = 'nothing' | 'parent' | 'record'

/** Which records a look-up joins, outermost first: `p` is the project, `l` the task list. */
const PATHS = {
  p: { parent: sql`for key share of p`, record: sql`for update of p` },
  l: { parent: sql`for key share of p for key share of l`, record: sql`for key share of p for update of l` },
  t: {
    parent: sql`for key share of p for key share of l for key share of t`,
    record: sql`for key share of p for key share of l for update of t`,
  },
  d: { parent: sql`for key share of p for key share of d`, record: sql`for key share of p for update of d` },
  f: { parent: sql`for key share of p for key share of f`, record: sql`for key share of p for update of f` },
}

/**
 * The locking clause of a look-up, from the parent down so that nobody waits in a circle. Whoever writes below a record
 * shares it with all others who do; changing, archiving or deleting it waits for them, and they for it. So nothing is
 * written into what was frozen or deleted a moment ago, and of two who change one record the second sees what the first
 * has done.
 */
export function held({ holds }: { holds: Holds }, record: keyof typeof PATHS): Sql {
  return holds === 'nothing' ? empty : PATHS[record][holds]
}
