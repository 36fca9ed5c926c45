import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { unprocessable } from '../domain/errors.ts'
import { page } from '../http/pagination.ts'
import { BoundedCollection, Paging } from '../http/schema.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject, underProject } from './projects.ts'
import { ProjectFilters, readFilters, readFlag, severalOf, TaskFilters } from './task-filters.ts'
import { pageOfTasks, type Scope } from './task-pages.ts'
import { assignee, columns, type ReadTask, Task, toAnswer } from './task-record.ts'

const FILTERS =
  'Filters narrow it together; one that cannot be read is 422. `meta.total` is exact up to 10,000, then `meta.total_is_lower_bound` is true.'

export const listCompanyTasks = endpoint({
  name: 'list_company_tasks',
  tool: 'find_tasks',
  since: '1.5.0',
  operation: 'tasks:read',
  summary: 'List the tasks of the company',
  description: `Across all projects that are not archived. ${FILTERS}`,
  method: 'GET',
  at: ['/company/tasks'],
  query: Type.Object({ ...TaskFilters, ...ProjectFilters, ...Paging }),
  refusesQuery: true,
  returns: BoundedCollection(Task),
  async run(call) {
    const { company, query } = call
    const filters = readFilters(call, query)
    const includesArchived = readFlag('include_archived', query.include_archived) ?? false
    const names = severalOf('project', query.project)
    const named = names.length > 0 && { projectIds: await findProjects(call, names) }
    const scope = { companyId: company.id, isVisible: isVisible(company.id, !includesArchived && !named), ...named }
    return listed(call, scope, pageOfTasks(scope, filters), sql`counted`, sql`true`)
  },
})

export const listProjectTasks = endpoint({
  name: 'list_project_tasks',
  since: '1.5.0',
  operation: 'tasks:read',
  summary: 'List the tasks of a project',
  description: `Of all its lists. ${FILTERS}`,
  method: 'GET',
  at: ['/projects/:project/tasks'],
  query: Type.Object({ ...TaskFilters, ...Paging }),
  refusesQuery: true,
  requireParent: findProject,
  returns: BoundedCollection(Task),
  async run(call) {
    const { company, params, query } = call
    const { from, where } = underProject(company.id, params.project)
    const project = sql`(select p.id from ${from} where ${where})`
    const scope = { companyId: company.id, isVisible: isVisible(company.id, false), project }
    return listed(call, scope, pageOfTasks(scope, readFilters(call, query)), sql`${from} cross join counted`, where)
  },
})

async function listed(
  { db, query }: Call & { query: Type.Static<Type.TObject<typeof Paging>> },
  { companyId }: Scope,
  part: ReturnType<typeof pageOfTasks>,
  from: Sql,
  where: Sql,
) {
  const { data, meta } = await page<ReadTask>(db, query, {
    ...part,
    under: { from, where, total: sql`counted.total` },
    columns,
    joined: { as: sql`k`, to: shownWith(companyId) },
  })
  return { data: data.map(toAnswer), meta }
}

/** Looked up row by row, only for the tasks of the page. */
function shownWith(companyId: number): Sql {
  const one = (table: Sql, condition: Sql) =>
    sql`cross join lateral (select * from ${table} where company_id = ${companyId} and id = ${condition} limit 1)`
  return sql`${one(sql`tasks`, sql`k.id`)} t ${one(sql`task_lists`, sql`t.task_list_id`)} l
    ${one(sql`projects`, sql`t.project_id`)} p ${assignee}`
}

/** The condition that the list and project of a task `k` are not deleted nor, if hidden, archived. Such ids are few. */
export function isVisible(companyId: number, hidesArchived: boolean): Sql {
  const ids = (table: Sql) => sql`select id from ${table} where company_id = ${companyId}`
  return sql`k.task_list_id not in (${ids(sql`task_lists`)} and deleted_at is not null)
    and k.project_id not in (${ids(sql`projects`)} and deleted_at is not null)
    ${hidesArchived ? sql`and k.project_id not in (${ids(sql`projects`)} and archived)` : empty}`
}

/** The ids of the projects with these refs or slugs. An unknown one is refused. */
async function findProjects({ db, company }: Call, names: string[]): Promise<number[]> {
  const handles = names.map(name => name.normalize('NFC'))
  const found = await db.many<{ id: number | null }>(sql`
    select p.id from unnest(${handles}::text[]) with ordinality named (handle, n)
    left join lateral (
      select p.id from projects p where p.company_id = ${company.id} and p.deleted_at is null and p.id = coalesce(
        (select of_ref.id from projects of_ref where of_ref.company_id = ${company.id} and of_ref.ref = handle),
        (select record_id from taken_slugs
         where company_id = ${company.id} and kind = 'project' and parent_id = 0 and slug = handle))) p on true
    order by n`)
  const missing = found.findIndex(({ id }) => id === null)
  if (missing >= 0) throw unprocessable('project', `${names[missing]} names no project`)
  return found.flatMap(({ id }) => id ?? [])
}
