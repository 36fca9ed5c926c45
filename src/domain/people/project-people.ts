import sql, { type Sql } from 'sql-template-tag'

/** The condition that `u` can be assigned work in a project: anyone active in a public one, the members of a private one. */
export function isAssignable(companyId: number, projectId: number | Sql): Sql {
  return sql`u.company_id = ${companyId} and u.active and exists (
    select from projects its where its.company_id = u.company_id and its.id = ${projectId} and (its.is_public or exists (
      select from project_members m where m.company_id = u.company_id and m.project_id = its.id and m.user_id = u.id)))`
}
