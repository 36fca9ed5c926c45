import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { isInSight } from '../domain/access/sight.ts'
import { unprocessable } from '../domain/errors.ts'
import { say } from '../domain/sentences/sentences.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import { page } from '../http/answers/pagination.ts'
import { BoundedCollection, Paging } from '../http/answers/schema.ts'
import { bareSlug } from '../lib/slug.ts'
import { excerpt } from '../lib/text.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject, underProject } from './projects.ts'
import { ProjectFilters, type ReadFilters, readFilters, TaskFilters } from './task-filters.ts'
import type { Scope } from './task-indexes.ts'
import { pageOfTasks } from './task-pages.ts'
import { columns, type ReadTask, Task, tasksOf, toAnswer } from './task-record.ts'

const FILTERS =
  'Filters narrow it together; one that cannot be read is 422. `meta.total` is exact up to 10,000, then `meta.total_is_lower_bound` is true. With a cursor it may be that of the first page.'

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
  run: call => pageOfCompany(call, readFilters(call, call.query)),
})

interface CompanyQuery extends Type.Static<Type.TObject<typeof Paging>> {
  project: string[]
  include_archived?: boolean
}

/** Tasks across the projects that a query names, or all that the caller sees. */
export async function pageOfCompany(call: Call & { query: CompanyQuery }, filters: ReadFilters) {
  const { company, query } = call
  const hidesArchived = !query.include_archived && query.project.length === 0
  const named = query.project.length > 0 ? await findProjects(call, query.project) : undefined
  const scope = { companyId: company.id, hidesArchived, ...projectsAmong(call, named, hidesArchived) }
  return listed(call, scope, filters, { from: sql`counted`, where: sql`true` })
}

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
    const { from, where } = underProject(call, params.project)
    const scope = { companyId: company.id, hidesArchived: false, projects: sql`${from} where ${where}` }
    return listed(call, scope, readFilters(call, query), { from: sql`${from} cross join counted`, where })
  },
})

async function listed(
  { db, query }: Call & { query: Type.Static<Type.TObject<typeof Paging>> },
  scope: Scope,
  filters: ReadFilters,
  under: { from: Sql; where: Sql },
) {
  const { data, meta } = await page<ReadTask>(db, query, {
    ...pageOfTasks(scope, filters, query.cursor),
    under: { ...under, total: sql`counted.total` },
    columns,
    joined: { as: sql`k`, to: tasksOf(sql`k.id`, scope.companyId) },
  })
  return { data: await inPieces(scope.companyId, data, toAnswer), meta }
}

/** What follows FROM, for the projects `p` whose tasks are meant: those that the query names, or all in sight. Without it, all of the company. */
function projectsAmong(call: Call, named: number[] | undefined, hidesArchived: boolean): { projects?: Sql } {
  if (!named && call.sight === 'company') return {}
  const isMeant = named ? sql`and p.id = any (${named}::bigint[])` : hidesArchived ? sql`and not p.archived` : empty
  return { projects: sql`projects p where p.company_id = ${call.company.id} and ${isInSight(call)} ${isMeant}` }
}

/** The ids of the projects with these refs or slugs. An unknown one is refused. */
async function findProjects(call: Call, names: string[]): Promise<number[]> {
  const { db, company } = call
  const handles = names.map(name => name.normalize('NFC'))
  const slugs = names.map(bareSlug)
  const found = await db.many<{ id: number | null }>(sql`
    select p.id from unnest(${handles}::text[], ${slugs}::text[]) with ordinality named (handle, bare, n)
    left join lateral (
      select p.id from projects p where p.company_id = ${company.id} and ${isInSight(call)} and p.id = coalesce(
        (select of_ref.id from projects of_ref where of_ref.company_id = ${company.id} and of_ref.ref = handle),
        (select record_id from taken_slugs
         where company_id = ${company.id} and kind = 'project' and parent_id = 0 and slug = handle),
        (select record_id from taken_slugs
         where company_id = ${company.id} and kind = 'project' and parent_id = 0 and slug = bare))) p on true
    order by n`)
  const missing = found.findIndex(({ id }) => id === null)
  if (missing >= 0)
    throw unprocessable('project', say('{name} names no project', { name: excerpt(names[missing] ?? '') }))
  return found.flatMap(({ id }) => id ?? [])
}
