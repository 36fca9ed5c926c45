import { describe, expect, it } from 'vitest'
import { forecast } from '../../src/domain/access/forecast.ts'

const NOTHING = { days: 0, by_now: 0, total: 0 }

describe('The forecast of a day', () => {
  it('is null while there is nothing to go by', () => {
    expect(forecast(0, 0.9, NOTHING)).toBeNull()
    expect(forecast(50, 0.01, NOTHING)).toBeNull()
  })

  it('carries the pace of the day on where there are no other days', () => {
    expect(forecast(100, 0.25, NOTHING)).toBe(400)
  })

  it('is an ordinary day when the day has gone like the others so far', () => {
    expect(forecast(30, 0.5, { days: 7, by_now: 210, total: 700 })).toBe(100)
    expect(forecast(0, 0, { days: 7, by_now: 0, total: 700 })).toBe(100)
  })

  it('knows the hours in which nothing happens', () => {
    expect(forecast(80, 0.75, { days: 7, by_now: 700, total: 700 })).toBe(80)
  })

  it('rises and falls with the day, and less so in the morning', () => {
    const busy = forecast(200, 0.5, { days: 7, by_now: 350, total: 700 }) as number
    expect(busy).toBeGreaterThan(250)
    expect(forecast(0, 0.5, { days: 7, by_now: 350, total: 700 })).toBe(33)
    expect(forecast(2, 0.01, { days: 7, by_now: 7, total: 700 })).toBeLessThan(105)
  })

  it('never expects fewer calls than there were', () => {
    for (const total of [1, 10, 1_000])
      for (const by_now of [0, 0.5 * total, total])
        expect(forecast(500, 0.5, { days: 7, by_now, total })).toBeGreaterThanOrEqual(500)
  })
})
