import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../frame/command.ts'
import { isRecord, note } from '../frame/output.ts'
import { pauseOf, type Remote, refusalOf, send } from '../remote/server.ts'

/** The user has asked to stop. */
export class Stopped extends Error {}

/** The server has refused for good, in its own words. */
export class Refused extends Failure {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(refusalOf(status, text))
  }
}

interface Call {
  body?: unknown
  /** The Idempotency-Key of a POST. */
  name?: string
  /** After this moment the server may have forgotten the name: then nothing is sent again. */
  notAfter?: number
}

// biome-ignore lint/suspicious/noExplicitAny: each caller knows the answer of its endpoint
export type Ask = (method: string, path: string, call?: Call) => Promise<any>

/** How long one call is retried. */
const PATIENCE_MS = 10 * 60_000
const LONGEST_PAUSE_MS = 10_000
/** Temporary answers of a server that restarts or is busy, or of a proxy on its behalf. 409: a call of ours is still running. */
const PASSING = [409, 502, 503, 504]

/** Makes calls that survive pauses, restarts and lost connections. */
export function createAsk(remote: Remote, stop: AbortSignal, onAnswer: (headers: Headers) => void = () => {}): Ask {
  // If the server has never answered, the URL is more likely wrong than the server away.
  let hasAnswered = false
  let hasWaited = false

  function tell({ reason, pauseMs }: Passing, isFirst: boolean): void {
    if (pauseMs === 0 && isFirst) noteAside(`${reason}. Retrying`)
    // A long import is asked to wait after every other batch.
    if (pauseMs > 0 && !hasWaited) noteAside('The server limits the calls per minute. Waiting whenever it asks to')
    hasWaited ||= pauseMs > 0
  }

  return async (method, path, { body, name, notAfter = Number.POSITIVE_INFINITY } = {}) => {
    const request = {
      method,
      path: `/api/v1${path}`,
      body: body === undefined ? undefined : JSON.stringify(body),
      ...(name !== undefined && { headers: { 'idempotency-key': name } }),
      waitSeconds: 0,
    }
    const giveUpAt = Date.now() + PATIENCE_MS
    for (let failures = 0; ; failures++) {
      const answer = await attempt(remote, request)
      if ('data' in answer) {
        hasAnswered = true
        onAnswer(answer.headers)
        return answer.data
      }
      if (answer.isAway && !hasAnswered) throw new Failure(answer.reason)
      const now = Date.now()
      if (now + answer.pauseMs > giveUpAt) throw new Failure(`${answer.reason}. Run the same command to continue`)
      if (now + answer.pauseMs > notAfter)
        throw new Failure('Too much time has passed since this batch was first sent. Run the same command to continue')
      const pauseMs = answer.pauseMs || Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS)
      tell(answer, failures === 0)
      await sleep(pauseMs, undefined, { signal: stop }).catch(() => {
        throw new Stopped()
      })
    }
  }
}

/** The progress line makes room. */
function noteAside(text: string): void {
  note(process.stderr.isTTY ? `\r\u001b[K${text}` : text)
}

interface Passing {
  reason: string
  /** As the server asks; 0 when it does not say. */
  pauseMs: number
  isAway?: true
}

type Attempt = { data: unknown; headers: Headers } | Passing

async function attempt(remote: Remote, request: Parameters<typeof send>[1]): Promise<Attempt> {
  let response: Response
  let text: string
  try {
    response = await send(remote, request)
    text = await response.text()
  } catch (error) {
    return { reason: (error as Error).message, pauseMs: 0, isAway: true }
  }
  const body = parsed(text)
  if (response.ok && body !== undefined) return { data: body, headers: response.headers }
  const reason = refusalOf(response.status, text)
  const pause = pauseOf(response)
  if (pause !== undefined) {
    // For calls that come too fast `error` is a plain string; for a spent daily allowance it has a code.
    if (isRecord(body) && isRecord(body.error)) throw allowanceSpent(response)
    return { reason, pauseMs: pause * 1000 }
  }
  if (PASSING.includes(response.status)) return { reason, pauseMs: 0 }
  throw new Refused(response.status, text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function allowanceSpent({ headers }: Response): Failure {
  const limit = headers.get('x-ratelimit-limit')
  const resetsAt = new Date(Number(headers.get('x-ratelimit-reset')) * 1000)
  return new Failure(
    `The daily allowance of ${limit} calls is used up, or too little of it is left for the next batch. It resets at ${resetsAt.toISOString()}. Run the same command then to continue`,
  )
}

/** Tells keys apart without revealing them. */
export function keyPrint({ headers }: Remote): string {
  return createHash('sha256')
    .update(headers.authorization ?? '')
    .digest('hex')
    .slice(0, 12)
}
