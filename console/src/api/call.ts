import { preferredLanguage } from '../words/language.ts'
import type { Endpoints, Failure } from './endpoints.ts'

/** An endpoint in its usual notation: `GET /companies/{company}/keys`. */
export type Route = keyof Endpoints
export type Answer<R extends Route> = Endpoints[R]['answer']

type Part<R extends Route, P extends 'params' | 'query' | 'body'> = Endpoints[R][P]
export interface Request<R extends Route> {
  params?: Part<R, 'params'>
  query?: Part<R, 'query'>
  body?: Part<R, 'body'>
  signal?: AbortSignal
  /** The version of the record that a write is meant for: it is refused with 412 when there is another by now. */
  ifMatch?: string
  /** The same for every attempt at one write: it is done once, however often it arrives. */
  idempotencyKey?: string
  /** Nobody waits for it, so it is not shown as progress. */
  isUnnoticed?: boolean
}

/** The server's refusal, or that it could not be reached (status 0). */
export class CallFailed extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterSeconds?: number,
    readonly requestId?: string,
  ) {
    super(message)
  }

  /** Whether the same call may soon succeed. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }

  /** Whether the server was not reached. For one that is gone, a proxy answers with 502 or 504. */
  get isUnreached(): boolean {
    return [0, 502, 504].includes(this.status)
  }
}

type Listener = (underway: number) => void
let underway = 0
const listeners = new Set<Listener>()

/** Reports how many calls are in progress. */
export function onUnderway(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function setUnderway(change: 1 | -1): void {
  underway += change
  for (const listener of listeners) listener(underway)
}

/** Counts as in progress until it ends, successfully or not. */
export async function whileUnderway<T>(work: Promise<T>): Promise<T> {
  setUnderway(1)
  try {
    return await work
  } finally {
    setUnderway(-1)
  }
}

const DEADLINE_MS = 20_000

/** Calls the administration surface. The session is in a cookie; a page of another site cannot send the header. */
export async function call<R extends Route>(route: R, request: Request<R> = {}): Promise<Answer<R>> {
  const response = await send(route, request)
  if (response.ok) return (await response.json()) as Answer<R>
  throw await failureOf(response, route)
}

export interface Tagged<T> {
  answer: T
  /** Stands for this version of the record. */
  tag: string
}

/** The same with the version of the record that the answer shows. */
export async function callTagged<R extends Route>(route: R, request: Request<R>): Promise<Tagged<Answer<R>>> {
  const response = await send(route, request)
  if (!response.ok) throw await failureOf(response, route)
  return { answer: (await response.json()) as Answer<R>, tag: response.headers.get('etag') ?? '*' }
}

/** The same with the answer as a file, for answers that are not JSON. */
export async function download<R extends Route>(route: R, request: Request<R>, accept: string): Promise<Blob> {
  const response = await send(route, request, accept)
  if (response.ok) return response.blob()
  throw await failureOf(response, route)
}

/** The answer as it arrives, for as long as the signal lets it. */
export async function openEvents<R extends Route>(
  route: R,
  request: Request<R> & { signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(route, { ...request, isUnnoticed: true }, 'text/event-stream', [])
  if (response.ok && response.body) return response.body
  throw await failureOf(response, route)
}

async function send<R extends Route>(
  route: R,
  { params, query, body, signal, ifMatch, idempotencyKey, isUnnoticed }: Request<R>,
  accept?: string,
  deadline = [AbortSignal.timeout(DEADLINE_MS)],
): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  // The browser's own `Accept-Language` may be another than the language chosen here.
  const headers: Record<string, string> = { 'x-diwan-console': '1', 'accept-language': preferredLanguage() }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (accept) headers.accept = accept
  if (ifMatch) headers['if-match'] = ifMatch
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  const answering = fetch(`/admin/v1${filled(path, params ?? {})}${queryString(query ?? {})}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.any([...deadline, ...(signal ? [signal] : [])]),
  })
  try {
    return await (isUnnoticed ? answering : whileUnderway(answering))
  } catch (error) {
    if (signal?.aborted) throw error
    dispatchEvent(new Event('server-unreached'))
    throw new CallFailed(0, 'unreachable', 'The server cannot be reached.')
  }
}

function filled(path: string, params: object): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
}

export function queryString(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
  return search.size ? `?${search}` : ''
}

/** For these a refused credential is an answer, and not the end of a session. */
const ASKED_WITHOUT_SESSION: string[] = [
  'GET /me',
  'GET /sign-in',
  'POST /sessions',
  'POST /invitations/accept',
] satisfies Route[]

/** What the server said when it refused a call. */
export async function failureOf(response: Response, route: string): Promise<CallFailed> {
  const { status, headers } = response
  if (status === 401 && !ASKED_WITHOUT_SESSION.includes(route)) dispatchEvent(new Event('session-ended'))
  const body = (await response.json().catch(() => null)) as Failure | { error: string } | null
  const error = typeof body?.error === 'string' ? { code: 'rate_limit_exceeded', message: body.error } : body?.error
  return new CallFailed(
    status,
    error?.code ?? 'internal_error',
    error?.message ?? `${status} ${response.statusText}`,
    Number(headers.get('retry-after')) || undefined,
    headers.get('x-request-id') ?? undefined,
  )
}
