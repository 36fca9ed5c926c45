import { asDiwanError, DiwanError } from './error.ts'
import { eventsIn, type StreamEvent } from './event-stream.ts'
import { isOfTheWay, type Sender } from './request.ts'
import type { Change, Endpoints } from './types.ts'
import { growing, watchFor } from './waiting.ts'

export interface ChangesOptions {
  /** The `cursor` of the last change that you have processed. Without it you get what happens from now on. */
  after?: string | undefined
  /** Ends the iteration: it throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long it tries to reach a server that is unreachable, before it throws. Default: 15 minutes. */
  giveUpAfterMs?: number | undefined
}

const PATH: Endpoints['listChanges']['path'] = '/company/changes'
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const CONNECT_WITHIN_MS = 30_000
/** A stream that ends sooner has failed: otherwise it would be reopened again and again, at the price of a call each time. */
const SHORTEST_STREAM_MS = 10_000

/**
 * The changes of the company as they happen, without end. When the connection ends, it is reopened after the last change that
 * was returned, so that nothing is missed. A cursor that is too old throws `cursor_expired`; the `cursor` of the error is where
 * to follow the feed from, once the collections have been read again.
 */
export async function* followChanges(
  sender: Sender,
  { after, signal, giveUpAfterMs = 900_000 }: ChangesOptions = {},
): AsyncGenerator<Change, never> {
  let last = after
  let [failures, failingSinceMs] = [0, Date.now()]
  for (;;) {
    const openedMs = Date.now()
    let error: unknown = new DiwanError({ code: 'network_error', message: 'The server ended the stream.' })
    try {
      for await (const { id, data } of openStream(sender, last, signal)) {
        const change: Change | undefined = data ? JSON.parse(data) : undefined
        if (id) last = id
        if (change) yield change
      }
    } catch (thrown) {
      error = thrown
    }
    if (Date.now() - openedMs >= SHORTEST_STREAM_MS) [failures, failingSinceMs] = [0, Date.now()]
    if (!(error instanceof DiwanError)) throw error
    const waitMs = pauseBefore(error, failures++)
    if (waitMs === undefined || waitMs > Math.max(sender.maxWaitMs, LONGEST_PAUSE_MS)) throw error
    if (Date.now() + waitMs - failingSinceMs > giveUpAfterMs) throw error
    await sender.wait(waitMs, error, signal)
  }
}

/** One connection, for as long as it lasts. */
async function* openStream(
  { open }: Sender,
  last: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent> {
  const watch = watchFor(signal)
  const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
  try {
    watch.start(CONNECT_WITHIN_MS)
    const { body } = await open({ method: 'GET', path: PATH, headers, signal: watch.signal })
    if (body) yield* eventsIn(body, watch)
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : asDiwanError(error)
  } finally {
    watch.end()
  }
}

/** How long to wait before the stream is opened again; undefined when it would be refused again. */
function pauseBefore(error: DiwanError, failures: number): number | undefined {
  if (error.status === 429) return (error.retryAfterSeconds ?? 1) * 1000
  return isOfTheWay(error) || error.status >= 500 ? growing(FIRST_PAUSE_MS, failures, LONGEST_PAUSE_MS) : undefined
}
