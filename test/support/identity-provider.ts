import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

const CLIENT_ID = 'diwan'
const CLIENT_SECRET = 'secret-of-the-client-which-nobody-guesses'

/** What the provider tells about an account. */
export type Account = { email?: string; email_verified?: boolean } & Record<string, unknown>

/** A real OpenID provider on loopback. Its page asks for the name of an account and believes it. */
export interface TestProvider {
  issuer: string
  settings: { issuer: string; clientId: string; clientSecret: string; name: string; isRequired: boolean }
  accounts: Map<string, Account>
  /** How often each path was asked for. */
  asked: Map<string, number>
  /** Signs with another key from now on. */
  rotate(): Promise<void>
  /** Changes what an ID token says, and signs it again. */
  alter: ((claims: JWTPayload) => JWTPayload) | undefined
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
  let key: JWK
  let provider: Provider
  let answer: ReturnType<Provider['callback']>
  const server = createServer((request, response) => void serve(request, response))
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
  await rotate()
  return running

  async function rotate(): Promise<void> {
    key = await newKey()
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

  /** The token is signed again when the answer is complete. */
  function alterAnswer(response: ServerResponse): void {
    const end = response.end.bind(response)
    response.end = ((body: string | Buffer) => {
      void altered(String(body)).then(text => {
        response.removeHeader('content-length')
        end(text)
      })
      return response
    }) as typeof response.end
    // The length is not known yet.
    const setHeader = response.setHeader.bind(response)
    response.setHeader = ((name: string, value: string) =>
      name.toLowerCase() === 'content-length' ? response : setHeader(name, value)) as typeof response.setHeader
  }

  async function altered(body: string): Promise<string> {
    const tokens = JSON.parse(body)
    if (!tokens.id_token) return body
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
    const signer = running.isForged ? { ...(await newKey()), kid: key.kid as string } : key
    const token = new SignJWT(running.alter ? running.alter(claims) : claims).setProtectedHeader({
      alg: 'RS256',
      kid: signer.kid as string,
    })
    return JSON.stringify({ ...tokens, id_token: await token.sign(await importJWK(signer, 'RS256')) })
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise(resolve => server.listen(port, '127.0.0.1', resolve))
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: 'sig', alg: 'RS256' }
}

function configuration(callbacks: string[], key: JWK, accounts: Map<string, Account>): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: callbacks,
        // As web applications may not be on plain http, not even on loopback.
        ...(callbacks.some(callback => callback.startsWith('http:')) && { application_type: 'native' }),
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
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
