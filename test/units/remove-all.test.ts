import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { removeAll } from '../../src/jobs/remove-all.ts'

/** Removes something so many times, and tells for how much of the time after each the database was left alone. */
async function remove(times: number, endsAfter = times) {
  const ending = new AbortController()
  const parts: number[] = []
  let [tookMs, endedAt] = [0, 0]
  const isAllGone = await removeAll(async () => {
    const startedAt = performance.now()
    if (tookMs > 0) parts.push((startedAt - endedAt) / tookMs)
    await sleep(20)
    if (parts.length + 1 === endsAfter) ending.abort()
    endedAt = performance.now()
    tookMs = endedAt - startedAt
    return parts.length + 1 < times
  }, ending.signal)
  return { isAllGone, times: parts.length + 1, parts }
}

describe('What is removed in pieces', () => {
  it('leaves the database alone for as long as each of them took', async () => {
    const { parts, ...outcome } = await remove(4)
    expect(outcome).toEqual({ isAllGone: true, times: 4 })
    // A timer may be a millisecond early.
    for (const part of parts) expect(part).toBeGreaterThan(0.9)
  })

  it('ends when it is told to, and does not take that for all', async () => {
    expect(await remove(4, 2)).toMatchObject({ isAllGone: false, times: 2 })
  })
})
