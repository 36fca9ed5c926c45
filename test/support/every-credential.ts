import { mintCredential } from '../../src/domain/access/credentials.ts'
import { OPERATIONS, permits } from '../../src/domain/access/operations.ts'
import type { Served } from './both-engines.ts'
import { signIn } from './console.ts'
import type { Described } from './described-operations.ts'
import { created, type TestCompany } from './diwan.ts'
import { appAt } from './oauth.ts'
import { random } from './random.ts'
import { OPERATOR_TOKEN, SERVER_SECRET } from './server-process.ts'

/** What a call carries, by a name that says what is the matter with it. */
export type Credentials = Record<string, Record<string, string>>

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The credential with one character changed, anywhere behind its prefix. */
function mistyped(token: string): string {
  const first = token.lastIndexOf('_') + 1
  const place = first + Math.floor(random() * (token.length - first))
  const other = token[place] === 'x' ? 'y' : 'x'
  return token.slice(0, place) + other + token.slice(place + 1)
}

/** Everything that a company can be given, whether it opens anything or not. */
async function issueTo({ server: { diwan, url } }: Served, company: TestCompany) {
  const { data: key } = await created(company.admin.post('/keys', { name: 'Good', access: 'write' }))
  const { data: revoked } = await created(company.admin.post('/keys', { name: 'Revoked', access: 'write' }))
  await company.admin.delete(`/keys/${revoked.id}`)
  const { data: expired } = await created(company.admin.post('/keys', { name: 'Expired', access: 'write' }))
  const app = await appAt(url).connected(company, { access: 'write' })
  const person = await diwan.person(company.id, { role: 'owner' })
  const deactivated = await diwan.person(company.id, { role: 'owner' })
  await company.admin.patch(`/users/${deactivated.id}`, { active: false })
  const tokens = `/companies/${company.id}/users/${person.id}/tokens`
  const { data: revokedToken } = await created(diwan.operator.post(tokens, { name: 'Revoked' }))
  await diwan.operator.delete(`${tokens}/${revokedToken.id}`)
  const [session, ended, old] = [
    await signIn(diwan, { token: person.token }),
    await signIn(diwan, { token: person.token }),
    await signIn(diwan, { token: person.token }),
  ]
  await ended.browser.delete('/sessions/current')
  const invited = await created(company.admin.post('/users', { name: 'Huda', email: `huda.${random()}@example.com` }))
  return { key, revoked, expired, app, person, deactivated, revokedToken, session, ended, old, invited }
}

const secretOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)

/** Credentials that open nothing: of the API, and of the administration. */
export async function invalidCredentials(
  served: Served,
  company: TestCompany,
): Promise<{ ofKeys: Credentials; ofPeople: Credentials; ofDismissed: Record<string, string> }> {
  const made = await issueTo(served, company)
  await served.change([
    `update api_keys set expires_at = now() - interval '1 second' where id = ${made.expired.id}`,
    `update console_sessions set expires_at = now() - interval '1 second' where id = ${made.old.id}`,
  ])
  const nowhere = {
    'no credential': {},
    'an empty header': { authorization: '' },
    'the bare word': { authorization: 'Bearer' },
    nonsense: bearer('nonsense'),
    'a token of an app': bearer(made.app.access),
    'a token to renew one': bearer(made.app.refreshToken),
    'the code of an invitation': bearer(made.invited.data.invitation.code),
    'a session in the header': bearer(secretOf(made.session.cookie)),
  }
  return {
    ofDismissed: bearer(made.deactivated.token),
    ofKeys: {
      ...nowhere,
      'one character changed': bearer(mistyped(made.key.key)),
      'another scheme': { authorization: `Basic ${made.key.key}` },
      'the token of a person': bearer(made.person.token),
      'the token of the operator': bearer(OPERATOR_TOKEN),
      'a session': { cookie: made.session.cookie, 'x-diwan-console': '1' },
      'a revoked key': bearer(made.revoked.key),
      'an expired key': bearer(made.expired.key),
      'a key that was never given out': bearer(mintCredential('svc_api_', SERVER_SECRET).token),
    },
    ofPeople: {
      ...nowhere,
      'one character changed': bearer(mistyped(made.person.token)),
      'the operator’s, mistyped': bearer(mistyped(OPERATOR_TOKEN)),
      'another scheme': { authorization: `Basic ${made.person.token}` },
      'an API key': bearer(made.key.key),
      'a revoked token': bearer(made.revokedToken.token),
      'a token that was never given out': bearer(mintCredential('svc_', SERVER_SECRET).token),
      'a token in the place of a session': { cookie: `diwan_session=${made.person.token}`, 'x-diwan-console': '1' },
      'a session, mistyped': { cookie: mistyped(made.session.cookie), 'x-diwan-console': '1' },
      'a session that was ended': { cookie: made.ended.cookie, 'x-diwan-console': '1' },
      'a session that is over': { cookie: made.old.cookie, 'x-diwan-console': '1' },
    },
  }
}

