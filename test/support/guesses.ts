import { mintCredential } from '../../src/domain/access/credentials.ts'
import type { Diwan } from './diwan.ts'
import { SERVER_SECRET } from './server-process.ts'

interface Guess {
  /** A place where a credential is taken, and a request with one that has the right form and that nobody was given. */
  request: () => { method: string; path: string; headers?: Record<string, string>; json?: object; form?: object }
  /** Calls of the API are slowed by the address alone. */
  isOfApi?: boolean
}

const made = (prefix: Parameters<typeof mintCredential>[0]) => mintCredential(prefix, SERVER_SECRET).token
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const post = (path: string, json: object) => ({ method: 'POST', path, json })
const form = (path: string, fields: object) => ({ method: 'POST', path, form: { client_id: 'x', ...fields } })

/** Every place where somebody could guess a token, a code or a session. */
export const GUESSES: Record<string, Guess> = {
  'an API key': {
    isOfApi: true,
    request: () => ({ method: 'GET', path: '/api/v1/me', headers: bearer(made('svc_api_')) }),
  },
  'a key of an agent': {
    isOfApi: true,
    request: () => ({ method: 'POST', path: '/mcp', headers: bearer(made('svc_api_')) }),
  },
  'a token of an app': {
    isOfApi: true,
    request: () => ({ method: 'POST', path: '/mcp', headers: bearer(made('svc_app_')) }),
  },
  'a personal token': { request: () => ({ method: 'GET', path: '/admin/v1/me', headers: bearer(made('svc_')) }) },
  'a personal token, for records': {
    request: () => ({ method: 'GET', path: '/admin/v1/companies/1/records/projects', headers: bearer(made('svc_')) }),
  },
  'a session': {
    request: () => ({ method: 'GET', path: '/admin/v1/me', headers: { cookie: `diwan_session=${made('svc_ses_')}` } }),
  },
  'the operator token': {
    request: () => ({ method: 'GET', path: '/admin/v1/companies', headers: bearer(`operator-${Math.random()}`) }),
  },
  'the operator token, for metrics': {
    request: () => ({ method: 'GET', path: '/metrics', headers: bearer(`operator-${Math.random()}`) }),
  },
  'a token that begins a session': { request: () => post('/admin/v1/sessions', { token: made('svc_') }) },
  'the link of the first start': { request: () => post('/admin/v1/sessions', { code: made('svc_link_') }) },
  'the code of an invitation': { request: () => post('/admin/v1/invitations/accept', { code: made('svc_inv_') }) },
  'the code of an app': {
    request: () =>
      form('/oauth/token', {
        grant_type: 'authorization_code',
        redirect_uri: 'https://app.example.com/callback',
        code_verifier: 'x'.repeat(43),
        code: made('svc_code_'),
      }),
  },
  'a token that renews': {
    request: () => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: made('svc_refresh_') }),
  },
  'a token that is given up': { request: () => form('/oauth/revoke', { token: made('svc_app_') }) },
}

/** Guesses once from this address, and tells the status. */
export async function guessed(diwan: Diwan, place: string, address: string): Promise<number> {
  const { method, path, headers = {}, json, form } = (GUESSES[place] as Guess).request()
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  const body = json ? JSON.stringify(json) : form && new URLSearchParams({ ...form }).toString()
  const { status } = await diwan.client('').send(method, path, {
    headers: { 'x-forwarded-for': address, ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
  })
  return status
}
