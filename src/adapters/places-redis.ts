import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Bound, SharedPlaces } from '../domain/ports/shared-places.ts'

/** A node that died holds its places for this long. */
const HELD_MS = 60_000
const RENEW_EVERY_MS = 20_000

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = tonumber(ARGV[1])`

/** Returns the number of the first name that has no place left, or 0 after a place was taken under each. */
const HOLD = `${NOW}
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= tonumber(ARGV[2 + i]) then return i end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + held, ARGV[2])
  redis.call('PEXPIRE', key, held)
end
return 0`

/** Also adds places that Redis has lost, or never knew of because it did not answer. */
const RENEW = `${NOW}
for i, key in ipairs(KEYS) do
  for _, place in ipairs(cjson.decode(ARGV[1 + i])) do redis.call('ZADD', key, now + held, place) end
  redis.call('PEXPIRE', key, held)
end`

interface RedisWithPlaces extends Redis {
  holdPlaces(names: number, ...rest: (string | number)[]): Promise<number>
  renewPlaces(names: number, ...rest: (string | number)[]): Promise<void>
}

/** The answer of Redis, the error instead of it, or undefined when there is none in time. */
type InTime = <T>(ask: () => Promise<T>) => Promise<T | Error | undefined>

/**
 * Each place is a member of the sorted set of its name, with the time at which it expires. A Redis that does not answer refuses
 * nothing: a node has bounds of its own.
 */
export function createRedisPlaces(plain: Redis, inTime: InTime): SharedPlaces & { close(): void } {
  plain.defineCommand('holdPlaces', { lua: HOLD })
  plain.defineCommand('renewPlaces', { lua: RENEW })
  const redis = plain as RedisWithPlaces
  const node = randomUUID()
  /** The names of each place that this node holds. */
  const held = new Map<string, string[]>()
  const timer = setInterval(renew, RENEW_EVERY_MS).unref()
  let count = 0

  async function renew(): Promise<void> {
    if (held.size === 0) return
    const places = new Map<string, string[]>()
    for (const [place, names] of held)
      for (const name of names) {
        const list = places.get(name)
        if (list) list.push(place)
        else places.set(name, [place])
      }
    const lists = [...places.values()].map(list => JSON.stringify(list))
    await inTime(() => redis.renewPlaces(places.size, ...[...places.keys()].map(keyOf), HELD_MS, ...lists))
  }

  return {
    async hold(bounds) {
      const names = bounds.map(({ name }) => name)
      const place = `${node}:${count++}`
      const limits = bounds.map(({ most }) => most)
      const full = await inTime(() => redis.holdPlaces(names.length, ...names.map(keyOf), HELD_MS, place, ...limits))
      if (typeof full === 'number' && full > 0) return { full: bounds[full - 1] as Bound }
      held.set(place, names)
      return {
        giveBack() {
          held.delete(place)
          for (const name of names) inTime(() => redis.zrem(keyOf(name), place))
        },
      }
    },

    close: () => clearInterval(timer),
  }
}

const keyOf = (name: string) => `diwan:places:${name}`
