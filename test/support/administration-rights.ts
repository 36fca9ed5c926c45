import type { Diwan } from './diwan.ts'
import type { Furnished } from './furnished.ts'

const LEADERS = ['operator', 'owner', 'manager', 'manager with keys']
const KEYS = ['operator', 'owner', 'manager with keys', 'member with keys']
const SELF = [...LEADERS, 'member', 'member with keys']
const PEOPLE = SELF.filter(who => who !== 'operator')

/**
 * Names of the table that stand for a particular record: the caller, the caller's second token, a living discussion, an
 * upload, a webhook and a session that there are not.
 */
const DECLARED: Record<string, string> = {
  ':me': ':user',
  ':spare': ':token',
  ':discussion': ':ref',
  ':file': ':ref',
  ':nohook': ':webhook',
  ':nosession': ':session',
}

/** Every endpoint, who may call it, and what it then answers. */
export const MATRIX: [endpoint: string, who: string[], status: number, body?: (furnished: Furnished) => object][] = [
  ['GET /me', SELF, 200],
  ['GET /catalog', SELF, 200],
  ['GET /health', ['operator'], 200],
  ['GET /figures', ['operator'], 200],
  ['GET /audit', ['operator'], 200],
  // Whoever calls it, the token in the body decides.
  ['POST /sessions', [...SELF, 'deactivated owner'], 401, () => ({ token: 'svc_x' })],
  ['GET /sign-in', [...SELF, 'deactivated owner'], 200],
  ['DELETE /sessions/current', SELF, 404],
  ['GET /sessions', ['operator'], 200],
  ['DELETE /sessions/:session', ['operator'], 404],
  // Whoever calls it, the code decides.
  ['POST /invitations/accept', [...SELF, 'deactivated owner'], 401, () => ({ code: 'svc_inv_x' })],
  ['GET /companies', ['operator'], 200],
  ['POST /companies', ['operator'], 201, () => ({ name: 'x', time_zone: 'UTC', plan: 'free', owner: person('o') })],
  ['GET /companies/:company', LEADERS, 200],
  ['PATCH /companies/:company', LEADERS, 200, () => ({ name: 'x' })],
  ['POST /companies/:company/close', ['operator'], 422, () => ({ name: 'x of another' })],
  ['POST /companies/:company/reopen', ['operator'], 200],
  ['POST /companies/:company/sandbox', ['operator', 'owner'], 201],
  ['POST /companies/:company/sandbox/enter', ['owner'], 201],
  ['DELETE /companies/:company/sandbox', ['operator', 'owner'], 200],
  ['GET /companies/:company/counts', LEADERS, 200],
  ['GET /companies/:company/users', LEADERS, 200],
  ['POST /companies/:company/users', LEADERS, 201, () => person('new')],
  ['GET /companies/:company/users/:user', LEADERS, 200],
  ['PATCH /companies/:company/users/:user', LEADERS, 200, () => ({ name: 'x' })],
  ['GET /companies/:company/users/:user/tokens', LEADERS, 200],
  ['GET /companies/:company/users/:me/tokens', SELF, 200],
  ['POST /companies/:company/users/:user/tokens', ['operator'], 201, () => ({ name: 'x' })],
  ['POST /companies/:company/users/:me/tokens', SELF, 201, () => ({ name: 'x' })],
  ['GET /companies/:company/users/:user/sessions', LEADERS, 200],
  ['GET /companies/:company/users/:me/sessions', SELF, 200],
  ['DELETE /companies/:company/users/:user/sessions/:session', LEADERS, 200],
  ['DELETE /companies/:company/users/:me/sessions/:nosession', SELF, 404],
  ['GET /companies/:company/users/:user/sign-in-links', LEADERS, 200],
  ['GET /companies/:company/users/:me/sign-in-links', SELF, 200],
  ['DELETE /companies/:company/users/:user/sign-in-links/:link', LEADERS, 404],
  ['DELETE /companies/:company/users/:me/sign-in-links/:link', SELF, 404],
  ['DELETE /companies/:company/users/:user/tokens/:token', LEADERS, 200],
  ['DELETE /companies/:company/users/:me/tokens/:spare', SELF, 200],
  // The person has had a token. It ends those that are left.
  ['POST /companies/:company/users/:user/invitation', ['operator', 'owner'], 201],
  ['GET /companies/:company/keys', KEYS, 200],
  ['POST /companies/:company/keys', KEYS, 201, () => ({ name: 'x', access: 'read' })],
  ['PATCH /companies/:company/keys/:key', KEYS, 200, () => ({ name: 'x' })],
  ['GET /companies/:company/keys/:key', KEYS, 200],
  ['GET /companies/:company/keys/:key/usage', KEYS, 200],
  // It is signed by somebody else.
  ['POST /companies/:company/keys/:key/rotate', ['operator', 'owner'], 201, () => ({})],
  ['DELETE /companies/:company/keys/:key', KEYS, 200],
  // Only in the browser in which it was asked.
  ['GET /companies/:company/app-requests/:request', KEYS, 404],
  ['POST /companies/:company/app-requests/:request/accept', KEYS, 404, () => ({ access: 'read' })],
  ['DELETE /companies/:company/app-requests/:request', KEYS, 404],
  ['GET /companies/:company/usage', LEADERS, 200],
  ['GET /companies/:company/audit', LEADERS, 200],
  ['GET /companies/:company/timeline', LEADERS, 200],
  ['GET /companies/:company/changes', LEADERS, 200],
  ['GET /companies/:company/notifications', SELF, 200],
  ['GET /companies/:company/records/me/notifications', PEOPLE, 200],
  ['POST /companies/:company/records/me/notifications/read', PEOPLE, 200, () => ({ up_to: 1 })],
  ['GET /companies/:company/subscriptions', LEADERS, 200],
  ['GET /companies/:company/trash', LEADERS, 200],
  ['POST /companies/:company/trash/:ref/restore', LEADERS, 200],
  ['GET /companies/:company/projects', LEADERS, 200],
  ['GET /companies/:company/projects/:project/members', LEADERS, 200],
  ['POST /companies/:company/projects/:project/members', LEADERS, 201, ({ person }) => ({ user_id: person.id })],
  ['DELETE /companies/:company/projects/:project/members/:user', LEADERS, 200],
  ['GET /companies/:company/calendars', SELF, 200],
  ['POST /companies/:company/calendars', SELF, 422, () => ({ url: 'http://127.0.0.1/', username: 'x', password: 'x' })],
  ['PATCH /companies/:company/calendars/:calendar', SELF, 404, () => ({ password: 'x' })],
  ['DELETE /companies/:company/calendars/:calendar', SELF, 404],
  ['GET /companies/:company/webhooks', KEYS, 200],
  [
    'POST /companies/:company/webhooks',
    KEYS,
    201,
    () => ({ name: 'x', url: 'https://1.1.1.1/', kinds: ['task.completed'] }),
  ],
  ['GET /companies/:company/webhooks/:webhook', KEYS, 200],
  ['PATCH /companies/:company/webhooks/:webhook', KEYS, 200, () => ({ name: 'y' })],
  ['POST /companies/:company/webhooks/:webhook/rotate', KEYS, 200],
  ['POST /companies/:company/webhooks/:nohook/test', KEYS, 404],
  ['GET /companies/:company/webhooks/:webhook/deliveries', KEYS, 200],
  ['GET /companies/:company/webhooks/:webhook/deliveries/:delivery', KEYS, 404],
  ['GET /companies/:company/webhooks/:webhook/deliveries/:delivery/attempts', KEYS, 404],
  ['POST /companies/:company/webhooks/:webhook/deliveries/:delivery/replay', KEYS, 404],
  ['POST /companies/:company/webhooks/:webhook/replay', KEYS, 200, () => ({ since: '2026-01-01' })],
  ['DELETE /companies/:company/webhooks/:webhook', KEYS, 200],
  ['PATCH /companies/:company/discussions/:discussion', LEADERS, 200, () => ({ category: 'x' })],
  ['GET /companies/:company/requests', KEYS, 200],
  ['GET /companies/:company/files', LEADERS, 200],
  ['POST /companies/:company/files/:file/scan', LEADERS, 200],
  ['GET /jobs/failed', ['operator'], 200],
  ['POST /jobs/failed/:job/retry', ['operator'], 404],
  ['DELETE /jobs/failed/:job', ['operator'], 404],
]

