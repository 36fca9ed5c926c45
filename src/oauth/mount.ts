import type { FastifyInstance } from 'fastify'
import { BurstExceeded } from '../domain/errors.ts'
import { type Exchange, ownUrl, type Request } from '../http/requests/request.ts'
import { addressKey } from '../lib/address-key.ts'
import { authorize } from './authorize.ts'
import { clientFinder } from './client-documents.ts'
import { authorizationServer, protectedResource } from './metadata.ts'
import type { OAuthParts } from './parts.ts'
import { Refused, refuse } from './refused.ts'
import { register } from './register.ts'
import { exchange, giveUp } from './token.ts'

/** No body here is long, and anybody may send one: 20 redirects of 2,048 characters, or the few fields of a form, two of them URLs. */
const MOST_BYTES = { register: 64 * 1024, token: 16 * 1024, revoke: 16 * 1024 }

/**
 * OAuth 2.1 for agents that cannot carry a key: an app asks for access to `/mcp`, a person grants it in the console, and the app
 * calls with tokens that stand for a key (decision 28).
 */
export function mountOAuth(app: FastifyInstance, parts: OAuthParts): void {
  const { publicUrl, slowed } = parts
  const withClients = { ...parts, findClient: clientFinder(parts) }

  // An address that has a path of its own is looked for below the well-known one.
  const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  for (const below of new Set(['', '/mcp', `${path}/mcp`]))
    app.get(`/.well-known/oauth-protected-resource${below}`, async request =>
      protectedResource(ownUrl(request, publicUrl)),
    )
  for (const below of new Set(['', path]))
    app.get(`/.well-known/oauth-authorization-server${below}`, async request =>
      authorizationServer(ownUrl(request, publicUrl)),
    )

  app.get<Exchange>('/oauth/authorize', { onRequest: slow }, (request, reply) => authorize(withClients, request, reply))
  const posts = { register, token: exchange, revoke: giveUp }
  for (const name of ['register', 'token', 'revoke'] as const)
    app.post<Exchange>(
      `/oauth/${name}`,
      {
        async onRequest(request, reply) {
          request.bodyLimitBytes = MOST_BYTES[name]
          reply.header('cache-control', 'no-store')
          if (name === 'register') await slow(request)
        },
      },
      async (request, reply) => {
        try {
          return await posts[name](withClients, request, reply)
        } catch (error) {
          if (!(error instanceof Refused)) throw error
          return refuse(parts, reply, error)
        }
      },
    )

  /** Whoever may leave something here without being known does so slowly. Wrong codes and tokens are slowed like wrong tokens. */
  async function slow(request: Request): Promise<void> {
    const wait = await slowed.admit(`app:${addressKey(request.ip)}`)
    if (wait === 0) return
    parts.countRefusal('too_fast')
    throw new BurstExceeded(wait)
  }
}
