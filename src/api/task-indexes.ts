import sql, { join, type Sql } from 'sql-template-tag'
import { hasMetadata, peopleOf, type ReadFilters } from './task-filters.ts'

/** Which tasks `k` belong to a collection, before any filter. */
export interface Scope {
  companyId: number
  /** For the tasks of some projects: what follows FROM, with the condition on the projects `p`. */
  projects?: Sql
  /** Whether the tasks of archived projects are left out. */
  hidesArchived: boolean
}

/** By what the indexes of tasks are ordered. Each exists for the company and for its projects, except by assignee and by external id. */
export type OrderedIndex = 'created' | 'updated' | 'due' | 'assignee' | 'external_id'
/** The index of metadata has no order. */
export type Index = OrderedIndex | 'metadata'

/**
 * Reads from each place of an index in which tasks of the collection are. In each of them the columns before those of the order
 * have one value, so that the tasks there are in order: of one project, of one assignee, either open or completed.
 */
export function inEachPlace(index: Index, scope: Scope, filters: ReadFilters, read: (place: Sql) => Sql): Sql[] {
  const { companyId, projects } = scope
  if (index === 'metadata') return withMetadata(scope, filters, read)
  const places: Sql[] = []
  const conditions = [sql`k.company_id = ${companyId}`, isVisible(scope)]
  const isOfCompany = index === 'assignee' || index === 'external_id'
  if (projects && isOfCompany) conditions.push(sql`(k.project_id + 0) = any (array(select p.id from ${projects}))`)
  if (projects && !isOfCompany) {
    places.push(sql`(select p.id from ${projects}) project`)
    conditions.push(sql`k.project_id = project.id`)
  }
  if (index === 'due' || index === 'assignee') {
    places.push(statesOf(filters))
    conditions.push(sql`k.completed = state.completed`)
  }
  if (index === 'external_id') conditions.push(sql`k.external_id = any (${filters.external_id ?? []}::text[])`)
  const all = (more: Sql[], condition: Sql) =>
    each([...places, ...more], read(join([...conditions, condition], ' and ')))
  if (index !== 'assignee') return [all([], sql`true`)]
  const { assignee } = filters
  return [
    all([sql`${peopleOf(companyId, assignee)} person`], sql`k.assignee_id = person.id`),
    all([], sql`k.assignee_id is null and ${assignee?.unassigned ?? false}::boolean`),
  ]
}

/** Asks for company and project as this index has them, and no other: see the migration. */
function withMetadata(scope: Scope, { metadata = {} }: ReadFilters, read: (place: Sql) => Sql): Sql[] {
  const conditions = [
    sql`(k.company_id + 0) = ${scope.companyId} and k.metadata <> '{}' and ${hasMetadata(metadata)}`,
    isVisible(scope),
  ]
  if (!scope.projects) return [each([], read(join(conditions, ' and ')))]
  const place = join([...conditions, sql`(k.project_id + 0) = project.id`], ' and ')
  return [each([sql`(select p.id from ${scope.projects}) project`], read(place))]
}

function each(places: Sql[], tasks: Sql): Sql {
  if (places.length === 0) return sql`(${tasks})`
  return sql`(select k.* from ${join(places, ' cross join ')} cross join lateral (${tasks}) k)`
}

/** The indexes by due date keep open and completed tasks apart. */
function statesOf({ completed }: ReadFilters): Sql {
  return sql`(select each.completed from (values (false), (true)) each (completed)
    where ${completed === undefined}::boolean or each.completed = ${completed ?? null}::boolean) state`
}

/** The tables of WITH that `isVisible` needs: what is deleted or, where that is hidden, archived. Such ids are few. */
export function hiddenParents({ companyId, projects, hidesArchived }: Scope): Sql[] {
  const ids = (table: Sql) => sql`select id from ${table} where company_id = ${companyId}`
  const lists = sql`hidden_lists as materialized (${ids(sql`task_lists`)} and deleted_at is not null)`
  if (projects) return [lists]
  const ofCompany = sql`hidden_projects as materialized (${ids(sql`projects`)} and deleted_at is not null
    union all ${ids(sql`projects`)} and archived and ${hidesArchived}::boolean)`
  return [lists, ofCompany]
}

/** The condition that the list and project of a task `k` are not hidden. */
export function isVisible({ projects }: Pick<Scope, 'projects'>): Sql {
  const isInList = sql`k.task_list_id not in (select id from hidden_lists)`
  return projects ? isInList : sql`${isInList} and k.project_id not in (select id from hidden_projects)`
}
