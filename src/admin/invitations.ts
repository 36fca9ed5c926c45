import sql from 'sql-template-tag'
import Type from 'typebox'
import type { Db } from '../db/db.ts'
import { forbidden, invalidCode, notFound, unprocessable } from '../domain/errors.ts'
import { type InvitationWay, useInvitation } from '../domain/people/invitations.ts'
import { isClosed } from '../domain/upkeep/closed-companies.ts'
import { Single } from '../http/answers/schema.ts'
import { disconnectAll } from './calendar-notices.ts'
import type { Person } from './callers.ts'
import { startAfresh } from './fresh-start.ts'
import { type AdminCall, adminEndpoint, mayPromote } from './gate.ts'
import { exampleInvitation, Invitation, invite, isPlain } from './invite.ts'
import { addToken, CreatedToken } from './tokens.ts'
import { findUser, targetOf } from './users.ts'

const MadeInvitation = Type.Object(
  { invitation: Invitation },
  { title: 'MadeInvitation', examples: [{ invitation: exampleInvitation }] },
)

export const inviteUser = adminEndpoint({
  name: 'invite_user',
  since: '1.4.0',
  operation: 'invitations:write',
  who: 'leaders',
  audited: true,
  summary: 'Invite a person again',
  description:
    'Cancels the earlier code, and ends the tokens and sessions that the person has. A manager can invite only members who do not manage API keys. Only an owner or the operator can invite somebody again who has ever had a token, and only the operator can invite another owner; if mail is set up, the code is then sent by mail only and is null here.',
  method: 'POST',
  at: ['/companies/:company/users/:user/invitation'],
  find: findUser,
  policy({ by }, user) {
    if (by === 'operator') return
    if (!mayPromote(by) && !isPlain(user))
      throw forbidden('A manager can invite only members who do not manage API keys. Ask an owner or the operator.')
    if (user.first_token_at === null) return
    if (!mayPromote(by)) throw forbidden('Only an owner or the operator can invite somebody again who has had a token.')
    if (user.role === 'owner' && user.id !== by.id)
      throw forbidden('Only the operator can invite another owner again who has had a token.')
  },
  status: 201,
  returns: Single(MadeInvitation),
  async run(call, user) {
    if (!user.active) throw unprocessable('active', 'must be true: only active people can be invited')
    await startAfresh(call, call.companyId, user.id)
    const invitation = await invite(call, user)
    call.audit({ target: targetOf(user), changes: { invitation: null } })
    return { data: { invitation } }
  },
})

const Code = Type.Object(
  { code: Type.String({ maxLength: 255, description: 'The code from the invitation' }) },
  { examples: [{ code: 'svc_inv_…' }] },
)

export const acceptInvitation = adminEndpoint({
  name: 'accept_invitation',
  since: '1.4.0',
  operation: 'invitations:write',
  who: 'whoever is invited',
  audited: true,
  summary: 'Accept an invitation',
  description:
    "Exchanges the code for the person's first access token, which is shown in this answer and never again. A code that was mailed ends whatever somebody else may have begun with the one that was shown. A code that is wrong, used, cancelled or expired is 401. After 20 failures in a minute from one address, failed sign-ins included, the answer is 429 whatever the code.",
  method: 'POST',
  at: ['/invitations/accept'],
  body: Code,
  status: 201,
  returns: Single(CreatedToken),
  async run(call) {
    const person = await call.byBody.redeem('svc_inv_', call.body.code, digest => findInvited(call.db, digest))
    if (!person) throw invalidCode()
    if (person.way === 'mailed') await endImpostor(call, person)
    return { data: await addToken(call, person.company_id, person.id, 'Invitation') }
  },
})

type InvitedPerson = Person & { way: InvitationWay }

async function findInvited(db: Db, digest: Buffer): Promise<InvitedPerson | undefined> {
  const invited = await useInvitation(db, digest)
  if (!invited) return undefined
  const { company_id, user_id, way } = invited
  if (await isClosed(db, company_id)) throw notFound()
  return db.maybe<InvitedPerson>(sql`
    select id, name, company_id, role, can_manage_api_keys, ${way} as way from users
    where company_id = ${company_id} and id = ${user_id} and active`)
}

/**
 * Somebody with a code that was mailed is the person. Whoever came before with the code that was shown may be somebody else:
 * their tokens end, and the calendars that they may have connected receive nothing more.
 */
async function endImpostor(call: AdminCall, { company_id, id }: Person): Promise<void> {
  const ended = await startAfresh(call, company_id, id)
  if (ended > 0) await disconnectAll(call, company_id, id)
}
