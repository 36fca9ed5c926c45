import { Redis } from 'ioredis'

/** All that a throttle in Redis knows of the time is how old its entries are: when they get older, time has passed for it. */
const AGE = `
local by = tonumber(ARGV[1])
for _, key in ipairs(redis.call('KEYS', 'diwan:burst:*')) do
  for _, entry in ipairs(redis.call('ZRANGE', key, 0, -1)) do redis.call('ZINCRBY', key, -by, entry) end
  local left = redis.call('PTTL', key) - by
  if left > 0 then redis.call('PEXPIRE', key, left) else redis.call('DEL', key) end
end`

/** Lets this many milliseconds pass for the throttles in a Redis. */
export async function age(url: string, ms: number): Promise<void> {
  const redis = new Redis(url)
  await redis.eval(AGE, 0, Math.round(ms))
  redis.disconnect()
}

/** How many entries have ever been added to a Redis. */
export async function entriesAdded(url: string): Promise<number> {
  const redis = new Redis(url)
  const statistics = await redis.info('commandstats')
  redis.disconnect()
  return Number(/^cmdstat_zadd:calls=(\d+)/m.exec(statistics)?.[1] ?? 0)
}