const person = (name: string) => ({ name, email: `${name}@example.com` })

export const ACTORS: Record<string, object> = {
  operator: {},
  owner: { role: 'owner' },
  manager: { role: 'manager' },
  'manager with keys': { role: 'manager', can_manage_api_keys: true },
  member: { role: 'member' },
  'member with keys': { role: 'member', can_manage_api_keys: true },
  'deactivated owner': { role: 'owner' },
}

/** The endpoint of a row as it is declared. */
export function declaredAs(endpoint: string): string {
  return endpoint.replace(/:\w+/g, name => DECLARED[name] ?? name)
}

/** Somebody who acts in the furnished company, and the names as they see them. */
export async function actAs(diwan: Diwan, actor: string, { company, person, named }: Furnished) {
  const isOperator = actor === 'operator'
  const self = isOperator ? person : await diwan.person(company.id, ACTORS[actor] as Record<string, unknown>)
  const tokens = `/companies/${company.id}/users/${self.id}/tokens`
  const spare = (await diwan.operator.post(tokens, { name: 'Spare' })).body.data.id
  if (actor.startsWith('deactivated'))
    await diwan.operator.patch(`/companies/${company.id}/users/${self.id}`, { active: false })
  const token: string | undefined = isOperator ? undefined : self.token
  const client = token === undefined ? diwan.operator : diwan.client('/admin/v1', token)
  return { client, token, named: { ...named, me: String(self.id), spare: String(spare) } }
}