/** What a call is refused with; undefined where it is let in. */
type Refusal = [status: number, code: string] | undefined

const FORBIDDEN: Refusal = [403, 'forbidden']

/** A key that works in some way or other, and what it may not do, as the description has it. */
export interface GoodKey {
  name: string
  key: string
  /** False for a key of another company than the one whose records are named. */
  isOfOwner: boolean
  /** What its signature does not see of its own company: events are for those who take part. */
  isHidden: (operation: Described) => boolean
  refuses: (operation: Described) => Refusal
}

const notAllowed = (allowed: readonly string[]) => (operation: Described) =>
  allowed.includes(operation.needs ?? '') ? undefined : FORBIDDEN

/** Keys of every kind, for a company in every state; `company` is the one whose records the calls name. */
export async function goodKeys({ server: { diwan } }: Served, company: TestCompany): Promise<GoodKey[]> {
  const all = [...OPERATIONS]
  const preset = (access: 'read' | 'write') =>
    all.filter(operation => permits(access, operation) && !operation.endsWith(':destructive'))
  const { id: other } = await diwan.person(company.id)
  const of = async (name: string, settings: object, refuses: GoodKey['refuses']) => ({
    name,
    key: await diwan.key(company.id, settings as Record<string, unknown>),
    isOfOwner: true,
    isHidden: ({ parameters }: Described) => 'created_by' in settings && parameters.includes('event'),
    refuses,
  })
  const inState = async (name: string, state: object, refuses: GoodKey['refuses']) => {
    const own = await diwan.company()
    const answer = await diwan.operator.patch(`/companies/${own.id}`, state)
    if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
    return { name, key: own.key, isOfOwner: false, isHidden: () => true, refuses }
  }
  const single: GoodKey[] = []
  for (const operation of all)
    single.push(await of(`only ${operation}`, { operations: [operation] }, notAllowed([operation])))
  const closed = await diwan.company({ name: 'To be closed' })
  await diwan.operator.post(`/companies/${closed.id}/close`, { name: 'To be closed' })
  const withoutRights = ({ right, rightForOthers, isForItsMaker, parameters }: Described): Refusal => {
    const isRefused = right !== undefined || rightForOthers !== undefined || isForItsMaker
    return isRefused && !parameters.includes('event') ? FORBIDDEN : undefined
  }
  return [
    await of('everything', {}, () => undefined),
    await of('read', { access: 'read', operations: undefined, rights: undefined }, notAllowed(preset('read'))),
    await of('write', { operations: undefined, rights: undefined }, notAllowed(preset('write'))),
    await of('no operation', { operations: [] }, () => FORBIDDEN),
    await of('no right, signed by another', { rights: [], created_by: other }, withoutRights),
    ...single,
    await inState('the flag off', { rest_api: false }, () => [404, 'not_found']),
    await inState('the Free plan', { plan: 'free' }, () => [403, 'plan_upgrade_required']),
    await inState('the Pro plan', { plan: 'pro' }, () => [403, 'plan_upgrade_required']),
    await inState('the Advanced plan', { plan: 'advanced' }, ({ path }) =>
      path.endsWith('/time') ? [403, 'plan_upgrade_required'] : undefined,
    ),
    await inState('another company', {}, () => undefined),
    {
      name: 'a closed company',
      key: closed.key,
      isOfOwner: false,
      isHidden: () => true,
      refuses: () => [404, 'not_found'],
    },
  ]
}
