import { asDiwanError, DiwanError, errorOf } from './error.ts'
import { growing, pause, within } from './waiting.ts'

export interface Settings {
  /** The URL of the server: `https://diwan.example.com`. */
  url: string
  /** An API key: `svc_api_…`. For `request` on paths of the administration, a token. */
  key: string
  /** How long one attempt may take. Default: 30 seconds. */
  timeoutMs?: number
  /** How often a call that failed on the way is retried. Default: 2. */
  retries?: number
  /** How long a call may wait between its attempts, in total. A longer `Retry-After` is thrown at once. Default: 60 seconds. */
  maxWaitMs?: number
  /** Waits before another attempt. What it throws ends the call. Default: a timer. */
  wait?: (ms: number, error: DiwanError, signal: AbortSignal | undefined) => Promise<void>
  /** The function that sends the requests. Default: the `fetch` of the platform. */
  fetch?: typeof fetch
}

export interface Request {
  method: string
  path: string
  query?: object | undefined
  /** Text is sent as it is. */
  body?: object | string | undefined
  headers?: Record<string, string>
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Sender {
  /** The answer, if it is a success, read within the time limit of an attempt. Retries where that is safe. */
  send<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T>
  /** One attempt, whose answer has not been read yet. */
  open(request: Request): Promise<Response>
  maxWaitMs: number
  wait: NonNullable<Settings['wait']>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** A path that does not name its surface is below `prefix`. */
export function createSender(settings: Settings, prefix: string): Sender {
  const { timeoutMs = 30_000, retries = 2, maxWaitMs = 60_000, fetch = globalThis.fetch } = settings
  const wait = settings.wait ?? ((ms, _error, signal) => pause(ms, signal))
  const addressOf = (path: string) =>
    settings.url.replace(/\/$/, '') + (/^\/(api|admin)\//.test(path) ? '' : prefix) + path

  async function open({ method, path, query, body, headers, signal }: Request): Promise<Response> {
    const response = await reach(
      fetch(addressOf(path) + search(query), {
        method,
        headers: {
          authorization: `Bearer ${settings.key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    )
    if (!response.ok) throw await reach(errorOf(response))
    return response
  }

  return {
    open,
    maxWaitMs,
    wait,
    async send(request, read) {
      let [failures, waitedMs] = [0, 0]
      for (;;) {
        try {
          return await within(request.timeoutMs ?? timeoutMs, request.signal, async signal =>
            reach(read(await open({ ...request, signal }))),
          )
        } catch (error) {
          if (!(error instanceof DiwanError)) throw error
          const waitMs = pauseBefore(error, request.method, failures < retries ? failures : undefined)
          if (waitMs === undefined || waitedMs + waitMs > maxWaitMs) throw error
          if (!isThrottled(error)) failures++
          waitedMs += waitMs
          await wait(waitMs, error, request.signal)
        }
      }
    },
  }
}

/** A list repeats the parameter; undefined values are left out. */
function search(query: object | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const each of [value].flat()) if (each !== undefined && each !== null) parameters.append(name, String(each))
  const text = String(parameters)
  return text && `?${text}`
}

/** A failure on the way is a `DiwanError` too. */
async function reach<T>(answering: Promise<T>): Promise<T> {
  try {
    return await answering
  } catch (error) {
    throw asDiwanError(error)
  }
}

const isThrottled = ({ status }: DiwanError) => status === 429

/**
 * How long to wait before the next attempt; undefined when there should be none. A 429 and a 409 have done nothing. For other
 * failures nobody knows whether the request was carried out: then a read may be repeated, and so may a POST, because all its
 * attempts carry one `Idempotency-Key`. What the server has refused for good, such as `plan_upgrade_required`, is never sent
 * again.
 */
function pauseBefore(error: DiwanError, method: string, failures: number | undefined): number | undefined {
  if (isThrottled(error)) return Math.max(error.retryAfterSeconds ?? 1, 1) * 1000
  const isRepeatable = error.status === 409 || (isOfTheWay(error) && (method === 'GET' || method === 'POST'))
  return isRepeatable && failures !== undefined ? growing(FIRST_PAUSE_MS, failures, LONGEST_PAUSE_MS) : undefined
}

/** True when the request itself was not at fault, so that the same request may soon succeed. */
export function isOfTheWay({ status }: DiwanError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504
}
