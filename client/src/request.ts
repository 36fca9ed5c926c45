import { asDiwanError, DiwanError, errorOf } from './error.ts'
import { growing, pause, within } from './waiting.ts'

export interface Settings {
  /** The URL of the server: `https://diwan.example.com`. */
  url: string
  /** An API key: `svc_api_…`. For `request` on paths of the administration, a token. */
  key: string
  /** How long one attempt may take. Default: 30 seconds. */
  timeoutMs?: number
  /** For how long a call that failed on the way is retried. A restart of the server is outlived. Default: 30 seconds. */
  retryForMs?: number
  /** How long a call may wait because the server asks for it, in total. A longer `Retry-After` is thrown at once. Default: 60 seconds. */
  maxWaitMs?: number
  /** Called when the server has asked for a pause, before the client waits. */
  onWait?: (pause: Pause) => void
  /** Called when an attempt has failed and there will be another, before the client waits. */
  onRetry?: (pause: Pause) => void
  /** Called with the status and the headers of every answer, before it is read. */
  onAnswer?: (answer: Answered) => void
  /** Waits before another attempt. What it throws ends the call. Default: a timer. */
  wait?: (ms: number, error: DiwanError, signal: AbortSignal | undefined) => Promise<void>
  /** The function that sends the requests. Default: the `fetch` of the platform. */
  fetch?: typeof fetch
}

/** Why and how long the client waits before another attempt. */
export interface Pause {
  waitMs: number
  error: DiwanError
}

/** What an answer says besides its body, such as `X-RateLimit-Remaining`. */
export interface Answered {
  method: string
  path: string
  status: number
  headers: Headers
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
  onAnswer?: Settings['onAnswer'] | undefined
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
  const { timeoutMs = 30_000, retryForMs = 30_000, maxWaitMs = 60_000, fetch = globalThis.fetch } = settings
  const base = settings.url.replace(/\/$/, '')
  // The address of the API is a way to name the server too.
  const server = base.endsWith(prefix) ? base.slice(0, -prefix.length) : base
  const addressOf = (path: string) => server + (/^\/(api|admin)\//.test(path) ? '' : prefix) + path

  const wait: Sender['wait'] = async (waitMs, error, signal) => {
    const tell = isThrottled(error) ? settings.onWait : settings.onRetry
    tell?.({ waitMs, error })
    await (settings.wait ? settings.wait(waitMs, error, signal) : pause(waitMs, signal))
  }

  async function open({ method, path, query, body, headers, signal, onAnswer }: Request): Promise<Response> {
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
    for (const tell of [settings.onAnswer, onAnswer])
      tell?.({ method, path, status: response.status, headers: response.headers })
    if (!response.ok) throw await reach(errorOf(response))
    return response
  }

  return {
    open,
    maxWaitMs,
    wait,
    async send(request, read) {
      let [failures, waitedMs, failingSinceMs] = [0, 0, 0]
      for (;;) {
        try {
          return await within(request.timeoutMs ?? timeoutMs, request.signal, async signal =>
            reach(read(await open({ ...request, signal }))),
          )
        } catch (error) {
          if (!(error instanceof DiwanError)) throw error
          const waitMs = pauseBefore(error, request.method, failures)
          if (waitMs === undefined) throw error
          if (isThrottled(error)) {
            waitedMs += waitMs
            if (waitedMs > maxWaitMs) throw error
          } else {
            if (failures++ === 0) failingSinceMs = Date.now()
            if (Date.now() + waitMs - failingSinceMs > retryForMs) throw error
          }
          await wait(waitMs, error, request.signal)
        }
      }
    },
  }
}

/** A list repeats the parameter, and an object names its keys in brackets; undefined values are left out. */
function search(query: object | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}).flatMap(withKeys))
    for (const each of [value].flat()) if (each !== undefined && each !== null) parameters.append(name, String(each))
  const text = String(parameters)
  return text && `?${text}`
}

function withKeys([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
  return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each])
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

/** True for the methods whose requests have an `Idempotency-Key`. */
export const isNamed = (method: string) => method === 'POST' || method === 'PUT'

/**
 * How long to wait before the next attempt; undefined when there should be none. A 429 and a 409 have done nothing. For other
 * failures nobody knows whether the request was carried out: then a read may be repeated, and so may a POST or PUT, because all
 * its attempts carry one `Idempotency-Key`. What the server has refused for good, such as `plan_upgrade_required` or an external
 * id that is taken, is never sent again.
 */
function pauseBefore(error: DiwanError, method: string, failures: number): number | undefined {
  if (isThrottled(error)) return Math.max(error.retryAfterSeconds ?? 1, 1) * 1000
  const isLostRace = error.status === 409 && error.id === undefined
  const isRepeatable = isLostRace || (isOfTheWay(error) && (method === 'GET' || isNamed(method)))
  return isRepeatable ? growing(FIRST_PAUSE_MS, failures, LONGEST_PAUSE_MS) : undefined
}

/** True when the request itself was not at fault, so that the same request may soon succeed. */
export function isOfTheWay({ status }: DiwanError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504
}
