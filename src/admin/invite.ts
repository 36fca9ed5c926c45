import sql from 'sql-template-tag'
import Type from 'typebox'
import { isSandbox } from '../domain/access/sandboxes.ts'
import { codePurpose, type InvitationWay, storeInvitation } from '../domain/people/invitations.ts'
import { notify } from '../domain/people/notifications.ts'
import { Instant, Nullable } from '../http/answers/schema.ts'
import type { AdminCall, Person } from './gate.ts'

export const Invitation = Type.Object({
  code: Nullable(
    Type.String({
      description: 'Valid once, for seven days, and shown once. Null when it is sent to the person by mail only.',
    }),
  ),
  expires_at: Instant(),
})
export const exampleInvitation = { code: 'svc_inv_…', expires_at: '2026-11-22T08:30:00.000Z' }

type Invitee = Pick<Person, 'id' | 'role' | 'can_manage_api_keys'> & { first_token_at: string | null }

/** Plain members may do nothing beyond their own affairs. */
export function isPlain({ role, can_manage_api_keys }: Pick<Person, 'role' | 'can_manage_api_keys'>): boolean {
  return role === 'member' && !can_manage_api_keys
}

/**
 * Invites somebody who has no open code. If mail is set up, the code that is shown is another than the one that is mailed, and
 * it is for newcomers among the plain members only: with it, the caller could take the place of the person.
 */
export async function invite(call: AdminCall, user: Invitee): Promise<Type.Static<typeof Invitation>> {
  const mailed = (await sendsMail(call)) ? await addCode(call, user.id, 'mailed') : undefined
  if (mailed) await mailInvitation(call, user.id)
  const isNewcomer = isPlain(user) && user.first_token_at === null
  return mailed && !isNewcomer ? { ...mailed, code: null } : addCode(call, user.id, 'shown')
}

/** Nothing is mailed from a sandbox: there, codes are shown as if mail were not set up. */
export async function sendsMail({ db, companyId, sendsMail }: AdminCall): Promise<boolean> {
  return sendsMail && !(await isSandbox(db, companyId))
}

async function addCode({ db, companyId, mint, encryption }: AdminCall, userId: number, way: InvitationWay) {
  const { token: code, digest } = mint('svc_inv_', companyId)
  const code_to_mail = way === 'mailed' ? encryption.encrypt(code, codePurpose(companyId, userId)) : null
  const { expires_at } = await storeInvitation(db, {
    company_id: companyId,
    user_id: userId,
    way,
    digest,
    code_to_mail,
  })
  return { code, expires_at }
}

async function mailInvitation({ db, companyId, by, enqueue }: AdminCall, userId: number): Promise<void> {
  const { name } = await db.one<{ name: string }>(sql`select name from companies where id = ${companyId}`)
  await notify(db, enqueue, companyId, by === 'operator' ? userId : by.id, {
    kind: 'invitation',
    subject: { type: 'company', id: String(companyId), title: name, project_id: null },
    recipients: [userId],
  })
}
