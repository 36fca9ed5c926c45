import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What a machine that has other things to do adds to any time. Nothing is said to be slower than something shorter. */
const FLOOR_MS = 20
const AT_ONCE = 4

export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

export function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

const median = (times: number[]) => percentile(times, 0.5)

/** How long each of so many calls takes, a few at a time. */
export async function timesOf(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let left = calls
  const work = async () => {
    while (left-- > 0) times.push(await msOf(call))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return times
}

export const p99 = (times: number[]) => percentile(times, 0.99)

/**
 * The p99 of so many calls, several times, and of that the median, so that a moment in which the machine was busy decides nothing.
 * They are sent from a thread of its own: what this one has to do meanwhile delays none of them.
 */
export async function usualP99FromAside(
  windows: number,
  calls: number,
  url: string,
  headers: Record<string, string>,
): Promise<number> {
  const worker = new Worker(new URL('./timed-calls.mjs', import.meta.url), {
    workerData: { url, headers, windows, calls, atOnce: AT_ONCE },
  })
  const [found] = (await once(worker, 'message')) as [number[][]]
  return median(found.map(p99))
}

/** How many times longer something takes than it does usually, which was measured before and after. */
export function ratio(ms: number, usual: number[], floorMs = FLOOR_MS): number {
  return Math.max(ms, floorMs) / Math.max(floorMs, ...usual)
}
