import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { notFound } from '../../domain/errors.ts'
import type { Cursor } from '../requests/cursor.ts'
import { isAfter, type Order, orderBy, type Values, valuesIn, valuesOf } from '../requests/order.ts'

interface PageOf {
  columns: Sql
  /** What follows FROM, with its WHERE. */
  from: Sql
  /** Reads a part of the records in order, where no single index provides this order. Requires `joined`. */
  readPart?: (part: PartOfOrder) => Sql
  /** What is joined only to the records of the page, not to those that are skipped; `from` must then be one table, named `as`. */
  joined?: { as: Sql; to: Sql }
  order: Order
  under?: Parent
  /** What precedes the statement: WITH and its tables. */
  given?: Sql
  /**
   * Where counting everything would take too long: what is counted, and up to which number the total is exact. A total that
   * `isCarried` is given to the next page in its cursor.
   */
  count?: { of: Sql; upTo: number; isCarried?: boolean }
}

/** The record that a collection belongs to. The same statement finds it, and `columns` and `from` may refer to it. */
interface Parent {
  /** What follows FROM. */
  from: Sql
  where: Sql
  /** How many records are under it. */
  total: Sql
}

/** Which records a page takes: `limit` of them, after a record or after `offset` others. */
export interface PartOfOrder {
  after: Values | undefined
  limit: number
  offset: number
}

interface Asked {
  limit: number
  offset: number
  cursor: Cursor
}

/** All records under a parent, in one statement. */
export async function everyRecord<T>(
  db: Db,
  { columns, from, order, under }: { columns: Sql; from: Sql; order: Sql; under: Omit<Parent, 'total'> },
): Promise<T[]> {
  const rows = await db.many<T & { is_record: boolean | null }>(sql`
    select record.* from ${under.from}
    left join lateral (select ${columns}, true as is_record from ${from} order by ${order}) record on true
    where ${under.where}`)
  if (rows.length === 0) throw notFound()
  return rows.filter(row => row.is_record)
}

/**
 * One page of a collection and the total, in one statement. The left join returns the total even for a page past the end, and
 * as a join to one row without a condition it keeps the order of its branch. No row at all means that there is no parent.
 *
 * Without OFFSET 0 PostgreSQL would move the total into the select list and count once for each row of the page.
 */
export async function page<T extends object>(db: Db, { limit, offset, cursor }: Asked, of: PageOf) {
  const { order, count, given = empty, under = everything(of) } = of
  const after = cursor.after(order)
  // One row more than the page needs shows whether there is another page.
  const part = { after, limit: limit + 1, offset: after ? 0 : offset }
  const rows = await db.many<T & { page_total: number; page_row: boolean | null }>(sql`
    ${given} select counted_once.page_total, page.*
    from ${under.from} cross join lateral (select ${under.total} as page_total offset 0) counted_once
    left join lateral (${rowsOfPage(of, part)}) page on true
    where ${under.where}`)
  const [first] = rows
  if (!first) throw notFound()
  const read = rows.filter(row => row.page_row)
  const data: T[] = read.slice(0, limit)
  const last = read.length > limit ? data.at(-1) : undefined
  const isMore = count !== undefined && first.page_total > count.upTo
  const meta = {
    total: isMore ? count.upTo : first.page_total,
    limit,
    offset: part.offset,
    count: data.length,
    next_cursor: last
      ? cursor.next(order, valuesOf(order, last), count?.isCarried ? first.page_total : undefined)
      : null,
    ...(isMore && { total_is_lower_bound: true }),
  }
  return { data, meta }
}

function rowsOfPage({ columns, from, readPart, joined, order }: PageOf, part: PartOfOrder): Sql {
  const shown = sql`${columns}, true as page_row, ${valuesIn(order)}`
  if (!joined) return sql`select ${shown} from ${partOf(from, order, part)}`
  const some = readPart ? readPart(part) : sql`select * from ${partOf(from, order, part)}`
  return sql`select ${shown} from (${some}) ${joined.as} ${joined.to} order by ${orderBy(order)}`
}

function partOf(from: Sql, order: Order, { after, limit, offset }: PartOfOrder): Sql {
  const condition = after ? sql`and ${isAfter(order, after)}` : empty
  return sql`${from} ${condition} order by ${orderBy(order)} limit ${limit} offset ${offset}`
}

function everything({ from, count }: PageOf): Parent {
  const counted = count ? sql`(select from ${count.of} limit ${count.upTo + 1}) first_ones` : from
  return { from: sql`(select count(*) as total from ${counted}) counted`, where: sql`true`, total: sql`counted.total` }
}
