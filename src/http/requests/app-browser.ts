import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { cookiesOf } from './session-cookie.ts'

const NAME = 'diwan_app_request'
/**
 * Sent when a page of another site leads here, because that is how apps ask. It opens nothing: it only says that whoever decides
 * about a request does so in the browser in which it was made.
 */
const ATTRIBUTES = 'HttpOnly; SameSite=Lax; Path=/; Max-Age=600'

/** The secret of a browser in which an app has asked for something. */
export function appBrowser(headers: IncomingHttpHeaders): string | undefined {
  const secret = cookiesOf({ headers }).get(NAME) ?? ''
  return /^[\w-]{43}$/.test(secret) ? secret : undefined
}

export function setAppBrowser(reply: FastifyReply, secret: string, isSecure: boolean): void {
  reply.header('set-cookie', `${NAME}=${secret}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`)
}
