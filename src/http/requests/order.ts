import sql, { join, raw, type Sql } from 'sql-template-tag'

/** The types that the columns of an order can have. */
type ColumnType = 'bigint' | 'text' | 'date' | 'timestamptz' | 'uuid' | 'xid8'

interface OrderColumn {
  by: Sql
  type: ColumnType
  isDescending: boolean
  /** Records without a value come last, in either direction. Only the first column of an order can be nullable. */
  isNullable: boolean
}

/** The order of a collection. It must be total: no two records have the same values in all of its columns. */
export type Order = OrderColumn[]

/** The values of a record in the columns of an order, as PostgreSQL writes them. */
export type Values = (string | null)[]

const column = (by: Sql, type: ColumnType, isDescending: boolean): OrderColumn => ({
  by,
  type,
  isDescending,
  isNullable: false,
})
export const ascending = (by: Sql, type: ColumnType = 'bigint') => column(by, type, false)
export const descending = (by: Sql, type: ColumnType = 'bigint') => column(by, type, true)
export const nullsLast = (each: OrderColumn): OrderColumn => ({ ...each, isNullable: true })

/** What follows ORDER BY. */
export function orderBy(order: Order): Sql {
  const columns = order.map(({ by, isDescending, isNullable }) => {
    if (!isDescending) return by
    return isNullable ? sql`${by} desc nulls last` : sql`${by} desc`
  })
  return join(columns, ', ')
}

/** The select list for a record's values; `valuesOf` reads them from the row. */
export function valuesIn(order: Order): Sql {
  return join(
    order.map(({ by }, n) => sql`(${by})::text as ${raw(`page_value_${n}`)}`),
    ', ',
  )
}
export function valuesOf(order: Order, row: object): Values {
  const values = new Map(Object.entries(row))
  return order.map((_, n) => values.get(`page_value_${n}`))
}

/** Which records of an order are wanted, by its first column: from the lowest value to the highest, and whether without any. */
export interface Bounds {
  lowest: string
  highest: string
  includesNulls: boolean
}

/**
 * Splits a collection, or what comes after a record in it, into consecutive parts: the records with a value in the first
 * column, and those without. Each part is a range of an index on the columns of the order, in either direction. Together they
 * are not, because an index that is read backwards returns the nulls first. Where the parts begin is in the values only, so
 * that the first page and those after it are the same statement.
 */
export function stretches(order: Order, { lowest, highest, includesNulls }: Bounds, after?: Values): Sql[] {
  const [first, ...rest] = order
  if (!first) return [sql`true`]
  const [begin, end] = first.isDescending ? [highest, lowest] : [lowest, highest]
  const isAmongNulls = after?.[0] === null
  const from = isAmongNulls ? outermost(order, 'last') : (after ?? [begin, ...outermost(rest, 'first')])
  const withValue = sql`${isAfter(order, from)} and ${first.by} ${raw(first.isDescending ? '>=' : '<=')} ${typed(end, first.type)}`
  if (!first.isNullable) return [withValue]
  const fromNull = isAmongNulls ? after.slice(1) : outermost(rest, includesNulls ? 'first' : 'last')
  return [withValue, sql`${first.by} is null and ${isAfter(rest, fromNull)}`]
}

const LOWEST = { bigint: '0', date: '-infinity', timestamptz: '-infinity', text: '', uuid: '', xid8: '' }
const HIGHEST = { ...LOWEST, bigint: '9223372036854775807', date: 'infinity', timestamptz: 'infinity' }

/** Values that come before those of the first record, or after those of the last. */
function outermost(order: Order, end: 'first' | 'last'): Values {
  return order.map(({ type, isDescending }) => ((end === 'first') === isDescending ? HIGHEST : LOWEST)[type])
}

/**
 * The condition that a record comes after the one with these values. PostgreSQL uses an index range for a comparison of rows.
 * In mixed directions there is no such comparison, and only the first column gives a range.
 */
export function isAfter(order: Order, values: Values): Sql {
  const [first] = order
  const isUniform = order.every(({ isDescending }) => isDescending === first?.isDescending)
  if (!isUniform) return sql`${compared(order, values, '=')} and (${isBeyond(order, values)})`
  const columns = join(order.map(({ by }) => by))
  const bounds = join(order.map(({ type }, n) => typed(values[n], type)))
  return sql`(${columns}) ${raw(first?.isDescending ? '<' : '>')} (${bounds})`
}

function isBeyond([first, ...rest]: Order, [value = null, ...values]: Values): Sql {
  if (!first) return sql`false`
  const beyond = compared([first], [value])
  if (rest.length === 0) return beyond
  return sql`${beyond} or (${first.by} = ${typed(value, first.type)} and (${isBeyond(rest, values)}))`
}

/** Compares the first column with its value: beyond it, or with `=` at or beyond it. */
function compared([first]: Order, [value]: Values, orEqual: '' | '=' = ''): Sql {
  if (!first) return sql`true`
  return sql`${first.by} ${raw((first.isDescending ? '<' : '>') + orEqual)} ${typed(value, first.type)}`
}

function typed(value: string | null | undefined, type: ColumnType): Sql {
  return sql`${value}::${raw(type)}`
}
