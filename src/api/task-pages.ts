import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { countedTasks } from '../domain/records/counts.ts'
import type { PartOfOrder } from '../http/answers/pagination.ts'
import { COUNTED_UP_TO, LONGEST_PAGE } from '../http/answers/schema.ts'
import type { Cursor } from '../http/requests/cursor.ts'
import {
  ascending,
  type Bounds,
  descending,
  nullsLast,
  type Order,
  orderBy,
  stretches,
} from '../http/requests/order.ts'
import { conditionsExcept, type Filter, givenFilters, type ReadFilters, type Sort } from './task-filters.ts'
import { hiddenParents, type Index, inEachPlace, type OrderedIndex, type Scope } from './task-indexes.ts'

// How a page of many tasks is read.
//
// A page whose filters are all served by the index of its order is read from that index. For any other, the tasks that match
// are first looked up by the filters, as many as are counted. If these are all, the page is taken from them. If there are
// more, matches are frequent in any order, and the page is read in its own order. So neither a filter that finds next to
// nothing nor one that finds nearly everything scans all tasks.
//
// The total of what is not filtered, or by `completed` only, is known from the counts. Any other is counted, for the first page;
// later pages get it with their cursor, unless what is counted is read anyway.

const id = sql`k.id`
const due = sql`k.due_at`
const updated = sql`k.updated_at`

/** Creation order is the order of the ids. */
const ORDERS: Record<Sort, Order> = {
  created: [ascending(id)],
  '-created': [descending(id)],
  due: [nullsLast(ascending(due, 'date')), ascending(id)],
  '-due': [nullsLast(descending(due, 'date')), descending(id)],
  updated: [ascending(updated, 'timestamptz'), ascending(id)],
  '-updated': [descending(updated, 'timestamptz'), descending(id)],
}

/** The filters that are conditions on the columns of an index, before or among those of its order. */
const SERVED: Record<OrderedIndex, Filter[]> = {
  created: [],
  updated: ['updated_since'],
  due: ['completed', 'due'],
  assignee: ['assignee', 'completed', 'due'],
  external_id: [],
}

/** What `page` needs to know. The records are `k`, and have only their keys. */
export function pageOfTasks(scope: Scope, filters: ReadFilters, cursor: Cursor) {
  const order = ORDERS[filters.sort]
  const index = indexOfOrder(scope, filters)
  const given = givenFilters(filters)
  const isLookedUp = filters.external_id !== undefined
  const isInOrder = !isLookedUp && given.every(name => SERVED[index].includes(name))
  const isKept = !isLookedUp && given.every(name => name === 'completed')
  const carried = isKept ? undefined : cursor.total(order)
  const tables = hiddenParents(scope)
  if (!(isInOrder && isKept)) tables.push(sql`found as materialized (${found(scope, filters)})`)
  tables.push(sql`counted as materialized (${isKept ? keptTotal(scope, filters) : countedTotal(carried, isInOrder)})`)
  return {
    given: sql`with ${join(tables)}`,
    from: sql`found`,
    order,
    count: { of: sql`found`, upTo: COUNTED_UP_TO, isCarried: !isKept },
    readPart: (part: PartOfOrder) => {
      const upTo = part.limit + part.offset
      const parts = stretches(order, boundsOf(filters), part.after)
      // External ids find so little that the page is always taken from it.
      const ways = isLookedUp
        ? []
        : parts.flatMap(stretch => inOrder(scope, filters, { order, index, stretch, isInOrder, upTo }))
      if (!isInOrder)
        ways.push(sql`(select * from found k where ${isFromFound} and (${join(parts, ' or ')})
          order by ${orderBy(order)} limit ${upTo})`)
      return sql`select * from (${join(ways, ' union all ')}) k
        order by ${orderBy(order)} limit ${part.limit} offset ${part.offset}`
    },
  }
}

function indexOfOrder({ projects }: Scope, { sort, assignee }: ReadFilters): OrderedIndex {
  if (sort.endsWith('created')) return 'created'
  if (sort.endsWith('updated')) return 'updated'
  return assignee && !projects ? 'assignee' : 'due'
}

/** The filters on the first column of the order. */
function boundsOf({ sort, due, updated_since = '-infinity' }: ReadFilters): Bounds {
  if (sort.endsWith('created')) return { lowest: '0', highest: String(2n ** 63n - 1n), includesNulls: false }
  if (sort.endsWith('updated')) return { lowest: updated_since, highest: 'infinity', includesNulls: false }
  return { lowest: due?.from ?? '-infinity', highest: due?.to ?? 'infinity', includesNulls: !due }
}

const mostCounted = raw(String(COUNTED_UP_TO))
const oneMore = raw(String(COUNTED_UP_TO + 1))
const isFromFound = sql`(select is_from_found from counted)`

