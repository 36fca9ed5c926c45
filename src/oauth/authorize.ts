import { hash, randomBytes } from 'node:crypto'
import type { AppClient } from '../domain/apps/clients.ts'
import { answering, homeOf, isOneOf } from '../domain/apps/redirects.ts'
import { addRequest } from '../domain/apps/requests.ts'
import { appBrowser, setAppBrowser } from '../http/requests/app-browser.ts'
import type { RawQuery } from '../http/requests/query.ts'
import { ownUrl, type Reply, type Request, resourceOf } from '../http/requests/request.ts'
import { errorPage } from './error-page.ts'
import { repeatedIn } from './fields.ts'
import { isSameResource } from './metadata.ts'
import type { PartsWithClients } from './parts.ts'
import { Refused } from './refused.ts'

const LONGEST_STATE = 4_096

/**
 * An app sends a browser here. If everything is in order, what it asks for is kept, and the console asks the person. An app or a
 * redirect that we do not know is told to the person, on a page: whoever sent them must not choose where they go next. Any other
 * mistake is the app's to read.
 */
export async function authorize(parts: PartsWithClients, request: Request, reply: Reply): Promise<Reply> {
  const { db, publicUrl, countRefusal } = parts
  const { query } = request
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  const client = typeof query.client_id === 'string' ? await parts.findClient(query.client_id) : undefined
  if (!client) {
    countRefusal('unknown_client')
    return errorPage(reply, 'This app is not known here. Start again in the app; it may have to be added anew.')
  }
  const redirect = query.redirect_uri
  if (typeof redirect !== 'string' || !isOneOf(client.redirect_uris, redirect)) {
    countRefusal('unknown_redirect')
    return errorPage(reply, 'The app named an address to return to that is not its own. Do not go on.')
  }
  const issuer = ownUrl(request, publicUrl)
  const state = typeof query.state === 'string' ? query.state : null
  try {
    const asked = read(query, resourceOf(request, publicUrl))
    const secret = appBrowser(request.headers) ?? randomBytes(32).toString('base64url')
    const id = await addRequest(db, hash('sha256', secret, 'buffer'), {
      client_id: client.id,
      client_name: client.name,
      client_host: hostOf(client, redirect),
      redirect_uri: redirect,
      state,
      issuer,
      ...asked,
    })
    setAppBrowser(reply, secret, request.protocol === 'https' || issuer.startsWith('https:'))
    return reply.redirect(`/console#authorize=${id}`, 302)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    countRefusal(error.reason)
    const told = { error: error.error, error_description: error.message, state, iss: issuer }
    return reply.redirect(answering(redirect, told), 302)
  }
}

function read(query: RawQuery, own: string): { code_challenge: string; resource: string } {
  const [repeated] = repeatedIn(query)
  if (repeated !== undefined) throw new Refused('invalid_request', 'A parameter is repeated.')
  const { response_type, code_challenge, code_challenge_method, resource, state } = query as Record<string, string>
  if (response_type !== 'code') throw new Refused('unsupported_response_type', 'response_type must be code.')
  if (code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(code_challenge ?? ''))
    throw new Refused(
      'invalid_request',
      'code_challenge is required, and code_challenge_method must be S256.',
      'pkce_downgrade',
    )
  if (state !== undefined && (state.length > LONGEST_STATE || state.includes('\0')))
    throw new Refused('invalid_request', 'state is too long.')
  if (resource !== undefined && !isSameResource(resource, own))
    throw new Refused('invalid_target', 'resource must be the address of /mcp on this server.', 'other_resource')
  return { code_challenge: code_challenge as string, resource: own }
}

/** Where an app is at home: the host that its document is on, or else where the code goes. */
function hostOf({ id }: AppClient, redirect: string): string {
  return URL.canParse(id) ? new URL(id).host : homeOf(redirect)
}
