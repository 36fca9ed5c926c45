import { addClient, readRedirects, shownName } from '../domain/apps/clients.ts'
import { homeOf, isAllowedRedirect } from '../domain/apps/redirects.ts'
import type { Reply, Request } from '../http/requests/request.ts'
import { addressKey } from '../lib/address-key.ts'
import type { PartsWithClients } from './parts.ts'
import { Refused } from './refused.ts'

/**
 * Registers an app (RFC 7591). Whatever it asks for, it becomes one without a secret: a secret that anybody is given for the
 * asking proves nothing, and the code is bound to its verifier.
 */
export async function register({ db }: PartsWithClients, request: Request, reply: Reply): Promise<Reply> {
  const said = objectIn(request)
  const redirects = readRedirects(said.redirect_uris)
  if (!redirects)
    throw new Refused('invalid_redirect_uri', 'redirect_uris must be a list of 1 to 20.', 'bad_registration')
  const bad = redirects.find(each => !isAllowedRedirect(each))
  if (bad !== undefined)
    throw new Refused(
      'invalid_redirect_uri',
      'Each of redirect_uris must be https, http on 127.0.0.1, [::1] or localhost, or a private-use scheme with a dot; without fragment, name or password.',
      'bad_registration',
    )
  const name = shownName(said.client_name, homeOf(redirects[0] as string))
  const client = await addClient(db, { name, redirect_uris: redirects }, addressKey(request.ip))
  if (!client)
    throw new Refused(
      'temporarily_unavailable',
      'Too many apps have registered that nobody uses. Try again tomorrow, or use a client id metadata document.',
      'registration_flood',
      503,
    )
  return reply.code(201).send({
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.parse(client.created_at) / 1000),
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  })
}

function objectIn({ body }: Request): Record<string, unknown> {
  try {
    const said: unknown = body?.tooLarge ? undefined : JSON.parse(body?.bytes.toString('utf8') ?? '')
    if (typeof said === 'object' && said !== null && !Array.isArray(said)) return said as Record<string, unknown>
  } catch {
    // Refused below, like any other value.
  }
  throw new Refused('invalid_client_metadata', 'The body must be a JSON object of at most 64 kB.', 'bad_registration')
}
