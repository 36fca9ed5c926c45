import type { Attempt, WebhookSender } from '../domain/ports/webhook-sender.ts'
import { withDeadline } from '../lib/deadline.ts'
import { createGuard, type Guard, type GuardOptions, type Incoming, type Outgoing } from './guarded-request.ts'
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
    async problemOf(text, companyId) {
      const url = new URL(text)
      if (url.username !== '' || url.password !== '') return "can't carry a name or password"
      if (!isEncryptedEnough(url)) return 'must be an https URL'
      return withDeadline(CHECK_WITHIN_MS, ended => guard.check(url, companyId, ended)).then(
        () => undefined,
        error => (isOutage(error) ? undefined : error.problem),
      )
    },

    async send({ url: text, ...outgoing }, signal) {
      const url = new URL(text)
      // It was allowed when the webhook was created.
      if (!isEncryptedEnough(url)) return { ...unanswered('https_required'), ms: 0 }
      const startedAt = performance.now()
      const attempt = (ended: AbortSignal) => attemptOnce(guard, url, { method: 'POST', ...outgoing }, ended)
      const outcome = await withDeadline(ATTEMPT_WITHIN_MS, attempt, { outer: signal })
      return { ...outcome, ms: Math.round(performance.now() - startedAt) }
    },
  }
}

/** A receiver that cannot be reached yet may be reachable by the time something is sent. */
function isOutage(error: unknown): boolean {
  return !(error instanceof GuardedRequestError) || error.reason === 'dns' || error.reason === 'time_out'
}

async function attemptOnce(
  guard: Guard,
  url: URL,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Omit<Attempt, 'ms'>> {
  try {
    const answer = await guard.request(url, outgoing, ANSWER_BOUND, signal)
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
