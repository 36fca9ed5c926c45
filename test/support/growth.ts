import { expect } from 'vitest'

/** Each is eight times the one before: what is linear takes about eight times as long, what is quadratic 64 times. */
const SIZES = [2_000, 16_000, 128_000, 1_024_000]
const MOST_GROWTH = 40
/** What takes less says nothing. */
const NOISE_MS = 10

/** Fails soon when the time that work takes grows faster than the size of what it is given. */
export async function expectLinear(work: (size: number) => unknown, sizes = SIZES): Promise<void> {
  let before = Number.POSITIVE_INFINITY
  for (const size of sizes) {
    const ms = await fastest(() => work(size))
    expect(ms, `ms for ${size} characters`).toBeLessThan(MOST_GROWTH * Math.max(before, NOISE_MS))
    before = ms
  }
}

/** In time of the processor: a busy machine must not look like slow work. */
async function fastest(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const start = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}
