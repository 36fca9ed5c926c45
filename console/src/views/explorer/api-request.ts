import { CallFailed, queryString } from '../../api/call.ts'
import type { Endpoint, Parameter } from './description.ts'
import { shown } from './json-text.tsx'

/** What the reader has filled in: parameters by place and name, and the body as text. */
export interface Filled {
  values: Record<string, string>
  body: string
}

export const fieldOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`

/** A call as it is sent, without the key. */
export interface ApiRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

export function requestOf(prefix: string, endpoint: Endpoint, { values, body }: Filled): ApiRequest {
  const given = (place: Parameter['in']) =>
    Object.fromEntries(
      endpoint.parameters
        .filter(parameter => parameter.in === place && values[fieldOf(parameter)])
        .map(parameter => [parameter.name, values[fieldOf(parameter)] as string]),
    )
  const inPath = given('path')
  const path = endpoint.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    inPath[name] ? encodeURIComponent(inPath[name]) : whole,
  )
  const hasBody = endpoint.example !== undefined
  return {
    method: endpoint.method,
    path: `${prefix}${path}${queryString(given('query'))}`,
    headers: { Accept: 'application/json', ...given('header'), ...(hasBody && { 'Content-Type': 'application/json' }) },
    body: hasBody ? body : undefined,
  }
}

/** The key is a shell variable, so a command that is passed on contains no secret. */
export function curlOf({ method, path, headers, body }: ApiRequest): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(location.origin + path)}`,
    `-H "Authorization: Bearer $DIWAN_KEY"`,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'Accept')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(shown(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export interface ApiAnswer {
  status: number
  headers: Headers
  ms: number
  type: string
  bytes: Blob
  /** Undefined if the body is not text. */
  text: string | undefined
}

const DEADLINE_MS = 30_000

/** Sends only the key: the session of the console is not used. */
export async function sendRequest(key: string, { method, path, headers, body }: ApiRequest): Promise<ApiAnswer> {
  const startedAt = performance.now()
  try {
    const response = await fetch(path, {
      method,
      headers: { ...headers, Authorization: `Bearer ${key}` },
      body: body ?? null,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const bytes = await response.blob()
    const type = response.headers.get('content-type') ?? ''
    const isText = bytes.size === 0 || /^(?:text\/|application\/json\b)/.test(type)
    return {
      status: response.status,
      headers: response.headers,
      ms: Math.round(performance.now() - startedAt),
      type,
      bytes,
      text: isText ? await bytes.text() : undefined,
    }
  } catch {
    throw new CallFailed(0, 'unreachable', 'The server cannot be reached.')
  }
}
