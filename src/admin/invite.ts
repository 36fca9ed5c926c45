import sql from 'sql-template-tag'
import Type from 'typebox'
import { notify } from '../domain/notifications.ts'
import { codePurpose, storeInvitation } from '../domain/user-invitations.ts'
import { Instant, Nullable } from '../http/schema.ts'
import type { AdminCall } from './gate.ts'

export const Invitation = Type.Object({
  code: Nullable(
    Type.String({
      description: 'Valid once, for seven days, and shown once. Null when it is sent to the person by mail only.',
    }),
  ),
  expires_at: Instant(),
})
export const exampleInvitation = { code: 'svc_inv_…', expires_at: '2026-11-22T08:30:00.000Z' }

/** Creates an invitation, which voids any earlier one, and has it mailed if mail is set up. */
export async function invite(
  call: AdminCall,
  user: { id: number; first_token_at: string | null },
): Promise<Type.Static<typeof Invitation>> {
  const { db, companyId, mint, encryption, sendsMail } = call
  const { token: code, digest } = mint('svc_inv_')
  const { expires_at } = await storeInvitation(db, {
    company_id: companyId,
    user_id: user.id,
    digest,
    code_to_mail: sendsMail ? encryption.encrypt(code, codePurpose(companyId, user.id)) : null,
  })
  if (sendsMail) await mailInvitation(call, user.id)
  // With this code, somebody else could take the place of a person who has signed in before: then it is only mailed.
  return { code: sendsMail && user.first_token_at !== null ? null : code, expires_at }
}

async function mailInvitation({ db, companyId, by, enqueue }: AdminCall, userId: number): Promise<void> {
  const { name } = await db.one<{ name: string }>(sql`select name from companies where id = ${companyId}`)
  await notify(db, enqueue, companyId, by === 'operator' ? userId : by.id, {
    kind: 'invitation',
    subject: { type: 'company', id: String(companyId), title: name, project_id: null },
    recipients: [userId],
  })
}
