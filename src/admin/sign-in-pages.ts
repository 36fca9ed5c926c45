import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { digestOf, mintCredential } from '../domain/access/credentials.ts'
import { BurstExceeded } from '../domain/errors.ts'
import type { Encryption } from '../domain/installation/encryption.ts'
import { keepIdentity } from '../domain/people/sign-in-links.ts'
import {
  type Attempt,
  CALLBACK_PATH,
  type IdentityProvider,
  ProviderError,
  type ProviderIdentity,
  type SignInFailure,
} from '../domain/ports/identity-provider.ts'
import { PAGE_HEADERS } from '../http/pages/page-headers.ts'
import { BEGUN_FOR_MS, keepBegun, setIdentityCookie, takeBegun } from '../http/requests/identity-cookies.ts'
import type { SignIn } from '../http/requests/sign-in.ts'

export interface SignInPagesParts {
  db: Db
  provider: IdentityProvider
  signIn: SignIn
  encryption: Encryption
  serverSecret: string
  publicUrl: string
  log: Logger
}

const PURPOSE = 'sign-in'
const HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-store' }

/** Where a browser begins to sign in with the identity provider. */
export const SIGN_IN_PATH = '/sign-in'

/**
 * The way of a browser to the identity provider and back. What it began with is sealed in a cookie of its own, so that any node
 * can take it back and no other browser can. It ends at the console, which says in words what went wrong, or goes on with
 * `POST /sessions`. Nothing in the request decides where it ends.
 */
export function mountSignInPages(app: FastifyInstance, parts: SignInPagesParts): void {
  const { db, provider, signIn, encryption, serverSecret, publicUrl, log } = parts
  const isSecure = publicUrl.startsWith('https:')

  app.get(SIGN_IN_PATH, async (request, reply) => {
    reply.headers(HEADERS)
    try {
      const { url, attempt } = await provider.begin()
      const sealed = seal({ ...attempt, until: Date.now() + BEGUN_FOR_MS })
      keepBegun(request, reply, { state: attempt.state, sealed, isSecure })
      return reply.redirect(url, 303)
    } catch (error) {
      return leave(request, reply, error)
    }
  })

  app.get(CALLBACK_PATH, async (request, reply) => {
    reply.headers(HEADERS)
    try {
      const query = new URLSearchParams(request.url.split('?')[1] ?? '')
      const state = query.get('state') ?? ''
      const attempt = unseal(takeBegun(request, reply, state, isSecure))
      if (attempt?.state !== state)
        throw new ProviderError('again', 'The state is not one that this browser began with in the last minutes')
      const identity = await slowed(request, () => provider.finish(query, attempt))
      const { token, digest } = mintCredential('svc_idp_', serverSecret)
      if (!(await keepIdentity(db, { digest, state_digest: digestOf(state, serverSecret) }, identity)))
        throw new ProviderError('again', 'The state was used before')
      setIdentityCookie(reply, token, isSecure)
      return end(reply, 'done')
    } catch (error) {
      return leave(request, reply, error)
    }
  })

  /** Each attempt asks the provider, so those that fail are counted by address, as wrong tokens are. */
  async function slowed(request: FastifyRequest, finish: () => Promise<ProviderIdentity>): Promise<ProviderIdentity> {
    let failure: unknown
    const identity = await signIn.attempt(request, () =>
      finish().catch(error => {
        failure = error
        return undefined
      }),
    )
    if (!identity) throw failure
    return identity
  }

  function seal(begun: Begun): string {
    return encryption.encrypt(JSON.stringify(begun), PURPOSE).toString('base64url')
  }

  function unseal(sealed: string | undefined): Attempt | undefined {
    if (sealed === undefined) return undefined
    try {
      const begun: Begun = JSON.parse(encryption.decrypt(Buffer.from(sealed, 'base64url'), PURPOSE))
      return begun.until > Date.now() ? begun : undefined
    } catch {
      // It was altered, or sealed under another server secret.
      return undefined
    }
  }

  function leave(request: FastifyRequest, reply: FastifyReply, error: unknown) {
    if (error instanceof ProviderError) {
      const { failure, message } = error
      log.warn({ request_id: request.id, failure, reason: message }, 'Nobody was signed in with the identity provider')
      return end(reply, failure)
    }
    if (error instanceof BurstExceeded) return end(reply, 'too_many')
    log.error({ request_id: request.id, err: error }, 'The sign-in with the identity provider failed')
    return end(reply, 'failed')
  }
}

type Begun = Attempt & { until: number }

function end(reply: FastifyReply, outcome: SignInFailure | 'too_many' | 'done') {
  return reply.redirect(`/console#sign-in=${outcome}`, 303)
}
