import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client'
import { type IdentityProvider, ProviderError, type SignInFailure } from '../domain/ports/identity-provider.ts'

/** The provider's description of itself is read again after this long, and as soon as a sign-in has failed. */
const DISCOVERED_FOR_MS = 3_600_000
/** Nobody is sent to a provider that has not answered for longer than this: there the browser would only say that it is gone. */
const ALIVE_FOR_MS = 5_000
/** For each request to the provider: somebody waits in front of a browser. */
const TIMEOUT_SECONDS = 5
/** By how much the clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 60
const SCOPE = 'openid email profile'

export interface OidcSettings extends Pick<IdentityProvider, 'name' | 'isRequired'> {
  issuer: string
  clientId: string
  clientSecret: string
}

/** `callback` is the URL to which the provider sends people back. */
export function createOidc(config: OidcSettings, callback: string): IdentityProvider {
  const issuer = new URL(config.issuer)
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
  let known: { at: number; metadata: Promise<ServerMetadata> } | undefined

  return {
    name: config.name,
    isRequired: config.isRequired,

    async begin() {
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const client = await connected(ALIVE_FOR_MS)
      const url = buildAuthorizationUrl(client, {
        redirect_uri: callback,
        scope: SCOPE,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, attempt }
    },

    async finish(query, { state, nonce, verifier }) {
      const client = await connected(DISCOVERED_FOR_MS)
      try {
        const tokens = await authorizationCodeGrant(client, new URL(`${callback}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const told = tokens.claims()
        if (!told) throw new Error('There is no ID token')
        const { iss, sub } = told
        // Many providers tell the address only to those who ask for it.
        const isMissing = told.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined
        const claims = isMissing ? await fetchUserInfo(client, tokens.access_token, sub) : told
        return { issuer: iss, subject: sub, ...addressIn(claims) }
      } catch (error) {
        // Something may have changed there.
        known = undefined
        throw new ProviderError(failureOf(error), reasonOf(error))
      }
    },

    async check() {
      await metadata(0)
      return { state: 'ok', message: 'The identity provider answers.' }
    },
  }

  /** Keys are not kept: each sign-in asks for those that the provider signs with now, so that they can change at any time. */
  async function connected(withinMs: number): Promise<Configuration> {
    const server = await metadata(withinMs)
    const client = new Configuration(
      server,
      config.clientId,
      { client_secret: config.clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticationFor(server),
    )
    client.timeout = TIMEOUT_SECONDS
    for (const allow of insecure) allow(client)
    enableNonRepudiationChecks(client)
    return client
  }

  function authenticationFor({ token_endpoint_auth_methods_supported: methods }: ServerMetadata) {
    // Basic is what the standard takes for granted.
    const isPost = methods !== undefined && !methods.includes('client_secret_basic')
    return isPost ? ClientSecretPost(config.clientSecret) : ClientSecretBasic(config.clientSecret)
  }

  /** What the provider said of itself, not longer ago than this. Those who ask at the same time share one request. */
  async function metadata(withinMs: number): Promise<ServerMetadata> {
    if (!known || performance.now() - known.at > withinMs) known = { at: performance.now(), metadata: discover() }
    const asked = known
    try {
      return await asked.metadata
    } catch (error) {
      if (known === asked) known = undefined
      throw new ProviderError('unreachable', reasonOf(error))
    }
  }

  async function discover(): Promise<ServerMetadata> {
    const options = { execute: insecure, timeout: TIMEOUT_SECONDS }
    const found = await discovery(issuer, config.clientId, undefined, undefined, options)
    // Without what the library adds, which cannot be copied.
    return JSON.parse(JSON.stringify(found.serverMetadata()))
  }
}

/** How Entra writes it. */
const VOUCHED_FOR = new Set<unknown>([true, 1, '1'])

/** Entra does not say `email_verified`, but whether the directory owns the domain of the address. */
function addressIn({ email, email_verified, xms_edov }: Record<string, unknown>) {
  const isTold = typeof email === 'string' && email !== '' && email.length <= 255
  const isVerified = email_verified === undefined ? VOUCHED_FOR.has(xms_edov) : email_verified === true
  return { email: isTold ? email : null, email_verified: isTold && isVerified }
}

interface Failure {
  message?: string
  code?: string
  name?: string
  status?: number
  /** What the provider said, by OAuth's words. */
  error?: string
  error_description?: string
  cause?: unknown
}

function failureOf(error: unknown): SignInFailure {
  const { code, name, status = 0, cause } = error as Failure
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'refused'
  const isSilent =
    name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && code === undefined)
  if (isSilent || status >= 500 || (cause instanceof Response && cause.status >= 500)) return 'unreachable'
  return 'failed'
}

/** For the log: what went wrong and why, and nothing of what was sent. */
function reasonOf(error: unknown): string {
  const { message = '', code, error: said, error_description, cause } = error as Failure
  const inner = cause instanceof Error ? reasonOf(cause) : undefined
  return [message, code, said, error_description, inner].filter(Boolean).join(': ').slice(0, 1_000)
}
