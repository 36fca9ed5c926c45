import type { Attempt, WebhookSender } from '../domain/ports/webhook-sender.ts'
import { createGuard, type Guard, type GuardOptions, type Incoming } from './guarded-request.ts'
import { GuardedRequestError } from './guarded-request-error.ts'

/** For the whole attempt: look-up, connection, request and answer. */
const ATTEMPT_WITHIN_MS = 15_000
const ANSWER_BOUND = { bytes: 1_024, beyond: 'cut' } as const
/** A name that is not resolved in time is resolved by each attempt instead. */
const CHECK_WITHIN_MS = 3_000

/** Sends webhooks to URLs that strangers choose. Plain http is for private networks only. */
export function createWebhookSender(options: GuardOptions): WebhookSender {
  const guard = createGuard(options)
  const isEncryptedEnough = ({ protocol }: URL) => protocol === 'https:' || options.allowPrivate

  return {
    async problemOf(text) {
      const url = new URL(text)
      if (url.username !== '' || url.password !== '') return "can't carry a name or password"
      if (!isEncryptedEnough(url)) return 'must be an https URL'
      return guard.check(url, AbortSignal.timeout(CHECK_WITHIN_MS)).then(
        () => undefined,
        error => (isOutage(error) ? undefined : error.problem),
      )
    },

    async send({ url: text, headers, body }, signal) {
      const url = new URL(text)
      // It was allowed when the webhook was created.
      if (!isEncryptedEnough(url)) return { ...unanswered('https_required'), ms: 0 }
      const startedAt = performance.now()
      const outcome = await untilEnded(signal, ended => attempt(guard, url, { headers, body }, ended))
      return { ...outcome, ms: Math.round(performance.now() - startedAt) }
    },
  }
}

/** `signal` may live as long as the process: no listener of an attempt stays on it. */
async function untilEnded<T>(signal: AbortSignal | undefined, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, ATTEMPT_WITHIN_MS)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** A receiver that cannot be reached yet may be reachable by the time something is sent. */
function isOutage(error: unknown): boolean {
  return !(error instanceof GuardedRequestError) || error.reason === 'dns' || error.reason === 'time_out'
}

async function attempt(
  guard: Guard,
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<Omit<Attempt, 'ms'>> {
  try {
    const answer = await guard.request(url, { method: 'POST', headers, body }, ANSWER_BOUND, signal)
    const { status } = answer
    return {
      status,
      error: failureOf(status),
      // PostgreSQL cannot store NUL.
      response: answer.body.toString('utf8').replaceAll('\0', '\ufffd'),
      retryAfterSeconds: readRetryAfter(answer),
    }
  } catch (error) {
    return unanswered(error instanceof GuardedRequestError ? error.reason : 'unreachable')
  }
}

function unanswered(error: string): Omit<Attempt, 'ms'> {
  return { status: null, error, response: null, retryAfterSeconds: null }
}

/** Redirects are not followed: whoever moves a receiver has to change its URL in Diwan. */
function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : `status_${status}`
}

/** Seconds, or a date. */
function readRetryAfter({ headers }: Incoming): number | null {
  const text = headers['retry-after']?.slice(0, 40)
  if (text === undefined) return null
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}
