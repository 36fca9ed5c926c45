import sql, { empty } from 'sql-template-tag'
import Type from 'typebox'
import { Project, projectColumns } from '../api/projects.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Paging } from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { adminEndpoint } from './gate.ts'

/** Nobody needs a longer text: people type a word or two to find a project. */
const LONGEST_QUESTION = 255

export const listCompanyProjects = adminEndpoint({
  name: 'list_projects',
  since: '1.4.0',
  operation: 'projects:read',
  who: 'leaders',
  summary: 'List the projects of a company',
  description:
    'Newest first, archived ones included. `q` finds projects by name, with the same spelling rules as search.',
  method: 'GET',
  at: ['/companies/:company/projects'],
  query: Type.Object({ q: Type.Optional(Type.String({ description: 'Part of the name' })), ...Paging }),
  returns: Collection(Project),
  run: ({ db, companyId, query }) =>
    page<Type.Static<typeof Project>>(db, query, {
      columns: projectColumns,
      from: sql`projects p where p.company_id = ${companyId} and p.deleted_at is null ${nameContains(query.q)}`,
      order: [descending(sql`p.id`)],
    }),
})

/** As search normalises it, a name has no character that is special to LIKE. A text without letters finds nothing. */
function nameContains(q = '') {
  if (q.trim() === '') return empty
  const wanted = sql`left(search_name(${q}), ${LONGEST_QUESTION})`
  return sql`and ${wanted} <> '' and p.search_name like '%' || ${wanted} || '%'`
}
