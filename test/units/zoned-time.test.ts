import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isZone, localDay } from '../../src/lib/zoned-time.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date in a zone as Intl writes it. */
function dateIn(timeZone: string, at: number): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}

function expectConsistent(zone: string, at: number): void {
  const { date, startsAt, endsAt } = localDay(zone, at)
  expect(startsAt).toBeLessThanOrEqual(at)
  expect(endsAt).toBeGreaterThan(at)
  expect([dateIn(zone, at), dateIn(zone, startsAt), dateIn(zone, endsAt - 1)]).toEqual([date, date, date])
  expect(dateIn(zone, startsAt - 1) < date).toBe(true)
  expect(dateIn(zone, endsAt) > date).toBe(true)
}

describe('The local day', () => {
  it.each([
    // Cairo skips 00:00 in spring, and in autumn has 23:00 twice.
    ['Africa/Cairo', '2026-04-23T21:59:59.999Z', '2026-04-23', '2026-04-22T22:00Z', '2026-04-23T22:00Z'],
    ['Africa/Cairo', '2026-04-23T22:00Z', '2026-04-24', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ['Africa/Cairo', '2026-10-29T21:30Z', '2026-10-29', '2026-10-28T21:00Z', '2026-10-29T22:00Z'],
    // Havana has 00:00 to 01:00 twice in autumn: the day begins with the first, and lasts 25 hours.
    ['America/Havana', '2026-11-01T05:30Z', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['America/Havana', '2026-03-08T05:00Z', '2026-03-08', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
    ['Asia/Kathmandu', '2026-01-01T18:14:59Z', '2026-01-01', '2025-12-31T18:15Z', '2026-01-01T18:15Z'],
    // Samoa had no 30 December 2011.
    ['Pacific/Apia', '2011-12-30T09:59Z', '2011-12-29', '2011-12-29T10:00Z', '2011-12-30T10:00Z'],
  ])('in %s at %s is %s', (zone, at, date, startsAt, endsAt) => {
    expect(localDay(zone, Date.parse(at))).toEqual({
      date,
      startsAt: Date.parse(startsAt),
      endsAt: Date.parse(endsAt),
    })
  })

  it('begins and ends where Intl changes the date, in every zone, at any instant from 2024 to 2030', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const at = fc.integer({ min: Date.UTC(2024), max: Date.UTC(2031) - 1 })
    fc.assert(fc.property(zone, at, expectConsistent), { numRuns: 3_000 })
  })
})

describe('A zone', () => {
  it.each([
    ['Asia/Riyadh', true],
    ['Asia/Kathmandu', true],
    ['UTC', true],
    ['+03:00', false],
    ['Mars/Olympus', false],
    ['', false],
  ])('%j: %j', (zone, is) => {
    expect(isZone(zone)).toBe(is)
  })
})
