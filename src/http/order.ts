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

/**
 * Splits a collection, or what comes after a record in it, into consecutive parts: the records with a value in the first
 * column, and those without. Each part is a range of an index on the columns of the order, in either direction. Together they
 * are not, because an index that is read backwards returns the nulls first.
 */
export function stretches(order: Order, after: Values | undefined): Sql[] {
  const [first, ...rest] = order
  if (!first?.isNullable) return [after ? isAfter(order, after) : sql`true`]
  const isNull = sql`${first.by} is null`
  if (!after) return [sql`${first.by} is not null`, isNull]
  const [value, ...others] = after
  return value === null ? [sql`${isNull} and ${isAfter(rest, others)}`] : [isAfter(order, after), isNull]
}

/** The order within one of these parts. */
export function withoutNulls(order: Order): Order {
  return order.map(each => ({ ...each, isNullable: false }))
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
