import sql from 'sql-template-tag'
import Type from 'typebox'
import { LOCKS, takeLock } from '../db/advisory-locks.ts'
import type { Db } from '../db/db.ts'
import { forbidden, invalidIdentity, invalidLink, invalidToken, unprocessable } from '../domain/errors.ts'
import { useFirstLink } from '../domain/installation/first-link.ts'
import { addLink, peopleNamed, touchLink, useIdentity } from '../domain/people/sign-in-links.ts'
import { say } from '../domain/sentences/sentences.ts'
import { Single } from '../http/answers/schema.ts'
import { type Administrator, findPerson, type Person } from './callers.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { Me, showMe } from './me.ts'
import { addSession, agentOf, endOldest, type Holder } from './session-rows.ts'

const Credentials = Type.Object(
  {
    token: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'A personal access token, or the operator token' }),
    ),
    code: Type.Optional(
      Type.String({ maxLength: 255, description: 'The code of the link that the first start printed' }),
    ),
    company_id: Type.Optional(
      Type.Integer({
        description:
          'Of the person to sign in as, after the identity provider has sent the browser back: see `GET /sign-in`',
      }),
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
    'Exchanges a token, or the code of the link that the first start printed, for a session: the cookie `diwan_session`, which works on this surface as the token would, for 12 hours at most and until it has not been used for an hour. It ends with its token. With `company_id` it is begun by whom the identity provider has signed in, and belongs to the link with that account; where the company requires that, a token is 403. With the cookie, every request but a GET must carry `X-Diwan-Console: 1`. A token or code that is wrong is 401. A token or link may have 20 sessions; when another begins, the oldest ends.',
  method: 'POST',
  at: ['/sessions'],
  body: Credentials,
  // Before the transaction: others with the same token wait for this look-up, so it must not wait for a connection that they
  // hold.
  async prepare({ byBody, body: { token, code, company_id } }) {
    byBody.refuseOtherSites()
    if ([token, code, company_id].filter(sent => sent !== undefined).length !== 1)
      throw unprocessable('token', 'or code or company_id must be sent, and only one of them')
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
      : body.company_id === undefined
        ? await ownerOfCode(call, body.code ?? '')
        : await ownerOfIdentity(call, body.company_id)
    const { token: secret, digest } = call.mint('svc_ses_', by === 'operator' ? undefined : by.company_id)
    const session = await addSession(db, holder, { digest, user_agent: agentOf(headers), address: byBody.address })
    audit({ target: { type: 'session', id: session.id, name }, changes: { created_at: null } })
    for (const { id } of await endOldest(db, holder))
      audit({ target: { type: 'session', id, name }, changes: { expires_at: null } })
    byBody.setCookie(secret)
    byBody.forgetIdentity()
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
async function ownerOfToken(call: AdminCall, { company_id, id }: Person, digest: Buffer): Promise<Owner> {
  const { db } = call
  await hold(db, company_id, id)
  const by = await findPerson(db, 'token', digest)
  const token = await db.maybe<{ id: number; name: string }>(sql`
    select id, name from personal_tokens where digest = ${digest}`)
  if (!by || !token) throw invalidToken()
  await refuseTokens(call, company_id)
  return { by, holder: { company_id, token_id: token.id }, name: token.name }
}

async function hold(db: Db, companyId: number, id: number): Promise<void> {
  await db.run(sql`select from users where company_id = ${companyId} and id = ${id} for no key update`)
}

/** Where the company wants its people to sign in with the identity provider. The operator must want it too. */
async function refuseTokens({ db, identityProvider }: AdminCall, companyId: number): Promise<void> {
  if (!identityProvider?.isRequired) return
  const { require_oidc } = await db.one<{ require_oidc: boolean }>(
    sql`select require_oidc from companies where id = ${companyId}`,
  )
  if (require_oidc)
    throw forbidden(
      say('Your company asks you to sign in with {provider}. Tokens are for programs.', {
        provider: identityProvider.name,
      }),
    )
}

/** Whom the identity provider has signed in, as the person of one company. Looked at again when that person is locked. */
async function ownerOfIdentity({ db, byBody, audit }: AdminCall, companyId: number): Promise<Owner> {
  const identity = await byBody.identity(digest => useIdentity(db, digest))
  const find = async () => identity && (await peopleNamed(db, identity, sql`u.company_id = ${companyId}`))[0]
  const named = await find()
  if (!identity || !named) throw invalidIdentity()
  await hold(db, companyId, named.id)
  const person = await find()
  if (person?.id !== named.id) throw invalidIdentity()
  const name = identity.email ?? identity.subject
  const link_id = person.link_id ?? (await addLink(db, person, identity))
  if (person.link_id === null)
    audit({ target: { type: 'sign_in_link', id: link_id, name }, changes: { created_at: null } })
  else await touchLink(db, { company_id: companyId, link_id }, identity)
  const by = await db.one<Person>(sql`
    select id, name, email, company_id, role, can_manage_api_keys from users
    where company_id = ${companyId} and id = ${person.id}`)
  return { by: byBody.enter(by), holder: { company_id: companyId, link_id }, name }
}

/** In the transaction, so that the link is used up if and only if there is a session. */
async function ownerOfCode(call: AdminCall, code: string): Promise<Owner> {
  const by = await call.byBody.redeem('svc_link_', code, async digest =>
    (await useFirstLink(call.db, digest)) ? ('operator' as const) : undefined,
  )
  if (!by) throw invalidLink()
  return operator(call)
}
