import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'

interface PageOf {
  columns: Sql
  /** What follows FROM, with its WHERE. */
  from: Sql
  order: Sql
  /** How many there are, when that is known without counting. */
  total?: Sql
}

/**
 * One page of a collection and how many there are, in one statement. The left join keeps the total on a page past the
 * end, and as a join without a condition it keeps the order of its one branch.
 */
export async function page<T>(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
  { columns, from, order, total }: PageOf,
) {
  const rows = await db.many<T & { page_total: number; page_row: boolean | null }>(sql`
    select t.page_total, p.*
    from (select ${total ?? sql`(select count(*) from ${from})`} as page_total) t
    left join (select ${columns}, true as page_row from ${from} order by ${order} limit ${limit} offset ${offset}) p on true`)
  const data: T[] = rows.filter(row => row.page_row)
  return { data, meta: { total: rows[0]?.page_total ?? 0, limit, offset, count: data.length } }
}
