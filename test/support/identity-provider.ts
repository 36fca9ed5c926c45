import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

const CLIENT_ID = 'diwan'
const CLIENT_SECRET = 'secret-of-the-client-which-nobody-guesses'

/** What the provider tells about an account. */
export type Account = { email?: string; email_verified?: boolean } & Record<string, unknown>

type Claims = Record<string, unknown> & { exp: number }

/** A real OpenID provider on loopback. Its page asks for the name of an account and believes it. */
export interface TestProvider {
  issuer: string
  settings: { issuer: string; clientId: string; clientSecret: string; name: string; isRequired: boolean }
  accounts: Map<string, Account>
  /** How often each path was asked for. */
  asked: Map<string, number>
  /** Signs with another key from now on. */
  rotate(): void
  /** Changes what an ID token says, and signs it again. */
  alter: ((claims: Claims) => Claims) | undefined
  /** Signs altered tokens with a key that the provider does not have. */
  isForged: boolean
  /** Answers requests with this status, or with nothing at all. */
  trouble: number | 'silence' | undefined
  stop(): Promise<void>
  /** Listens again on the port it had. */
  resume(): Promise<void>
}

export async function startProvider(callbacks: string[]): Promise<TestProvider> {
  const accounts = new Map<string, Account>()
  const asked = new Map<string, number>()
  let key: Key
  let provider: Provider
  let answer: ReturnType<Provider['callback']>
  const server = createServer((request, response) => void serve(request, response))
  // A connection that ends while a request is on its way would look like a provider in trouble.
  server.keepAliveTimeout = 0
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const running: TestProvider = {
    issuer,
    settings: { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, name: 'Najd account', isRequired: false },
    accounts,
    asked,
    rotate,
    alter: undefined,
    isForged: false,
    trouble: undefined,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    resume: () => listen(server, port),
  }
  rotate()
  return running

  function rotate(): void {
    key = newKey()
    provider = new Provider(issuer, configuration(callbacks, key, accounts))
    answer = provider.callback()
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] as string
    asked.set(path, (asked.get(path) ?? 0) + 1)
    if (running.trouble === 'silence') return
    if (running.trouble) return void response.writeHead(running.trouble).end('Out of order')
    if (path.startsWith('/interaction/')) return interact(request, response)
    if (path === '/token' && (running.alter || running.isForged)) alterAnswer(response)
    await answer(request, response)
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      return void response.end(
        '<!doctype html><title>Provider</title><form method="post"><label>Account <input name="account"></label><button>Enter</button> <button name="refused" value="1">Refuse</button></form>',
      )
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const said = new URLSearchParams(body)
    const result = said.has('refused')
      ? { error: 'access_denied', error_description: 'The person said no' }
      : { login: { accountId: said.get('account') ?? '' } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  /** The token is signed again when the answer is complete. Its length is not known before. */
  function alterAnswer(response: ServerResponse): void {
    const end = response.end.bind(response)
    response.end = ((body: string | Buffer) => {
      return end(altered(String(body)))
    }) as typeof response.end
    const setHeader = response.setHeader.bind(response)
    response.setHeader = ((name: string, value: string) =>
      name.toLowerCase() === 'content-length' ? response : setHeader(name, value)) as typeof response.setHeader
  }

  function altered(body: string): string {
    const tokens = JSON.parse(body)
    if (!tokens.id_token) return body
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
    const signed = [{ alg: 'RS256', kid: key.kid }, running.alter ? running.alter(claims) : claims]
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signer = createPrivateKey({ key: running.isForged ? newKey() : key, format: 'jwk' })
    const signature = sign('sha256', Buffer.from(signed), signer).toString('base64url')
    return JSON.stringify({ ...tokens, id_token: `${signed}.${signature}` })
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise(resolve => server.listen(port, '127.0.0.1', resolve))
}

type Key = JsonWebKey & { kid: string }

function newKey(): Key {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }
}

function configuration(callbacks: string[], key: Key, accounts: Map<string, Account>): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: callbacks,
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const account = accounts.get(id)
      return account && { accountId: id, claims: () => ({ sub: id, ...account }) }
    },
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    renderError(ctx, { error, error_description }) {
      ctx.body = `${error}: ${error_description}`
    },
  } as Configuration
}
