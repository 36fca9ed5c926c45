import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { BURST_WINDOW_MS, type BurstThrottle } from '../domain/ports/burst-throttle.ts'
import { createMemoryBurst } from './burst-memory.ts'

/** One atomic step in Redis, by its own clock: forget what is older than the window, then admit or say how long to wait. */
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  return 0
end
return redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + window - now
`

/** How long the oldest question may be open. Then Redis is taken to hang, and all go on by the count of their node. */
const ANSWER_WITHIN_MS = 250
/** A Redis that was slow once is not worth a word. */
const SAY_AFTER_MS = 1_000
/** A connection that is silent for this long may never speak again: another one is opened. */
const RECONNECT_AFTER_MS = 5_000

interface RedisWithAdmit extends Redis {
  admit(key: string, windowMs: number, perMinute: number, member: string): Promise<number>
}

export interface RedisBurstOptions {
  perMinute: number
  onStateChange: (state: 'shared' | 'alone', reason?: string) => void
}

/**
 * Shared by all nodes. While Redis is away or hangs each node counts for itself, and says so once. Nobody asks it again to
 * see whether it is back: the questions that are still open are answered when it is, or the connection is made anew.
 */
export function createRedisBurst(url: string, { perMinute, onStateChange }: RedisBurstOptions): BurstThrottle {
  const alone = createMemoryBurst(perMinute)
  const redis = new Redis(url, {
    lazyConnect: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    socketTimeout: RECONNECT_AFTER_MS,
    retryStrategy: attempts => Math.min(attempts * 200, 1_000),
    scripts: { admit: { lua: ADMIT, numberOfKeys: 1 } },
  }) as RedisWithAdmit
  const node = randomUUID()
  const answers = createAnswers()
  let count = 0
  let answeredAt = performance.now()
  let state: 'shared' | 'alone' | undefined

  redis.on('ready', () => become('shared'))
  redis.on('error', error => become('alone', error.message))

  return {
    async admit(name) {
      const answer = await answers.inTime(() =>
        redis.admit(`diwan:burst:${name}`, BURST_WINDOW_MS, perMinute, `${node}:${count++}`),
      )
      if (answer === undefined || answer instanceof Error) return admitAlone(name, answer)
      answeredAt = performance.now()
      become('shared')
      return Math.ceil(Number(answer) / 1000)
    },
    async close() {
      await alone.close()
      redis.disconnect()
    },
  }

  function admitAlone(name: string, error: Error | undefined): number {
    if (error) become('alone', error.message)
    else if (performance.now() - answeredAt > SAY_AFTER_MS) become('alone', 'no answer in time')
    return alone.admit(name)
  }

  function become(next: 'shared' | 'alone', reason?: string): void {
    if (state === next) return
    state = next
    onStateChange(next, reason)
  }
}

/** Answers come in the order of the questions: when one is overdue all later ones are, and nobody waits for them. */
function createAnswers() {
  const waiting = new Set<() => void>()
  let isOverdue = false

  return {
    /** The answer, the error that came instead, or undefined when there is none in time. */
    inTime<T>(ask: () => Promise<T>): Promise<T | Error | undefined> {
      if (isOverdue) return Promise.resolve(undefined)
      return new Promise(resolve => {
        const giveUp = () => {
          clearTimeout(deadline)
          resolve(undefined)
        }
        // After a pause of this process an answer may have come without having been read: it is read first.
        const deadline = setTimeout(() => setImmediate(() => waiting.has(giveUp) && giveUpAll()), ANSWER_WITHIN_MS)
        waiting.add(giveUp)
        ask()
          .catch(error => error as Error)
          .then(answer => {
            isOverdue = false
            waiting.delete(giveUp)
            clearTimeout(deadline)
            resolve(answer)
          })
      })
    },
  }

  function giveUpAll(): void {
    isOverdue = true
    for (const giveUp of waiting) giveUp()
    waiting.clear()
  }
}
