import {
  type Admission,
  BURST_WINDOW_MS,
  type LocalThrottle,
  limitOf,
  NOT_SHARED,
} from '../domain/ports/burst-throttle.ts'
import { ALONE } from '../domain/ports/shared-places.ts'

/** The times of the requests admitted in the last minute, as a ring buffer that grows when needed. */
interface Log {
  times: Float64Array
  first: number
  count: number
}

const NO_TIMES = new Float64Array(0)
const FIRST_ROOM = 4

/**
 * How much is remembered for each kind of name (`ip:`, `key:`, …) before names that have not asked lately are forgotten and
 * start again: about 25 MB, whatever the limit is, and 48 MB at the very most. Getting there takes 25,000 addresses in a
 * minute, or two million admitted requests, and a limit per address does not stop anyone with that many addresses anyway. Keys
 * have a room of their own, so that a flood of addresses does not free one, and the daily allowance holds in any case.
 */
const MOST_NAMES = 25_000
const MOST_TIMES = 2_000_000

export function createMemoryBurst(perMinute: number): LocalThrottle {
  const rooms = new Map<string, ReturnType<typeof createRoom>>()

  function roomOf(name: string): ReturnType<typeof createRoom> {
    const kind = name.slice(0, name.indexOf(':'))
    const room = rooms.get(kind) ?? createRoom(limitOf(name, perMinute))
    rooms.set(kind, room)
    return room
  }

  function admitMany(names: string[], count: number): Admission {
    const now = performance.now()
    const waits = names.map(name => ({ name, wait: roomOf(name).waitFor(name, now, count) }))
    const longest = waits.reduce((a, b) => (b.wait > a.wait ? b : a))
    if (longest.wait > 0) return { refused: longest, takeBack() {} }
    for (const name of names) for (let n = 0; n < count; n++) roomOf(name).admit(name, now)
    return {
      takeBack() {
        for (const name of names) roomOf(name).takeBack(name, count)
      },
    }
  }

  return {
    admit: name => roomOf(name).admit(name, performance.now()),
    admitMany,
    places: ALONE,
    check: async () => NOT_SHARED,
    close: async () => rooms.clear(),
  }
}

/**
 * Two generations of names: a name that asks joins the young one. When a minute is over or there are many young names, the old
 * generation is forgotten and the young one becomes the old. After a minute nothing is lost: those names have not asked for as
 * long.
 */
function createRoom(perMinute: number) {
  let [young, old] = [new Map<string, Log>(), new Map<string, Log>()]
  let youngTimes = 0
  let youngSince = performance.now()

  return { admit, waitFor, takeBack }

  function admit(name: string, now: number): number {
    const log = young.get(name) ?? join(name, now)
    forgetOld(log, now)
    if (log.count === perMinute) return Math.ceil(((log.times[log.first] as number) + BURST_WINDOW_MS - now) / 1000)
    if (log.count === log.times.length) grow(log)
    log.times[(log.first + log.count++) % log.times.length] = now
    return 0
  }

  /** Seconds until this many more are admitted; if there is never room for that many, a whole minute. */
  function waitFor(name: string, now: number, count: number): number {
    const log = young.get(name) ?? join(name, now)
    forgetOld(log, now)
    const lacking = log.count + count - perMinute
    if (lacking <= 0) return 0
    if (lacking > log.count) return BURST_WINDOW_MS / 1000
    const freedBy = log.times[(log.first + lacking - 1) % log.times.length] as number
    return Math.ceil((freedBy + BURST_WINDOW_MS - now) / 1000)
  }

  function takeBack(name: string, count: number): void {
    const log = young.get(name) ?? old.get(name)
    if (log) log.count = Math.max(0, log.count - count)
  }

  function join(name: string, now: number): Log {
    const log = old.get(name) ?? { times: NO_TIMES, first: 0, count: 0 }
    if (young.size >= MOST_NAMES || youngTimes >= MOST_TIMES || now - youngSince >= BURST_WINDOW_MS) {
      ;[young, old] = [new Map(), young]
      youngTimes = 0
      youngSince = now
    }
    young.set(name, log)
    youngTimes += log.times.length
    return log
  }

  function grow(log: Log): void {
    const { times, first } = log
    log.times = new Float64Array(Math.min(perMinute, Math.max(FIRST_ROOM, times.length * 2)))
    log.times.set(times.subarray(first))
    log.times.set(times.subarray(0, first), times.length - first)
    log.first = 0
    youngTimes += log.times.length - times.length
  }
}

function forgetOld(log: Log, now: number): void {
  while (log.count > 0 && (log.times[log.first] as number) <= now - BURST_WINDOW_MS) {
    log.first = (log.first + 1) % log.times.length
    log.count--
  }
}
