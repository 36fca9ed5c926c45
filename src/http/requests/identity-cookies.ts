import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookiesOf } from './session-cookie.ts'

// While somebody signs in with the identity provider, their browser keeps two things: what it began with, until it comes back
// from there, and then the secret of what the provider has told.

/** The provider's page sends the browser back, so these must come with a link of another site. */
const BEGUN = { name: 'diwan_sign_in_', attributes: 'HttpOnly; SameSite=Lax; Path=/sign-in' }
const TOLD = { name: 'diwan_identity', attributes: 'HttpOnly; SameSite=Strict; Path=/admin/v1' }
const MAX_AGE_SECONDS = 600
/** So many tabs may be signing in at once. */
const MOST_BEGUN = 5

export const BEGUN_FOR_MS = MAX_AGE_SECONDS * 1000

function set(reply: FastifyReply, pair: string, attributes: string, maxAge: number, isSecure: boolean): void {
  reply.header('set-cookie', `${pair}; ${attributes}; Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`)
}

/** Each tab has its own, named after its state. */
const nameOf = (state: string) => BEGUN.name + state.slice(0, 12)

export function keepBegun(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, sealed, isSecure }: { state: string; sealed: string; isSecure: boolean },
): void {
  const names = [...cookiesOf(request).keys()].filter(name => name.startsWith(BEGUN.name))
  if (names.length >= MOST_BEGUN) for (const name of names) set(reply, `${name}=`, BEGUN.attributes, 0, isSecure)
  set(reply, `${nameOf(state)}=${sealed}`, BEGUN.attributes, MAX_AGE_SECONDS, isSecure)
}

/** What the browser began with, for the last time. */
export function takeBegun(request: FastifyRequest, reply: FastifyReply, state: string, isSecure: boolean) {
  const sealed = /^[\w-]{20,128}$/.test(state) ? cookiesOf(request).get(nameOf(state)) : undefined
  if (sealed !== undefined) set(reply, `${nameOf(state)}=`, BEGUN.attributes, 0, isSecure)
  return sealed
}

export function identityCookie(request: FastifyRequest): string | undefined {
  return cookiesOf(request).get(TOLD.name)
}

/** Gives the browser the secret of what the provider has told; null makes it forget the one it has. */
export function setIdentityCookie(reply: FastifyReply, secret: string | null, isSecure: boolean): void {
  set(reply, `${TOLD.name}=${secret ?? ''}`, TOLD.attributes, secret === null ? 0 : MAX_AGE_SECONDS, isSecure)
}
