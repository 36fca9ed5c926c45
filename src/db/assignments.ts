import sql, { join, raw, type Sql } from 'sql-template-tag'

/** The SET list of an UPDATE, with only the values that were sent. Undefined when nothing was sent. */
export function assignments(values: Record<string, unknown>): Sql | undefined {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined)
  if (sent.length === 0) return undefined
  return join(sent.map(([column, value]) => sql`${raw(column)} = ${value as Sql}`))
}
