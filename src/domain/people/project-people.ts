import sql, { type Sql } from 'sql-template-tag'
import { isOpenTo } from '../access/sight.ts'

/** The condition that `u` can be assigned work in a project: anyone active in a public one, the members of a private one. */
export function isAssignable(companyId: number, projectId: number | Sql): Sql {
  return sql`u.company_id = ${companyId} and u.active and exists (
    select from projects its where its.company_id = u.company_id and its.id = ${projectId} and ${isOpenTo(sql`u.id`, 'its')})`
}
