import { randomUUID } from 'node:crypto'
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

const ASK_AGAIN_AFTER_MS = 1_000

interface RedisWithAdmit extends Redis {
  admit(key: string, windowMs: number, perMinute: number, member: string): Promise<number>
}

export interface RedisBurstOptions {
  perMinute: number
  onStateChange: (state: 'shared' | 'alone', reason?: string) => void
}

/** Shared by all nodes. While Redis is away each node counts for itself, and says so once. */
export function createRedisBurst(url: string, { perMinute, onStateChange }: RedisBurstOptions): BurstThrottle {
  const alone = createMemoryBurst(perMinute)
  const redis = new Redis(url, {
    lazyConnect: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: attempts => Math.min(attempts * 200, 2_000),
    scripts: { admit: { lua: ADMIT, numberOfKeys: 1 } },
  }) as RedisWithAdmit
  const node = randomUUID()
  let count = 0
  let aloneUntil = 0
  let state: 'shared' | 'alone' | undefined

  function become(next: 'shared' | 'alone', reason?: string): void {
    if (state === next) return
    state = next
    onStateChange(next, reason)
  }
  redis.on('ready', () => {
    aloneUntil = 0
    become('shared')
  })
  redis.on('error', error => become('alone', error.message))

  return {
    async admit(name) {
      if (Date.now() < aloneUntil) return alone.admit(name)
      try {
        const waitMs = Number(
          await redis.admit(`diwan:burst:${name}`, BURST_WINDOW_MS, perMinute, `${node}:${count++}`),
        )
        become('shared')
        return Math.ceil(waitMs / 1000)
      } catch (error) {
        // Not every request waits for a Redis that hangs: one asks again after a while.
        aloneUntil = Date.now() + ASK_AGAIN_AFTER_MS
        become('alone', (error as Error).message)
        return alone.admit(name)
      }
    },
    async close() {
      await alone.close()
      redis.disconnect()
    },
  }
}
