import { setTimeout as sleep } from 'node:timers/promises'
import { type Diwan, DiwanError } from '../../../client/src/index.ts'
import { Failure } from '../frame/command.ts'
import { note } from '../frame/output.ts'
import { connect, explainCall, type Remote } from '../remote/server.ts'

/** The user has asked to stop. */
export class Stopped extends Error {}

/** For how long a server may be away or busy. */
const PATIENCE_MS = 10 * 60_000

/** Makes calls that survive pauses, restarts and lost connections. `onAnswer` sees the headers of every answer. */
export function connectPatiently(remote: Remote, stop: AbortSignal, onAnswer: (headers: Headers) => void): Diwan {
  let hasAnswered = false
  let hasPaused = false
  let failingSince: number | undefined

  function explainWait(error: DiwanError): void {
    // A long import is asked to wait after every other batch.
    if (isTooFast(error) && !hasPaused) noteAside('The server limits the calls per minute. Waiting whenever it asks to')
    if (isTooFast(error)) hasPaused = true
    else if (failingSince === undefined) noteAside(`${explainCall(error)}. Retrying`)
  }

  return connect(remote, {
    retryForMs: Number.POSITIVE_INFINITY,
    maxWaitMs: PATIENCE_MS,
    async wait(ms, error) {
      // If the server has never answered, the URL is more likely wrong than the server away.
      if (isSpent(error) || !hasAnswered) throw error
      explainWait(error)
      if (!isTooFast(error)) failingSince ??= Date.now()
      if (failingSince !== undefined && Date.now() - failingSince > PATIENCE_MS) throw error
      await sleep(ms, undefined, { signal: stop }).catch(() => {
        throw new Stopped()
      })
    },
    onAnswer({ ok, headers }) {
      hasAnswered = true
      if (ok) failingSince = undefined
      onAnswer(headers)
    },
  })
}

/** The progress line makes room. */
function noteAside(text: string): void {
  note(process.stderr.isTTY ? `\r\u001b[K${text}` : text)
}

/** Calls that come too fast have no code; a spent daily allowance does. */
const isTooFast = ({ status, code }: DiwanError) => status === 429 && code === 'too_many_requests'
const isSpent = ({ status, code }: DiwanError) => status === 429 && code !== 'too_many_requests'

const PASSING = [0, 409, 429, 502, 503, 504]

/** True when the server has refused for good. A conflict that names a record does not pass. */
export function isRefusal(error: unknown): error is DiwanError {
  return error instanceof DiwanError && (!PASSING.includes(error.status) || error.id !== undefined)
}

/** Why an import ended, and how to continue it. `headers` are those of the last answer, if there was one. */
export function explainEnd(error: unknown, headers: Headers | undefined): unknown {
  if (error instanceof Stopped) return new Failure('Stopped. Run the same command to continue')
  if (!(error instanceof DiwanError) || isRefusal(error) || headers === undefined) return error
  if (!isSpent(error)) return new Failure(`${explainCall(error)}. Run the same command to continue`)
  const resetsAt = new Date(Number(headers.get('x-ratelimit-reset')) * 1000)
  return new Failure(
    `The daily allowance of ${headers.get('x-ratelimit-limit')} calls is used up, or too little of it is left for the next batch. It resets at ${resetsAt.toISOString()}. Run the same command then to continue`,
  )
}
