import sql, { empty, raw, type Sql } from 'sql-template-tag'

/**
 * The locking clause of a look-up of `record` in project `p`. Whoever writes below a project shares it with all others
 * who do; archiving or deleting the project waits for them, and they for it. So nothing is written into a project that
 * was frozen a moment ago, and of two who change one record the second sees what the first has done.
 */
export function held({ holds }: { holds: 'nothing' | 'parent' | 'record' }, record: 'p' | 'l' | 't' | 'd' | 'f'): Sql {
  if (holds === 'nothing') return empty
  if (record === 'p') return holds === 'record' ? sql`for update of p` : sql`for key share of p`
  const strength = holds === 'record' ? raw('no key update') : raw('key share')
  return sql`for key share of p for ${strength} of ${raw(record)}`
}
