import { CallFailed, call, openEvents } from '../api/call.ts'
import type { Change } from '../api/types.ts'
import { watchAttendance } from './attendance.ts'
import { readEvents, type StreamEvent, within } from './event-stream.ts'

const FEED = 'GET /companies/{company}/records/company/changes'

/** How often the feed is asked where it cannot be followed as a stream. */
const ASK_EVERY_MS = 15_000
/** When a stream is tried again: one that was refused, because too many are open, and one that did not last. */
const REFUSED_MS = 60_000
const SHORT_LIVED_MS = 30_000
const LASTING_MS = 10_000
const FIRST_SIGN_MS = 5_000
/** The server gives a sign of life every 25 seconds. */
const SILENT_MS = 60_000
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000]
/** A page that was away for longer reads what it shows instead of what happened. */
const MOST_PAGES = 5

export interface Follower {
  /** From here on, everything is told. What was read before may be missing something. */
  onBegin(): void
  onEntries(entries: Change[]): void
  /** More happened than can be told: whatever is shown is to be read again. */
  onGap(): void
  onReach(isReached: boolean): void
}

/** Follows the feed of a company until the signal aborts: as a stream, or by asking now and then where there is none. */
export async function follow(company: number, follower: Follower, until: AbortSignal): Promise<void> {
  const attendance = watchAttendance(until)
  let cursor: string | undefined
  let streamAt = 0
  let failures = 0

  const ask = (signal: AbortSignal) =>
    call(FEED, {
      params: { company },
      query: { limit: 500, ...(cursor !== undefined && { after: cursor }) },
      signal,
      isUnnoticed: true,
    })

  /** Reads everything up to now. */
  const catchUp = async (signal: AbortSignal) => {
    const isFirst = cursor === undefined
    for (let pages = 0; ; pages++) {
      const { data, meta } = await ask(signal)
      cursor = meta.next_cursor
      if (data.length > 0) follower.onEntries(data)
      if (!meta.more) break
      if (pages < MOST_PAGES) continue
      cursor = undefined
      cursor = (await ask(signal)).meta.next_cursor
      follower.onGap()
      break
    }
    if (isFirst) follower.onBegin()
  }

  /** Tells what happens as it happens, until the stream ends. */
  const listen = async (signal: AbortSignal) => {
    const leaving = new AbortController()
    // Nothing arrives on a stream whose connection is gone, and nothing says so either.
    for (const sign of ['offline', 'server-unreached'])
      addEventListener(sign, () => leaving.abort(), { signal: leaving.signal })
    const request = { params: { company }, query: { after: cursor as string } }
    const opening = openEvents(FEED, { ...request, signal: AbortSignal.any([signal, leaving.signal]) })
    try {
      // The server begins with a sign of life. A proxy that collects answers before it passes them on holds that back.
      const events = readEvents(await within(FIRST_SIGN_MS, opening), SILENT_MS)
      for (let next = await within(FIRST_SIGN_MS, events.next()); !next.done; next = await events.next())
        tell(next.value)
    } finally {
      leaving.abort()
    }
  }
  const tell = (events: StreamEvent[]) => {
    cursor = events.findLast(({ id }) => id !== undefined)?.id ?? cursor
    const entries = events.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as Change]))
    if (entries.length > 0) follower.onEntries(entries)
  }

  const round = async (signal: AbortSignal) => {
    await catchUp(signal)
    failures = 0
    follower.onReach(true)
    if (Date.now() < streamAt) return pause(ASK_EVERY_MS, signal)
    const began = Date.now()
    await listen(signal).catch(error => {
      if (signal.aborted) throw error
      if (error instanceof CallFailed && error.status > 0) streamAt = Date.now() + REFUSED_MS
    })
    // However it ended, asking tells whether the server is there. What does not last is not tried again and again.
    if (Date.now() - began < LASTING_MS) streamAt = Math.max(streamAt, Date.now() + SHORT_LIVED_MS)
    await pause(PAUSES_MS[0] as number, signal)
  }

  while (!until.aborted) {
    await attendance.arrival()
    const signal = AbortSignal.any([until, attendance.absence()])
    try {
      await round(signal)
    } catch (error) {
      if (signal.aborted) continue
      if (!(error instanceof CallFailed)) throw error
      // The page has been told that the session has ended, and shows it.
      if (error.status === 401) return
      if (error.status === 410) {
        cursor = undefined
        follower.onGap()
      }
      if (error.isUnreached) follower.onReach(false)
      await pause(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)] as number, signal)
    }
  }
}

/** Waits, but not longer than until the connection is said to be back or the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
