import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Cursor } from '../http/requests/cursor.ts'
import { descending, isAfter, orderBy, type Values, valuesIn, valuesOf } from '../http/requests/order.ts'

/**
 * How many entries are examined for a page, and for the total. The filters have no index, and a company may have millions of
 * entries: a page that finds too few among these ends there, and its cursor leads on.
 */
const LOOKED_AT = 10_000
const most = raw(String(LOOKED_AT))

/** The order of the primary key: transactions in the order in which they began to write, and then their entries. */
const NEWEST_FIRST = [descending(sql`c.tx`, 'xid8'), descending(sql`c.id`)]
const newestFirst = orderBy(NEWEST_FIRST)

interface Asked {
  limit: number
  offset: number
  cursor: Cursor
}

interface ChangesWanted {
  companyId: number
  /** Where to begin: a condition on the transaction of the change `c`. */
  begin: Sql
  /** Where to end: false for a change that is older than all that are wanted. */
  reach: Sql
  /** The condition that is checked entry by entry. */
  filter: Sql
  columns: Sql
}

interface Found {
  total: number
  is_cut: boolean
  /** The position of the last entry that was examined, if there may be more. */
  reached: Values | null
  page_row: boolean | null
}

export async function pageOfChanges<T extends object>(db: Db, { limit, offset, cursor }: Asked, wanted: ChangesWanted) {
  const { begin, filter, columns } = wanted
  const after = cursor.after(NEWEST_FIRST)
  const skipped = after ? 0 : offset
  const rows = await db.many<T & Found>(sql`
    with newest as materialized (${entriesFrom(begin, wanted)}),
    looked_at as materialized (${after ? entriesFrom(isAfter(NEWEST_FIRST, after), wanted) : sql`select * from newest`})
    select counted.*, page.*,
      (select array[c.tx::text, c.id::text] from looked_at c order by ${newestFirst} offset ${most}) as reached
    from (select least(count(*) filter (where ${filter}), ${most}) as total, count(*) > ${most} as is_cut from newest c) counted
    left join lateral (
      select ${columns}, true as page_row, ${valuesIn(NEWEST_FIRST)}
      from (select * from looked_at c where ${filter} order by ${newestFirst} limit ${limit + 1} offset ${skipped}) c
      order by ${newestFirst}) page on true`)
  const read = rows.filter(row => row.page_row)
  const data: T[] = read.slice(0, limit)
  const last = read.length > limit ? valuesOf(NEWEST_FIRST, data.at(-1) as T) : rows[0]?.reached
  const meta = {
    total: rows[0]?.total ?? 0,
    limit,
    offset: skipped,
    count: data.length,
    next_cursor: last ? cursor.next(NEWEST_FIRST, last) : null,
    ...(rows[0]?.is_cut && { total_is_lower_bound: true }),
  }
  return { data, meta }
}

/**
 * Has a single condition on the transaction. With two, PostgreSQL would expect few entries, and would read and sort all of
 * them.
 */
function entriesFrom(begin: Sql, { companyId, reach }: ChangesWanted): Sql {
  return sql`select * from (
    select * from changes c where c.company_id = ${companyId} and ${begin} order by ${newestFirst} limit ${most} + 1) c
    where ${reach}`
}
