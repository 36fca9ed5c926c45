import sql, { join, type Sql } from 'sql-template-tag'
import { peopleOf, type ReadFilters } from './task-filters.ts'

/** Which tasks `k` belong to a collection, before any filter. */
export interface Scope {
  companyId: number
  /** For the tasks of some projects: what follows FROM, with the condition on the projects `p`. */
  projects?: Sql
  /** Whether the tasks of archived projects are left out. */
  hidesArchived: boolean
}

/** By what the indexes of tasks are ordered. Each exists for the company and for its projects, except by assignee. */
export type Index = 'created' | 'updated' | 'due' | 'assignee'

/**
 * Reads from each place of an index in which tasks of the collection are. In each of them the columns before those of the order
 * have one value, so that the tasks there are in order: of one project, of one assignee, either open or completed.
 */
export function inEachPlace(index: Index, scope: Scope, filters: ReadFilters, read: (place: Sql) => Sql): Sql[] {
  const { companyId, projects } = scope
  const places: Sql[] = []
  const conditions = [sql`k.company_id = ${companyId}`, isVisible(scope)]
  if (projects && index === 'assignee')
    conditions.push(sql`(k.project_id + 0) = any (array(select p.id from ${projects}))`)
  if (projects && index !== 'assignee') {
    places.push(sql`(select p.id from ${projects}) project`)
    conditions.push(sql`k.project_id = project.id`)
  }
  if (index === 'due' || index === 'assignee') {
    places.push(statesOf(filters))
    conditions.push(sql`k.completed = state.completed`)
  }
  const all = (more: Sql[], condition: Sql) =>
    each([...places, ...more], read(join([...conditions, condition], ' and ')))
  if (index !== 'assignee') return [all([], sql`true`)]
  const { assignee } = filters
  return [
    all([sql`${peopleOf(companyId, assignee)} person`], sql`k.assignee_id = person.id`),
    all([], sql`k.assignee_id is null and ${assignee?.unassigned ?? false}::boolean`),
  ]
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
