import sql, { join, raw, type Sql } from 'sql-template-tag'

/** The types that columns of an order have. */
type ColumnType = 'bigint' | 'text' | 'date' | 'timestamptz' | 'uuid' | 'xid8'

interface OrderColumn {
  by: Sql
  type: ColumnType
  isDescending: boolean
  /** Records without a value come last, in either direction. Only the first column of an order can be one of these. */
  isNullable: boolean
}

/** The order of a collection. It must be total: no two records have the same values in all of its columns. */
export type Order = OrderColumn[]

/** Of a record, the values of the columns of an order, as PostgreSQL writes them. */
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

/** The select list of a record's values, and how they are read from the row. */
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
 * The parts of a collection that follow one another in its order, as far as they come after a record: those with a value in
 * the first column, and those without. Each is a range of an index that has the columns of the order, whatever its
 * direction; together they are not, because an index that is read backwards has the nulls first.
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
 * The condition that a record comes after the one with these values. A comparison of rows is a range of an index. In mixed
 * directions there is none, and the first column alone is the range.
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

/** The first column compared with its value: beyond it, or with `=` not before it. */
function compared([first]: Order, [value]: Values, orEqual: '' | '=' = ''): Sql {
  if (!first) return sql`true`
  return sql`${first.by} ${raw((first.isDescending ? '<' : '>') + orEqual)} ${typed(value, first.type)}`
}

function typed(value: string | null | undefined, type: ColumnType): Sql {
  return sql`${value}::${raw(type)}`
}
