import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { ascending, descending, nullsLast, type Order, orderBy, stretches, withoutNulls } from '../http/order.ts'
import type { PartOfOrder } from '../http/pagination.ts'
import { COUNTED_UP_TO, LONGEST_PAGE } from '../http/schema.ts'
import { conditionsOf, type Naming, plain, type ReadFilters, type Sort, unindexed } from './task-filters.ts'

// How a page of many tasks is read. First, the tasks that match are looked up by the filters, as many as are counted. If these
// are all, the page is taken from them. If there are more, matches are frequent in any order, and the page is read in its own
// order. So neither a filter that finds next to nothing nor one that finds nearly everything scans all tasks.

/** Which tasks `k` belong to a collection, before any filter. */
export interface Scope {
  companyId: number
  /** The condition that a task is visible: neither deleted, nor archived where that counts. */
  isVisible: Sql
  /** The id of the project that the URL names. */
  project?: Sql
  /** Projects that the query names. */
  projectIds?: number[]
}

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

/** The columns needed to sort a task. */
function keys({ sort }: ReadFilters): Sql {
  if (sort.endsWith('created')) return id
  return sql`${id}, ${sort.endsWith('due') ? due : updated}`
}

/** What `page` needs to know. The records are `k`, and have only their keys. */
export function pageOfTasks(scope: Scope, filters: ReadFilters) {
  const order = ORDERS[filters.sort]
  return {
    given: sql`with found as materialized (${found(scope, filters)}),
      counted as materialized (select count(*) as total from found)`,
    from: sql`found`,
    order,
    count: { of: sql`found`, upTo: COUNTED_UP_TO },
    readPart: (part: PartOfOrder) => readPart(scope, filters, order, part),
  }
}

/** The tasks that match, up to one more than are counted. The order decides which index is used. */
function found(scope: Scope, filters: ReadFilters): Sql {
  const { completed, due_from, due_to, overdueOn, updated_since, completed_since } = filters
  const some = (more: Sql) =>
    sql`(select ${keys(filters)} from ${tasks(scope, filters, plain)} ${more} limit ${oneMore})`
  const assignees = assigneesIn(filters)
  // Several projects or assignees each have their own place in an index.
  if (scope.projectIds || assignees > 1) return some(empty)
  if (assignees === 1) return some(sql`order by k.assignee_id, k.completed, k.due_at, k.id`)
  const isDue = (due_from ?? due_to ?? overdueOn) !== undefined
  const isSince = (updated_since ?? completed_since) !== undefined
  if (isSince && !isDue) return some(sql`order by k.updated_at, k.id`)
  if (!isDue && completed === undefined) return some(sql`order by k.completed, k.due_at, k.id`)
  const states = statesOf(completed).map(state => some(sql`${state} order by k.due_at, k.id`))
  return sql`select * from (${join(states, ' union all ')}) k limit ${oneMore}`
}

const oneMore = raw(String(COUNTED_UP_TO + 1))

/** The indexes by due date keep open and completed tasks apart. */
function statesOf(completed: boolean | undefined): Sql[] {
  return completed === undefined ? [sql`and not k.completed`, sql`and k.completed`] : [empty]
}

function tasks({ companyId, isVisible, project, projectIds }: Scope, filters: ReadFilters, name: Naming): Sql {
  const conditions = [sql`k.company_id = ${companyId}`]
  if (project) conditions.push(sql`k.project_id = ${project}`)
  if (projectIds) conditions.push(sql`${name('project_id')} = any (${projectIds}::bigint[])`)
  conditions.push(...conditionsOf(companyId, filters, name), isVisible)
  return sql`tasks k where ${join(conditions, ' and ')}`
}

function readPart(scope: Scope, filters: ReadFilters, order: Order, { after, limit, offset }: PartOfOrder): Sql {
  const parts = stretches(order, after)
  const upTo = limit + offset
  const few = sql`(select * from found k where ${isAll} and (${join(parts, ' or ')}) order by ${orderBy(order)} limit ${upTo})`
  const states = filters.sort.endsWith('due') ? statesOf(filters.completed) : [empty]
  const many = states.flatMap(state =>
    parts.map(part => inOrder(scope, filters, order, sql`${state} and ${part}`, upTo)),
  )
  return sql`select * from (${join([few, ...many], ' union all ')}) k
    order by ${orderBy(order)} limit ${limit} offset ${offset}`
}

const isAll = sql`(select total from counted) <= ${raw(String(COUNTED_UP_TO))}`

function inOrder(scope: Scope, filters: ReadFilters, order: Order, condition: Sql, limit: number): Sql {
  const statement = sql`
    select ${keys(filters)} from ${tasks(scope, filters, namingFor(scope, filters))} ${condition} and not (${isAll})
    order by ${orderBy(orderOfIndex(scope, filters, order))}`
  // PostgreSQL plans a parameterised LIMIT for a tenth of the rows and would sort them, so the inner limit is a constant.
  const most = MOST_WANTED.find(each => limit <= each)
  if (most === undefined) return sql`(${statement} limit ${limit})`
  return sql`(select * from (${statement} limit ${raw(String(most))}) k limit ${limit})`
}

const MOST_WANTED = [LONGEST_PAGE + 1, COUNTED_UP_TO]

/** An index in this order may also serve the condition on its first column. Any other would find rows that have to be sorted. */
function namingFor(scope: Scope, filters: ReadFilters): Naming {
  const isIndexed = {
    due_at: filters.sort.endsWith('due'),
    assignee_id: isByAssignee(scope, filters),
    updated_at: filters.sort.endsWith('updated'),
    project_id: false,
  }
  return column => (isIndexed[column] ? plain : unindexed)(column)
}

/** All tasks have the same assignee, but PostgreSQL does not see that for unassigned ones. */
function orderOfIndex(scope: Scope, filters: ReadFilters, order: Order): Order {
  if (!isByAssignee(scope, filters)) return withoutNulls(order)
  const assignee = sql`k.assignee_id`
  return [order[0]?.isDescending ? descending(assignee) : ascending(assignee), ...withoutNulls(order)]
}

function isByAssignee({ project }: Scope, filters: ReadFilters): boolean {
  return !project && filters.sort.endsWith('due') && assigneesIn(filters) === 1
}

/** Unassigned tasks count as those of one person. */
function assigneesIn({ emails, unassigned }: ReadFilters): number {
  return emails.length + Number(unassigned)
}
