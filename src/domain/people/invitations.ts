import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isHere } from '../cells/where.ts'

/** How the person gets the code. Whoever made the invitation knows one that was shown, and could use it. */
export type InvitationWay = 'mailed' | 'shown'

interface Invited {
  company_id: number
  user_id: number
  way: InvitationWay
}

/** Whose code it is: what was encrypted for one person cannot be decrypted for another. */
export function codePurpose(companyId: number, userId: number): string {
  return `invitation ${companyId} ${userId}`
}

/** Stores a code of a person for seven days. The person has no other that goes the same way. */
export async function storeInvitation(
  tx: Db,
  invitation: Invited & { digest: Buffer; code_to_mail: Buffer | null },
): Promise<{ expires_at: string }> {
  const { company_id, user_id, way, digest, code_to_mail } = invitation
  return tx.one(sql`
    insert into invitations (company_id, user_id, way, digest, expires_at, code_to_mail)
    values (${company_id}, ${user_id}, ${way}, ${digest}, now() + interval '7 days', ${code_to_mail})
    returning expires_at`)
}

/**
 * Uses up a code. The person is locked first, as in every change to people, and the invitation is read after that: of two
 * concurrent uses of one code, the second finds it used.
 */
export async function useInvitation(tx: Db, digest: Buffer): Promise<Invited | undefined> {
  const invited = await tx.maybe<Invited>(
    sql`select i.company_id, i.user_id, i.way from invitations i join companies c on c.id = i.company_id and ${isHere}
      where i.digest = ${digest}`,
  )
  if (!invited) return undefined
  const { company_id, user_id } = invited
  await tx.run(sql`select from users where company_id = ${company_id} and id = ${user_id} for no key update`)
  const used = await tx.run(sql`
    delete from invitations
    where company_id = ${company_id} and user_id = ${user_id} and digest = ${digest} and expires_at > now()`)
  return used > 0 ? invited : undefined
}
