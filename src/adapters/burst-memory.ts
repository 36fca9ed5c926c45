import { BURST_WINDOW_MS, type BurstThrottle } from '../domain/burst.ts'

/** The times of the last admitted requests, as a ring: the oldest stands where the next will be written. */
interface Log {
  times: Float64Array
  next: number
}

const SWEEP_EVERY_MS = 5 * 60_000

export function createMemoryBurst(perMinute: number): BurstThrottle {
  const logs = new Map<string, Log>()
  const sweep = setInterval(() => {
    const cutoff = performance.now() - BURST_WINDOW_MS
    for (const [name, log] of logs) {
      const newest = log.times[(log.next + perMinute - 1) % perMinute] as number
      if (newest <= cutoff) logs.delete(name)
    }
  }, SWEEP_EVERY_MS)
  sweep.unref()

  return {
    admit(name) {
      const now = performance.now()
      let log = logs.get(name)
      if (!log) {
        log = { times: new Float64Array(perMinute).fill(-Infinity), next: 0 }
        logs.set(name, log)
      }
      const oldest = log.times[log.next] as number
      const waitMs = oldest + BURST_WINDOW_MS - now
      if (waitMs > 0) return Math.ceil(waitMs / 1000)
      log.times[log.next] = now
      log.next = (log.next + 1) % perMinute
      return 0
    },
    async close() {
      clearInterval(sweep)
    },
  }
}
