import type { IncomingHttpHeaders } from 'node:http'
import sql from 'sql-template-tag'
import Type from 'typebox'
import { LOCKS, takeLock } from '../db/advisory-locks.ts'
import { invalidLink, invalidToken, unprocessable } from '../domain/errors.ts'
import { useFirstLink } from '../domain/installation/first-link.ts'
import { Single } from '../http/answers/schema.ts'
import { type Administrator, findPerson, type Person } from './callers.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { Me, showMe } from './me.ts'
import { addSession, endOldest, type Holder } from './session-rows.ts'

const Credentials = Type.Object(
  {
    token: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'A personal access token, or the operator token' }),
    ),
    code: Type.Optional(
      Type.String({ maxLength: 255, description: 'The code of the link that the first start printed' }),
    ),
  },
  { examples: [{ token: 'svc_…' }] },
)

/** The owner of the new session, and its name in the audit. */
interface Owner {
  by: Administrator
  holder: Holder
  name: string
}

export const createSession = adminEndpoint({
  name: 'create_session',
  since: '1.6.0',
  operation: 'sessions:write',
  who: 'whoever signs in',
  audited: true,
  summary: 'Sign in to the console',
  description:
    'Exchanges a token, or the code of the link that the first start printed, for a session: the cookie `diwan_session`, which works on this surface as the token would, for 12 hours at most and until it has not been used for an hour. It ends with its token. With the cookie, every request but a GET must carry `X-Diwan-Console: 1`. A token or code that is wrong is 401. A token may have 20 sessions; when another begins, the oldest ends.',
  method: 'POST',
  at: ['/sessions'],
  body: Credentials,
  // Before the transaction: others with the same token wait for this look-up, so it must not wait for a connection that they
  // hold.
  async prepare({ byBody, body: { token, code } }) {
    byBody.refuseOtherSites()
    if ((token === undefined) === (code === undefined))
      throw unprocessable('token', 'or code must be sent, and not both')
    if (token === undefined) return undefined
    const signedIn = await byBody.identify(token)
    if (!signedIn) throw invalidToken()
    return signedIn
  },
  status: 201,
  returns: Single(Me),
  async run(call, _found) {
    const { db, audit, byBody, headers, prepared, body } = call
    const { by, holder, name } = prepared
      ? await ownerOf(call, prepared.by, prepared.digest)
      : await ownerOfCode(call, body.code ?? '')
    const { token: secret, digest } = call.mint('svc_ses_')
    const session = await addSession(db, holder, { digest, user_agent: agentOf(headers), address: byBody.address })
    audit({ target: { type: 'session', id: session.id, name }, changes: { created_at: null } })
    for (const { id } of await endOldest(db, holder))
      audit({ target: { type: 'session', id, name }, changes: { expires_at: null } })
    byBody.setCookie(secret)
    return { data: await showMe(call, { by, session }) }
  },
})

async function ownerOf(call: AdminCall, by: Administrator, digest: Buffer): Promise<Owner> {
  return by === 'operator' ? operator(call) : ownerOfToken(call, by, digest)
}

async function operator({ db, byBody }: AdminCall): Promise<Owner> {
  await takeLock(db, LOCKS.operatorSessions)
  return { by: 'operator', holder: { operator_digest: byBody.operatorDigest }, name: 'operator' }
}

/** Locks the person first, as every change of people does, and then looks at the token. */
async function ownerOfToken({ db }: AdminCall, { company_id, id }: Person, digest: Buffer): Promise<Owner> {
  await db.run(sql`select from users where company_id = ${company_id} and id = ${id} for no key update`)
  const by = await findPerson(db, 'token', digest)
  const token = await db.maybe<{ id: number; name: string }>(sql`
    select id, name from personal_tokens where digest = ${digest}`)
  if (!by || !token) throw invalidToken()
  return { by, holder: { company_id, token_id: token.id }, name: token.name }
}

/** In the transaction, so that the link is used up if and only if there is a session. */
async function ownerOfCode(call: AdminCall, code: string): Promise<Owner> {
  const by = await call.byBody.redeem('svc_link_', code, async digest =>
    (await useFirstLink(call.db, digest)) ? ('operator' as const) : undefined,
  )
  if (!by) throw invalidLink()
  return operator(call)
}

/** As much of the user agent as a list can show. */
function agentOf({ 'user-agent': agent }: IncomingHttpHeaders): string | null {
  return agent ? agent.slice(0, 255) : null
}
