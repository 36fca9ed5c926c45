import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import {
  type Admission,
  BURST_WINDOW_MS,
  type BurstThrottle,
  limitOf,
  type Throttle,
} from '../domain/ports/burst-throttle.ts'
import { createMemoryBurst } from './burst-memory.ts'
import { createRedisPlaces } from './places-redis.ts'

/**
 * One atomic step in Redis, by its own clock: forget what is older than the window, then admit so many of every name, or none
 * and say how long to wait and for which of the names.
 */
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local longest, which = 0, 0
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local lacking = redis.call('ZCARD', key) + count - tonumber(ARGV[3 + i])
  if lacking > 0 then
    local freed_by = redis.call('ZRANGE', key, lacking - 1, lacking - 1, 'WITHSCORES')[2] or now
    local wait = freed_by + window - now
    if wait > longest then longest, which = wait, i end
  end
end
if longest > 0 then return { longest, which } end
for _, key in ipairs(KEYS) do
  for n = 1, count do redis.call('ZADD', key, now, ARGV[3] .. n) end
  redis.call('PEXPIRE', key, window)
end
return { 0, 0 }
`

/** An answer that takes longer is late. A call asks twice, and Redis is not worth more than a few milliseconds to it. */
const LATE_AFTER_MS = 10
/** Redis counts as away, and each node goes by its own count, when one answer is missing for so long … */
const ANSWER_WITHIN_MS = 250
/** … or when all answers have been late for so long, and so many: where calls are rare, two late ones mean nothing. */
const LATE_FOR_MS = 1_000
const LATE_IN_A_ROW = 10
/** How often it is tried whether answers come in time again, if anybody calls. */
const LOOK_AGAIN_MS = 500
/** A Redis that was slow only once is not reported. */
const SAY_AFTER_MS = 1_000
/** A connection that is silent for this long may never recover, so another one is opened. */
const RECONNECT_AFTER_MS = 5_000

interface RedisWithAdmit extends Redis {
  admit(names: number, ...rest: (string | number)[]): Promise<[waitMs: number, which: number]>
}

/** `beside` makes a throttle with another limit, on the same connection. */
type RedisBurst = BurstThrottle & { beside(perMinute: number): Throttle }

export interface RedisBurstOptions {
  perMinute: number
  onStateChange: (state: 'shared' | 'alone', reason?: string) => void
}

/** What is asked of Redis: to admit so many of each of these names, as members that begin with this. */
interface Asked {
  names: string[]
  count: number
  member: string
}

/**
 * Shared by all nodes. While Redis is away, hangs or is slow, each node counts for itself, and reports that once. Nothing polls
 * Redis to see whether it is back: a call that finds it away asks, and does not wait for the answer.
 */
export function createRedisBurst(url: string, { perMinute, onStateChange }: RedisBurstOptions): RedisBurst {
  const redis = new Redis(url, {
    lazyConnect: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    socketTimeout: RECONNECT_AFTER_MS,
    retryStrategy: attempts => Math.min(attempts * 200, 1_000),
    scripts: { admit: { lua: ADMIT } },
  }) as RedisWithAdmit
  const node = randomUUID()
  /** What was given up. Redis would carry it out as soon as it goes on, as if it had been asked only then. */
  const leftBehind: Asked[] = []
  const answers = createAnswers(() => redis.ping().then(removeLeftBehind))
  const places = createRedisPlaces(redis, answers.inTime)
  let asked = 0
  let answeredAt = performance.now()
  let state: 'shared' | 'alone' | undefined

  redis.on('ready', () => {
    become('shared')
    removeLeftBehind().catch(() => {})
  })
  redis.on('error', error => become('alone', error.message))

  return {
    ...throttle(perMinute),
    beside: throttle,
    places,
    async check() {
      await answers.lookAgain()
      const answer = await answers.inTime(() => redis.ping())
      if (answer === undefined || answer instanceof Error)
        throw new Error('Redis does not answer: each node counts bursts by itself.')
      return { state: 'ok', message: 'The nodes count bursts together.' }
    },
    async close() {
      places.close()
      redis.disconnect()
    },
  }

  function throttle(perMinute: number): Throttle {
    /** All that this node has admitted, with Redis or alone: so it never admits more than the limit, whether Redis is there or not. */
    const own = createMemoryBurst(perMinute)
    /** Until then some of it is from the last minute and unknown to Redis. */
    let unsharedUntil = Number.NEGATIVE_INFINITY

    async function admitMany(names: string[], count: number): Promise<Admission> {
      const asking = { names, count, member: `${node}:${asked++}:` }
      const answer = await admitInRedis(asking, perMinute)
      if (answer && answer.wait > 0)
        return { refused: { name: names[answer.which - 1] as string, wait: answer.wait }, takeBack() {} }
      const admission = own.admitMany(names, count)
      if (!answer) {
        unsharedUntil = performance.now() + BURST_WINDOW_MS
        return admission
      }
      const takeBack = async () => {
        admission.takeBack()
        await answers.inTime(() => remove(asking))
      }
      if (!admission.refused || performance.now() > unsharedUntil) return { takeBack }
      void takeBack()
      return admission
    }

    return { admitMany, admit: async name => (await admitMany([name], 1)).refused?.wait ?? 0 }
  }

  /** What Redis answers; undefined when it does not answer and the node counts alone. */
  async function admitInRedis(asking: Asked, perMinute: number) {
    const { names, count, member } = asking
    const keys = names.map(keyOf)
    const limits = names.map(name => limitOf(name, perMinute))
    const answer = await answers.inTime(
      () => redis.admit(keys.length, ...keys, BURST_WINDOW_MS, count, member, ...limits),
      () => leftBehind.push(asking),
    )
    if (answer instanceof Error) become('alone', answer.message)
    else if (answer) {
      answeredAt = performance.now()
      become('shared')
      const [waitMs, which] = answer
      return { wait: Math.ceil(waitMs / 1000), which }
    } else if (performance.now() - answeredAt > SAY_AFTER_MS) become('alone', 'no answer in time')
    return undefined
  }

  async function removeLeftBehind(): Promise<void> {
    await Promise.all(leftBehind.splice(0).map(remove))
  }

  /** What is not removed is forgotten after a minute, like everything else. */
  async function remove({ names, count, member }: Asked): Promise<void> {
    const members = Array.from({ length: count }, (_, n) => `${member}${n + 1}`)
    await Promise.all(names.map(name => redis.zrem(keyOf(name), ...members)))
  }

  function become(next: 'shared' | 'alone', reason?: string): void {
    if (state === next) return
    state = next
    onStateChange(next, reason)
  }
}

const keyOf = (name: string) => `diwan:burst:${name}`

/** Answers come in the order of the requests: when nothing has come in time for a while, nobody waits for the rest. */
function createAnswers(look: () => Promise<unknown>) {
  const waiting = new Set<() => void>()
  /** When the first of those was asked that have been late since the last answer in time. */
  let lateSince: number | undefined
  let lateInARow = 0
  let isAway = false
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  return { inTime, lookAgain }

  /** The answer, the error instead of it, or undefined when there is none in time. What was asked and given up is told. */
  function inTime<T>(ask: () => Promise<T>, onGivenUp = () => {}): Promise<T | Error | undefined> {
    if (isAway) {
      lookAgain()
      return Promise.resolve(undefined)
    }
    return new Promise(resolve => {
      const askedAt = performance.now()
      let isLate = false
      const giveUp = () => {
        isLate = true
        clearTimeout(timer)
        onGivenUp()
        resolve(undefined)
      }
      const whileWaiting = (work: () => void) => () => waiting.has(giveUp) && work()
      const beLate = () => {
        isLate = true
        lateSince ??= askedAt
        const isSlow = ++lateInARow >= LATE_IN_A_ROW
        const givesUpAt = Math.min(
          askedAt + ANSWER_WITHIN_MS,
          isSlow ? lateSince + LATE_FOR_MS : Number.POSITIVE_INFINITY,
        )
        timer = afterReading(whileWaiting(giveUpAll), givesUpAt - performance.now())
      }
      let timer = afterReading(whileWaiting(beLate), LATE_AFTER_MS)
      waiting.add(giveUp)
      ask()
        .catch(error => error as Error)
        .then(answer => {
          if (!isLate) beInTime()
          waiting.delete(giveUp)
          clearTimeout(timer)
          resolve(answer)
        })
    })
  }

  /** Returns when there is an answer, or when it is late. */
  function lookAgain(): Promise<void> {
    const now = performance.now()
    if (!isAway || looking || now < lookedAt + LOOK_AGAIN_MS) return looking ?? Promise.resolve()
    lookedAt = now
    let isLate = false
    const late = new Promise<void>(resolve => {
      afterReading(() => {
        isLate = true
        resolve()
      }, LATE_AFTER_MS)
    })
    const answered = look()
      .catch(() => {})
      .then(() => {
        looking = undefined
        if (!isLate) beInTime()
      })
    looking = Promise.race([answered, late])
    return looking
  }

  function beInTime(): void {
    lateSince = undefined
    lateInARow = 0
    isAway = false
  }

  function giveUpAll(): void {
    isAway = true
    for (const giveUp of waiting) giveUp()
    waiting.clear()
  }
}

/** After a pause of this process an answer may have arrived unread: it is read first. */
function afterReading(work: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(work), ms)
}
