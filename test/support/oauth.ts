import { hash, randomBytes } from 'node:crypto'
import type { Client, TestCompany } from './diwan.ts'

export const REDIRECT = 'https://app.example.com/callback'

/** An answer of OAuth, as an app sees it. */
export interface Told {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any
}

async function toldBy(response: Response): Promise<Told> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export interface Verifier {
  code_verifier: string
  code_challenge: string
}

export function newVerifier(): Verifier {
  const code_verifier = randomBytes(32).toString('base64url')
  return { code_verifier, code_challenge: hash('sha256', code_verifier, 'base64url') }
}

type Fields = Record<string, string | undefined>

/** Leaves out what is undefined. */
const given = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))

/** An app that speaks OAuth by hand, and can do so wrongly. */
export function appAt(url: string) {
  const post = async (path: string, fields: Fields) =>
    toldBy(await fetch(`${url}/oauth/${path}`, { method: 'POST', body: given(fields) }))

  async function register(metadata: object = {}): Promise<Told> {
    const body = JSON.stringify({ client_name: 'Planner', redirect_uris: [REDIRECT], ...metadata })
    const headers = { 'content-type': 'application/json' }
    return toldBy(await fetch(`${url}/oauth/register`, { method: 'POST', headers, body }))
  }

  /** Opens what an app has a browser open. */
  async function open(address: string, cookie = ''): Promise<Told & { id: string; cookie: string; sentTo: URL }> {
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    const told = await toldBy(response)
    const sentTo = new URL(response.headers.get('location') ?? 'none:', url)
    const id = new URLSearchParams(sentTo.hash.slice(1)).get('authorize') ?? ''
    return { ...told, id, sentTo, cookie: (response.headers.get('set-cookie') ?? '').split(';', 1)[0] as string }
  }

  /** Sends a browser to ask; the fields are those that are right, unless others are named. */
  function ask(fields: Fields, cookie?: string) {
    const usual = { response_type: 'code', redirect_uri: REDIRECT, code_challenge_method: 'S256', state: 'xyz' }
    return open(`${url}/oauth/authorize?${given({ ...usual, resource: `${url}/mcp`, ...fields })}`, cookie)
  }

  /** A person grants what was asked in their browser. Returns where the browser is sent. */
  async function grant(admin: Client, asked: { id: string; cookie: string }, settings: object = { access: 'read' }) {
    const answer = await admin.post(`/app-requests/${asked.id}/accept`, settings, { cookie: asked.cookie })
    if (answer.status !== 201) throw new Error(`Expected 201, got ${answer.status}: ${JSON.stringify(answer.body)}`)
    const sentTo = new URL(answer.body.data.redirect_to)
    return { key: answer.body.data.key, sentTo, code: sentTo.searchParams.get('code') ?? '' }
  }

  const exchange = (fields: Fields) =>
    post('token', { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...fields })
  const refresh = (client_id: string, refresh_token: string, more: Fields = {}) =>
    post('token', { grant_type: 'refresh_token', client_id, refresh_token, ...more })
  const revoke = (token: string, more: Fields = {}) => post('revoke', { token, ...more })

  /** An app that has got as far as its code. */
  async function granted({ admin }: Pick<TestCompany, 'admin'>, settings?: object) {
    const client_id: string = (await register()).body.client_id
    const verifier = newVerifier()
    const asked = await ask({ client_id, code_challenge: verifier.code_challenge })
    return { client_id, ...verifier, ...(await grant(admin, asked, settings)) }
  }

  /** An app that has its first tokens. */
  async function connected(company: Pick<TestCompany, 'admin'>, settings?: object) {
    const { client_id, code, code_verifier, key } = await granted(company, settings)
    const { body } = await exchange({ client_id, code, code_verifier })
    return {
      client_id,
      code,
      code_verifier,
      key,
      access: body.access_token as string,
      refreshToken: body.refresh_token as string,
    }
  }

  return { register, open, ask, grant, exchange, refresh, revoke, granted, connected }
}

/** Lists the tools with a bearer, as the older protocol does, and tells the status. */
export async function listTools(url: string, bearer: string): Promise<Told> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${bearer}`,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return toldBy(await fetch(`${url}/mcp`, { method: 'POST', headers, body }))
}

/** How often OAuth has refused something for this reason. */
export async function refusals(url: string, reason: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(text.match(new RegExp(`^diwan_oauth_refusals_total\\{reason="${reason}"\\} (\\d+)`, 'm'))?.[1])
}
