import { hash } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import Type from 'typebox'
import { presetOperations, presetRights } from '../domain/access/operations.ts'
import { keepClient } from '../domain/apps/clients.ts'
import { answering, homeOf, isLocal } from '../domain/apps/redirects.ts'
import { type AppRequest, findRequest, removeRequest } from '../domain/apps/requests.ts'
import { addCode } from '../domain/apps/tokens.ts'
import { forbidden, notFound, orNotFound } from '../domain/errors.ts'
import { Instant, Single } from '../http/answers/schema.ts'
import { appBrowser } from '../http/requests/app-browser.ts'
import { type AdminCall, adminEndpoint, type Person } from './gate.ts'
import { addKey, Key, KeySettings, readExpiry, requireWithinScope } from './keys.ts'

const Asked = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String({ description: 'What the app calls itself. Nobody has checked it.' }),
    host: Type.String({ description: 'Where the app is at home' }),
    returns_to: Type.String({ description: 'The host, or the scheme of a program, that the answer goes to' }),
    is_local: Type.Boolean({ description: 'Whether that is a program on the machine of the person' }),
    expires_at: Instant({ description: 'Until when it can be answered' }),
  },
  {
    title: 'AppRequest',
    examples: [
      {
        id: '0f4c3f0e-5a0e-4f51-9c7e-3d2a5f0f8a11',
        name: 'Claude',
        host: 'claude.ai',
        returns_to: 'claude.ai',
        is_local: false,
        expires_at: '2026-11-15T08:40:00.000Z',
      },
    ],
  },
)
const RedirectTo = Type.String({ description: 'Where the browser goes now, with the answer for the app' })

const { name: _name, ...granted } = KeySettings
const Granted = Type.Object(granted, { examples: [{ access: 'read' }] })

async function findAppRequest({ db, params, headers, holds }: AdminCall): Promise<AppRequest> {
  const { request = '' } = params
  const secret = appBrowser(headers)
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(request) || secret === undefined) throw notFound()
  const lock = holds === 'nothing' ? empty : sql`for update`
  return orNotFound(findRequest(db, request, hash('sha256', secret, 'buffer'), lock))
}

/** The key signs as the person who grants it. The operator is nobody in a company. */
function requirePerson({ by }: AdminCall): Person {
  if (by === 'operator') throw forbidden('An app acts in the name of a person. Sign in as one to connect it.')
  return by
}

export const getAppRequest = adminEndpoint({
  name: 'get_app_request',
  since: '1.7.0',
  operation: 'keys:read',
  who: 'key administrators',
  summary: 'See which app asks for access',
  description:
    'For the console: an app has sent the browser here by OAuth and asks for access to `/mcp`. A request is there for ten minutes, and only for the browser in which it was made, which has a cookie.',
  method: 'GET',
  at: ['/companies/:company/app-requests/:request'],
  find: findAppRequest,
  returns: Single(Asked),
  run: async (_call, { id, client_name, client_host, redirect_uri, expires_at }) => ({
    data: {
      id,
      name: client_name,
      host: client_host,
      returns_to: homeOf(redirect_uri),
      is_local: isLocal(redirect_uri),
      expires_at,
    },
  }),
})

export const acceptAppRequest = adminEndpoint({
  name: 'accept_app_request',
  since: '1.7.0',
  operation: 'keys:write',
  who: 'key administrators',
  audited: true,
  summary: 'Grant an app access',
  description:
    'Makes an API key of kind `app`, which the app uses through tokens at `/mcp` and nobody ever sees. It signs as the caller, and is changed and revoked like any other key. The operator cannot grant access.',
  method: 'POST',
  at: ['/companies/:company/app-requests/:request/accept'],
  find: findAppRequest,
  policy: requirePerson,
  body: Granted,
  status: 201,
  returns: Single(Type.Object({ redirect_to: RedirectTo, key: Key })),
  async run(call, { id, client_id, client_name, client_host, redirect_uri, state, code_challenge, resource, issuer }) {
    const { db, companyId, body, mint } = call
    const { access, operations = presetOperations(access), rights = presetRights(access) } = body
    requireWithinScope(access, operations)
    const { key: _secret, ...key } = await addKey(call, {
      name: client_name,
      access,
      operations,
      rights,
      expires_at: (await readExpiry(call, body.expires_at)) ?? null,
      created_by: requirePerson(call).id,
      app_host: client_host,
    })
    const code = mint('svc_code_', companyId)
    const grant = { company_id: companyId, key_id: key.id, client_id, resource }
    await addCode(db, grant, { redirect_uri, code_challenge }, code)
    await keepClient(db, client_id)
    await removeRequest(db, id)
    return { data: { redirect_to: answering(redirect_uri, { code: code.token, state, iss: issuer }), key } }
  },
})

export const deleteAppRequest = adminEndpoint({
  name: 'delete_app_request',
  since: '1.7.0',
  operation: 'keys:destructive',
  who: 'key administrators',
  summary: 'Refuse an app access',
  description: 'The app is told that it was refused.',
  method: 'DELETE',
  at: ['/companies/:company/app-requests/:request'],
  find: findAppRequest,
  returns: Single(Type.Object({ deleted: Type.Boolean(), redirect_to: RedirectTo })),
  async run({ db }, { id, redirect_uri, state, issuer }) {
    await removeRequest(db, id)
    const told = { error: 'access_denied', error_description: 'The person refused.', state, iss: issuer }
    return { data: { deleted: true, redirect_to: answering(redirect_uri, told) } }
  },
})
