import { expect } from 'vitest'

/** Each is eight times the one before: linear work takes about eight times as long, quadratic work 64 times. */
const SIZES = [2_000, 16_000, 128_000, 1_024_000]
const MOST_GROWTH = 40
/** Shorter times are too noisy to compare. */
const NOISE_MS = 10

/** Fails early when the time that the work takes grows faster than the size of its input. */
export async function expectLinear(work: (size: number) => unknown, sizes = SIZES): Promise<void> {
  let before = Number.POSITIVE_INFINITY
  for (const size of sizes) {
    const most = MOST_GROWTH * Math.max(before, NOISE_MS)
    const ms = await fastest(() => work(size), most)
    expect(ms, `ms for ${size} characters`).toBeLessThan(most)
    before = ms
  }
}

/** One run shows that the work is fast enough; a slow one may have been disturbed. */
async function fastest(work: () => unknown, most: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && ms >= most; run++) ms = Math.min(ms, await cpuMsOf(work))
  return ms
}

/** The CPU time that work takes: on a busy machine it does not look slower than it is. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
