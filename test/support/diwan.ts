import { OPERATIONS } from '../../src/domain/access/operations.ts'
import { noonZone } from './noon-zone.ts'

/** A client over HTTP, and factories for what tests need: each creates its own parents, also over HTTP. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
  send(
    method: string,
    path: string,
    init?: { body?: string | Uint8Array; headers?: Record<string, string> },
  ): Promise<Answer>
}

export interface TestCompany {
  id: number
  owner: { id: number; name: string; email: string }
  ownerToken: string
  /** A client of the company's administration API, signed in as the owner. */
  admin: Client
  /** A client with a key that has every operation and right, and the key itself. */
  api: Client
  key: string
}

const ALL_RIGHTS = ['manage_files', 'delete_any_task_or_list', 'delete_any_file']

export class Diwan {
  readonly operator: Client

  constructor(
    readonly url: string,
    readonly operatorToken: string,
  ) {
    this.operator = this.client('/admin/v1', operatorToken)
  }

  client(prefix: string, token?: string): Client {
    const send: Client['send'] = async (method, path, { body, headers = {} } = {}) => {
      const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(this.url + prefix + path, {
        method,
        headers: { ...authorization, ...headers },
        redirect: 'manual',
        ...(body !== undefined && { body: body as BodyInit }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
      return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
    }
    const sendJson = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      body === undefined
        ? send(method, path, { headers })
        : send(method, path, {
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json', ...headers },
          })
    return {
      send,
      get: (path, headers = {}) => send('GET', path, { headers }),
      post: (path, body, headers) => sendJson('POST', path, body, headers),
      patch: (path, body) => sendJson('PATCH', path, body),
      put: (path, body, headers) => sendJson('PUT', path, body, headers),
      delete: path => send('DELETE', path),
    }
  }

  /** A client of the API with this key. */
  api(key?: string): Client {
    return this.client('/api/v1', key)
  }

  /** A client of one company's administration with this token. */
  admin(companyId: number, token: string): Client {
    return this.client(`/admin/v1/companies/${companyId}`, token)
  }

  async company(settings: Record<string, unknown> = {}): Promise<TestCompany> {
    const unique = Math.random().toString(36).slice(2)
    const { data } = await created(
      this.operator.post('/companies', {
        name: `Company ${unique}`,
        // Where calls are counted, the day must not end during the test.
        time_zone: 'daily_calls' in settings ? noonZone() : 'Asia/Riyadh',
        plan: 'enterprise',
        rest_api: true,
        owner: { name: 'Layla Haddad', email: `layla.${unique}@example.com` },
        ...settings,
      }),
    )
    const admin = this.admin(data.id, data.owner_token)
    const key = await this.key(data.id)
    return { id: data.id, owner: data.owner, ownerToken: data.owner_token, admin, api: this.api(key), key }
  }

  /** Creates a key of the company, with every operation and right unless the settings say otherwise. */
  async key(companyId: number, settings: Record<string, unknown> = {}): Promise<string> {
    const defaults = { name: 'Test', access: 'write', operations: ALL_OPERATIONS, rights: ALL_RIGHTS }
    const { data } = await created(this.operator.post(`/companies/${companyId}/keys`, { ...defaults, ...settings }))
    return data.key
  }

  /** Adds a person to the company, with a token of their own. */
  async person(companyId: number, settings: Record<string, unknown> = {}) {
    const unique = Math.random().toString(36).slice(2)
    const { data } = await created(
      this.operator.post(`/companies/${companyId}/users`, {
        name: 'Omar Aziz',
        email: `omar.${unique}@example.com`,
        ...settings,
      }),
    )
    const token = await created(this.operator.post(`/companies/${companyId}/users/${data.id}/tokens`, { name: 'Test' }))
    return { ...data, token: token.data.token as string, admin: this.admin(companyId, token.data.token) }
  }

  async project(company: TestCompany, fields: Record<string, unknown> = {}) {
    return (await created(company.api.post('/projects', { name: 'Website launch', ...fields }))).data
  }
}

export async function created(answering: Promise<Answer>) {
  const answer = await answering
  if (answer.status !== 201) throw new Error(`Expected 201, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const ALL_OPERATIONS: string[] = [...OPERATIONS]
