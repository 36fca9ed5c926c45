import sql from 'sql-template-tag'
import { ROLES } from '../domain/access/roles.ts'
import { linkName } from '../domain/people/sign-in-links.ts'
import type { AdminCall, Person } from './gate.ts'

type Rights = Pick<Person, 'role' | 'can_manage_api_keys'>

/** True when somebody may do more than before. */
export function gainsRights(before: Rights, after: Rights): boolean {
  const rank = ({ role }: Rights) => ROLES.length - ROLES.indexOf(role)
  return rank(after) > rank(before) || (after.can_manage_api_keys && !before.can_manage_api_keys)
}

/**
 * Ends the tokens, the links with the identity provider, the sessions and the open codes of a person who gains rights: somebody
 * else may have got hold of one of them, and would gain the rights too. Only the credential of this call stays. The caller has locked the person. Returns how many
 * tokens have ended.
 */
export async function startAfresh(
  { db, digest, audit }: AdminCall,
  companyId: number,
  userId: number,
): Promise<number> {
  const isOwn = sql`(t.digest = ${digest} or exists (
    select from console_sessions s where s.company_id = t.company_id and s.token_id = t.id and s.digest = ${digest}))`
  const ofPerson = sql`t.company_id = ${companyId} and t.user_id = ${userId}`
  const ended = await db.many<{ id: number; name: string }>(
    sql`delete from personal_tokens t where ${ofPerson} and not ${isOwn} returning t.id, t.name`,
  )
  await db.run(sql`
    delete from console_sessions s using personal_tokens t
    where ${ofPerson} and s.company_id = t.company_id and s.token_id = t.id and s.digest <> ${digest}`)
  const hasOwnSession = sql`exists (
    select from console_sessions s where s.company_id = l.company_id and s.link_id = l.id and s.digest = ${digest})`
  const ofAccount = sql`l.company_id = ${companyId} and l.user_id = ${userId}`
  await db.run(sql`
    delete from console_sessions s using sign_in_links l
    where ${ofAccount} and s.company_id = l.company_id and s.link_id = l.id and s.digest <> ${digest}`)
  const undone = await db.many<{ id: number; name: string }>(
    sql`delete from sign_in_links l where ${ofAccount} and not ${hasOwnSession} returning l.id, ${linkName} as name`,
  )
  for (const { id, name } of undone)
    audit({ target: { type: 'sign_in_link', id, name }, changes: { revoked_at: null } })
  await db.run(sql`delete from invitations where company_id = ${companyId} and user_id = ${userId}`)
  for (const { id, name } of ended) audit({ target: { type: 'token', id, name }, changes: { revoked_at: null } })
  return ended.length
}