/** The tasks of a completed or open state are taken from those found if they are few, also compared with all tasks. */
function keptTotal(scope: Scope, { completed }: ReadFilters): Sql {
  const state = sql`${completed ?? null}::boolean`
  return sql`select total, total <= ${mostCounted} and 2 * total < tasks as is_from_found
    from (select tasks, case when ${state} then completed_tasks when not ${state} then tasks - completed_tasks else tasks end as total
      from ${countedTasks(scope, completed, COUNTED_UP_TO)}) kept`
}

/** A total that says that there are more than are counted spares the count, any other only where found tasks are not needed. */
function countedTotal(carried: number | undefined, isInOrder: boolean): Sql {
  const isKnown = carried !== undefined && (isInOrder || carried > COUNTED_UP_TO)
  return sql`select total, total <= ${mostCounted} as is_from_found
    from (select coalesce(${isKnown ? carried : null}::bigint, (select count(*) from found)) as total offset 0) of_first_page`
}

/** The columns needed to sort a task. */
function keys({ sort }: ReadFilters): Sql {
  if (sort.endsWith('created')) return id
  return sql`${id}, ${sort.endsWith('due') ? due : updated}`
}

/** The tasks that match, up to one more than are counted. The order decides which index is used. */
function found(scope: Scope, filters: ReadFilters): Sql {
  const index = indexOfFilters(filters)
  const conditions = conditionsExcept(UNREAD[index], scope.companyId, filters)
  if (index === 'updated')
    conditions.push(sql`k.updated_at between ${filters.updated_since}::timestamptz and 'infinity'::timestamptz`)
  else if (index !== 'metadata') {
    // These are in the indexes, and the moment of completion is not: it is read from the tasks only where it matters.
    if (filters.due) conditions.push(sql`k.due_at between ${filters.due.from}::date and ${filters.due.to}::date`)
    if (filters.completed_since) conditions.push(sql`k.completed_at >= ${filters.completed_since}::timestamptz`)
  }
  const by = orderOf(index)
  const ways = inEachPlace(
    index,
    scope,
    filters,
    place =>
      sql`select ${keys(filters)} from tasks k where ${join([place, ...conditions], ' and ')}
      ${by} limit ${oneMore}`,
  )
  return sql`select * from (${join(ways, ' union all ')}) k limit ${oneMore}`
}

function orderOf(index: Index): Sql {
  if (index === 'metadata') return empty
  const by = index === 'updated' ? updated : due
  return sql`order by ${orderBy(inPlace(index, [ascending(by), ascending(id)]))}`
}

/** The index in which the tasks that match are few and together. */
function indexOfFilters({ external_id, assignee, metadata, due, updated_since }: ReadFilters): Index {
  // A person has fewer tasks than some values of a key, but nobody may have most of them.
  if (external_id) return 'external_id'
  if (assignee && !(metadata && assignee.unassigned)) return 'assignee'
  if (metadata) return 'metadata'
  return updated_since !== undefined && !due ? 'updated' : 'due'
}

/** The filters for which `found` has no condition on other columns of the index. */
const UNREAD: Record<Index, Filter[]> = {
  created: [],
  updated: ['assignee', 'due', 'updated_since'],
  due: ['assignee', 'completed', 'due', 'completed_since'],
  assignee: ['assignee', 'completed', 'due', 'completed_since'],
  external_id: ['due', 'completed_since'],
  metadata: ['metadata'],
}

interface InOrder {
  order: Order
  index: OrderedIndex
  stretch: Sql
  isInOrder: boolean
  upTo: number
}

/** The first tasks of a stretch, read from the index of the order. */
function inOrder(scope: Scope, filters: ReadFilters, { order, index, stretch, isInOrder, upTo }: InOrder): Sql[] {
  const others = isInOrder
    ? []
    : [...conditionsExcept(SERVED[index], scope.companyId, filters), sql`not ${isFromFound}`]
  // PostgreSQL plans a parameterised LIMIT for a tenth of the rows and would sort them, so the inner limit is a constant.
  const most = MOST_WANTED.find(each => upTo <= each)
  return inEachPlace(index, scope, filters, place => {
    const tasks = sql`select ${keys(filters)} from tasks k where ${join([place, stretch, ...others], ' and ')}
      order by ${orderBy(inPlace(index, order))}`
    if (most === undefined) return sql`${tasks} limit ${upTo}`
    return sql`select * from (${tasks} limit ${raw(String(most))}) k limit ${upTo}`
  })
}

/** The order within one place of an index. All tasks have the same assignee, but PostgreSQL does not see that for unassigned ones. */
function inPlace(index: Index, order: Order): Order {
  const columns = order.map(column => ({ ...column, isNullable: false }))
  const assignee = sql`k.assignee_id`
  if (index !== 'assignee') return columns
  return [order[0]?.isDescending ? descending(assignee) : ascending(assignee), ...columns]
}

const MOST_WANTED = [LONGEST_PAGE + 1, COUNTED_UP_TO]
