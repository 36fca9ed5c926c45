import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Caller } from './caller.ts'

/** Who looks something up: everything that a caller sees is decided from this. */
export type Viewer = { company: Pick<Caller['company'], 'id'>; signer: Pick<Caller['signer'], 'id'> } & Pick<
  Caller,
  'sight'
>

/** Sees every project of a company, as its keys and its leaders do. */
export function everythingIn(companyId: number): Viewer {
  return { company: { id: companyId }, signer: { id: 0 }, sight: 'company' }
}

/**
 * The condition that a project is there for the viewer: it is not deleted, and a member sees public ones and those they belong
 * to. The only place that decides this: what lies in a project is looked up together with it.
 */
export function isInSight(viewer: Viewer, as = 'p'): Sql {
  const isThere = sql`${raw(as)}.deleted_at is null`
  return viewer.sight === 'company' ? isThere : sql`${isThere} and ${isOpenTo(sql`${viewer.signer.id}::bigint`, as)}`
}

/**
 * What follows the other conditions on a record that is looked up without its project: that a member sees the project. Nothing
 * for those who see them all.
 */
export function andSeen(viewer: Viewer, record: string): Sql {
  if (viewer.sight === 'company') return empty
  const r = raw(record)
  return sql`and exists (
    select from projects its where its.company_id = ${r}.company_id and its.id = ${r}.project_id and ${isInSight(viewer, 'its')})`
}

/** The condition that a member sees a project, whether it is deleted or not. */
export function isOpenTo(member: Sql, as = 'p'): Sql {
  const p = raw(as)
  return sql`(${p}.is_public or exists (
    select from project_members sees where sees.company_id = ${p}.company_id and sees.project_id = ${p}.id and sees.user_id = ${member}))`
}
