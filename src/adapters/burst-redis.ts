import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { BURST_WINDOW_MS, type BurstThrottle } from '../domain/burst.ts'
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

/** How long a request waits for Redis before it goes on by the count of its own node. */
const ANSWER_WITHIN_MS = 80
/** With no answer for this long to what was asked before, a request does not even ask: it could only wait longer. */
const STALLED_AFTER_MS = 40
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
 * Shared by all nodes. While Redis is away or hangs each node counts for itself, and says so once. Nobody asks it again
 * to see whether it is back: the questions that are still open are answered when it is, or the connection is made anew.
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
  let asked = 0
  let open = 0
  /** Since when the next answer is waited for, and when one last came in time. */
  let waitingSince = 0
  let inTimeAt = performance.now()
  let state: 'shared' | 'alone' | undefined

  redis.on('ready', () => become('shared'))
  redis.on('error', error => become('alone', error.message))

  return {
    async admit(name) {
      if (isStalled()) await nextTurn()
      const waitMs = isStalled() ? 'late' : await within(ANSWER_WITHIN_MS, ask(name))
      if (typeof waitMs === 'number') {
        inTimeAt = performance.now()
        become('shared')
        return Math.ceil(waitMs / 1000)
      }
      const quietMs = performance.now() - inTimeAt
      if (waitMs instanceof Error) become('alone', waitMs.message)
      else if (quietMs > SAY_AFTER_MS) become('alone', `no answer in time for ${Math.round(quietMs)} ms`)
      return alone.admit(name)
    },
    async close() {
      await alone.close()
      redis.disconnect()
    },
  }

  function isStalled(): boolean {
    return open > 0 && performance.now() - waitingSince > STALLED_AFTER_MS
  }

  /** The answer, whenever it comes; a failure is an answer too. Answers come in the order of the questions. */
  async function ask(name: string): Promise<number | Error> {
    if (open++ === 0) waitingSince = performance.now()
    try {
      return Number(await redis.admit(`diwan:burst:${name}`, BURST_WINDOW_MS, perMinute, `${node}:${asked++}`))
    } catch (error) {
      return error as Error
    } finally {
      open--
      waitingSince = performance.now()
    }
  }

  function become(next: 'shared' | 'alone', reason?: string): void {
    if (state === next) return
    state = next
    onStateChange(next, reason)
  }
}

/** Late is what has not been read either: after a pause of this process an answer may lie here already. */
function within<T>(ms: number, answer: Promise<T>): Promise<T | 'late'> {
  return new Promise(resolve => {
    const deadline = setTimeout(() => setImmediate(resolve, 'late'), ms)
    answer.then(value => {
      clearTimeout(deadline)
      resolve(value)
    })
  })
}
