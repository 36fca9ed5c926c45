import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../../domain/errors.ts'
import { isRead } from './request.ts'

const NAME = 'diwan_session'
/** Only sent to the administration surface, and never by a page of another site. */
const ATTRIBUTES = 'HttpOnly; SameSite=Strict; Path=/admin/v1'
const MAX_AGE_SECONDS = 12 * 3600

/** The cookies that the browser sent. Of two with the same name the first counts. */
export function cookiesOf({ headers }: Pick<FastifyRequest, 'headers'>): Map<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((part): [string, string] => {
    const [name = '', ...value] = part.trim().split('=')
    return [name, value.join('=')]
  })
  return new Map(pairs.reverse())
}

/** The secret of a session, as sent by the browser. */
export function sessionCookie(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return cookiesOf(request).get(NAME)
}

/** Sets the session cookie in the browser, or removes it with null. */
export function setSessionCookie(reply: FastifyReply, secret: string | null, isSecure: boolean): void {
  const maxAge = secret === null ? 0 : MAX_AGE_SECONDS
  // A transaction that is retried sets the cookie again, and Fastify would add a second header.
  reply.removeHeader('set-cookie')
  reply.header('set-cookie', `${NAME}=${secret ?? ''}; ${ATTRIBUTES}; Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`)
}

/** True when the browser says that a page of another site sends the request. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

export function refuseOtherSites(request: FastifyRequest): void {
  if (isFromElsewhere(request)) throw forbidden('Pages of other sites cannot use the sessions of the console.')
}

/**
 * Browsers send a cookie with requests of any page, so the page must prove that it is ours: another site's page cannot send
 * this header without a CORS preflight, which is never granted.
 */
export function requireOwnPage(request: FastifyRequest): void {
  refuseOtherSites(request)
  if (!isRead(request) && request.headers['x-diwan-console'] !== '1')
    throw forbidden(
      'A request with the cookie of a session must carry the header X-Diwan-Console: 1, unless it is a GET.',
    )
}
