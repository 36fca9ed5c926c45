import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../domain/errors.ts'
import { isRead } from './request.ts'

const NAME = 'diwan_session'
/** Nothing but the administration ever sees it, and no page of another site sends it. */
const ATTRIBUTES = 'HttpOnly; SameSite=Strict; Path=/admin/v1'
const MAX_AGE_SECONDS = 12 * 3600

/** The secret of a session, as the browser sends it. */
export function sessionCookie({ headers }: FastifyRequest): string | undefined {
  const pair = headers.cookie
    ?.split(';')
    .map(part => part.trim())
    .find(part => part.startsWith(`${NAME}=`))
  return pair?.slice(NAME.length + 1)
}

/** Gives the browser a secret to keep, or with null has it forget the one that it has. */
export function setSessionCookie(reply: FastifyReply, secret: string | null, isSecure: boolean): void {
  const maxAge = secret === null ? 0 : MAX_AGE_SECONDS
  // A transaction that begins again sets it again, and a header of this name would be added.
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
 * A cookie comes with whatever page asks, so the page has to show that it is ours: another one cannot send this header
 * without asking in advance, and that is never answered.
 */
export function requireOwnPage(request: FastifyRequest): void {
  refuseOtherSites(request)
  if (!isRead(request) && request.headers['x-diwan-console'] !== '1')
    throw forbidden(
      'A request with the cookie of a session must carry the header X-Diwan-Console: 1, unless it is a GET.',
    )
}
