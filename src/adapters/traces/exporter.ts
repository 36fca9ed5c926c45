import { withDeadline } from '../../lib/deadline.ts'
import { type EndedSpan, encodeSpans, type Resource } from './otlp.ts'

export interface ExporterOptions {
  /** Where spans are posted. */
  url: string
  /** Of every post, such as the key of a collector. */
  headers: Record<string, string>
  resource: Resource
  /** Called with the reason when spans are no longer taken, and without one when they are again. */
  onStateChange: (problem: string | undefined) => void
}

const SEND_EVERY_MS = 1_000
const SENT_AT_ONCE = 512
/** Spans that come while so many wait are lost. They take a few megabytes. */
const MOST_WAITING = 8_192
const ANSWER_WITHIN_MS = 5_000
/** The last spans, when the process stops. */
const LAST_WITHIN_MS = 800
const LONGEST_PAUSE_MS = 30_000

/** Which answers allow another attempt, the specification of OTLP says. */
const PASSING = [429, 502, 503, 504]

/** Posts spans to a collector in batches, one at a time. Nobody waits for it, and nothing fails because of it. */
export function createExporter({ url, headers, resource, onStateChange }: ExporterOptions) {
  const waiting: EndedSpan[] = []
  let dropped = 0
  let problem: string | undefined
  let pauseMs = 0
  let pausedUntil = 0
  let sending: Promise<void> | undefined
  const timer = setInterval(begin, SEND_EVERY_MS)
  timer.unref()

  function begin(): void {
    if (performance.now() < pausedUntil) return
    sending ??= sendAll(ANSWER_WITHIN_MS).finally(() => {
      sending = undefined
    })
  }

  async function sendAll(withinMs: number): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, SENT_AT_ONCE)
      const outcome = await post(batch, withinMs)
      tell(outcome.problem)
      if (outcome.isPassing) {
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 || SEND_EVERY_MS)
        pausedUntil = performance.now() + pauseMs
        return
      }
      pauseMs = 0
      waiting.splice(0, batch.length)
      if (outcome.problem) dropped += batch.length
    }
  }

  async function post(batch: EndedSpan[], withinMs: number): Promise<{ problem?: string; isPassing?: boolean }> {
    try {
      const body = encodeSpans(resource, batch)
      const status = await withDeadline(withinMs, async signal => {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
          signal,
          redirect: 'manual',
        })
        await answer.body?.cancel()
        return answer.status
      })
      if (status >= 200 && status < 300) return {}
      return { problem: `it answers ${status}`, isPassing: PASSING.includes(status) }
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
      return { problem: cause?.code ?? cause?.message ?? message, isPassing: true }
    }
  }

  function tell(now: string | undefined): void {
    if ((now === undefined) !== (problem === undefined)) onStateChange(now)
    problem = now
  }

  return {
    add(span: EndedSpan): void {
      if (waiting.length >= MOST_WAITING) dropped++
      else if (waiting.push(span) >= SENT_AT_ONCE) begin()
    },
    dropped: () => dropped,
    async close() {
      clearInterval(timer)
      const last = (sending ?? Promise.resolve()).then(() => sendAll(LAST_WITHIN_MS))
      await withDeadline(LAST_WITHIN_MS, () => last).catch(() => {})
    },
  }
}
