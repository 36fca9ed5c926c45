import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

/** A program on this machine that connects as agents do: with the official client of the protocol, and nothing but the address. */
export async function startApp(url: string, name: string) {
  let [returned, told] = [(_answer: URLSearchParams) => {}, '']
  const site = createServer((asked, answer) => {
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Back</title><h1>You can close this.</h1>')
    const { pathname, searchParams } = new URL(asked.url ?? '/', 'http://localhost')
    if (pathname === '/callback') returned(searchParams)
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const redirectUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`

  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    discovery?: OAuthDiscoveryState
    verifier?: string
  } = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    state: () => 'state-of-the-test',
    clientInformation: () => kept.client,
    saveClientInformation: client => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: tokens => void Object.assign(kept, { tokens }),
    redirectToAuthorization: to => {
      told = to.href
    },
    saveCodeVerifier: verifier => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: discovery => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
    invalidateCredentials: () => void delete kept.tokens,
  }
  const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider })
  const client = () => new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })

  return {
    redirectUrl,
    kept,
    /** Where a browser has to go first. */
    async begin(): Promise<string> {
      const refused = await client()
        .connect(transport())
        .catch((error: unknown) => error)
      if (!(refused instanceof UnauthorizedError)) throw new Error(`Expected to be refused, got ${refused}`)
      return told
    },
    /** What the browser brings back. */
    callback: () =>
      new Promise<URLSearchParams>(resolve => {
        returned = resolve
      }),
    /** Exchanges the code. */
    finish: (answer: URLSearchParams) => transport().finishAuth(answer),
    async connect(): Promise<Client> {
      const connected = client()
      await connected.connect(transport())
      return connected
    },
    close: () => site.close().closeAllConnections(),
  }
}
