import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAUSES_MS, pauseAfter } from '../../src/jobs/webhooks/schedule.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

describe('The pause after a failed attempt', () => {
  it('grows from 5 seconds to a day, over ten attempts in all', () => {
    const pauses = Array.from({ length: 10 }, (_, n) => pauseAfter(n + 1, null, PAUSES_MS, 0.5))
    const inSeconds = pauses.map(pause => (pause === undefined ? undefined : Math.round(pause / SECOND)))
    const hours = [2, 5, 10, 14, 20, 24].map(each => each * 3_600)
    expect(inSeconds).toEqual([5, 300, 1_800, ...hours, undefined])
  })

  it('is up to a fifth shorter or longer, so that what failed together does not come back together', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const pause = pauseAfter(attempts, null, PAUSES_MS, random) as number
        const usual = PAUSES_MS[attempts - 1] as number
        expect(pause).toBeGreaterThanOrEqual(usual * 0.8 - 1)
        expect(pause).toBeLessThanOrEqual(usual * 1.2 + 1)
      }),
    )
    expect(pauseAfter(1, null, PAUSES_MS, 0)).toBeCloseTo(4 * SECOND)
    expect(pauseAfter(1, null, PAUSES_MS, 1)).toBeCloseTo(6 * SECOND)
  })

  it('is as long as the receiver asks for, but never shorter than ours and never longer than a day', () => {
    expect(pauseAfter(1, 60, PAUSES_MS, 0.5)).toBe(60 * SECOND)
    expect(pauseAfter(4, 60, PAUSES_MS, 0.5)).toBe(2 * HOUR)
    expect(pauseAfter(1, 999_999_999, PAUSES_MS, 0.5)).toBe(24 * HOUR)
    expect(pauseAfter(10, 60, PAUSES_MS, 0.5)).toBeUndefined()
  })
})
