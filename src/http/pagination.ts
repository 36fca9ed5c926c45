import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { notFound } from '../domain/errors.ts'

interface PageOf {
  columns: Sql
  /** What follows FROM, with its WHERE. */
  from: Sql
  /** What is joined to the records of the page alone, and not to those that are skipped; `from` is one table then, as `as`. */
  joined?: { as: Sql; to: Sql }
  order: Sql
  under?: Parent
  /** Where counting all of them would take too long: what is counted, and beyond how many the total says only that there are more. */
  count?: { of: Sql; upTo: number }
}

/** The record that a collection belongs to. It is found in the same statement, and `columns` and `from` may name it. */
interface Parent {
  /** What follows FROM. */
  from: Sql
  where: Sql
  /** How many records are under it. */
  total: Sql
}

/** All records under a parent, in one statement. */
export async function everyRecord<T>(
  db: Db,
  { columns, from, order, under }: Pick<PageOf, 'columns' | 'from' | 'order'> & { under: Omit<Parent, 'total'> },
): Promise<T[]> {
  const rows = await db.many<T & { is_record: boolean | null }>(sql`
    select record.* from ${under.from}
    left join lateral (select ${columns}, true as is_record from ${from} order by ${order}) record on true
    where ${under.where}`)
  if (rows.length === 0) throw notFound()
  return rows.filter(row => row.is_record)
}

/**
 * One page of a collection and how many there are, in one statement. The left join keeps the total on a page past the
 * end, and as a join of one row without a condition it keeps the order of its branch. No row at all is no parent.
 */
export async function page<T>(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
  { columns, from, joined, order, count, under = everything(from, count) }: PageOf,
) {
  const part = sql`${from} order by ${order} limit ${limit} offset ${offset}`
  const rowsOfPage = joined
    ? sql`select ${columns}, true as page_row from (select * from ${part}) ${joined.as} ${joined.to} order by ${order}`
    : sql`select ${columns}, true as page_row from ${part}`
  const rows = await db.many<T & { page_total: number; page_row: boolean | null }>(sql`
    select ${under.total} as page_total, page.*
    from ${under.from} left join lateral (${rowsOfPage}) page on true
    where ${under.where}`)
  const [first] = rows
  if (!first) throw notFound()
  const data: T[] = rows.filter(row => row.page_row)
  const isMore = count !== undefined && first.page_total > count.upTo
  const total = isMore ? count.upTo : first.page_total
  return { data, meta: { total, limit, offset, count: data.length, ...(isMore && { total_is_lower_bound: true }) } }
}

function everything(from: Sql, count: PageOf['count']): Parent {
  const counted = count ? sql`(select from ${count.of} limit ${count.upTo + 1}) first_ones` : from
  return { from: sql`(select count(*) as total from ${counted}) counted`, where: sql`true`, total: sql`counted.total` }
}
