import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeTimes, readPeriod, readTimes } from '../../src/api/event-times.ts'
import { toTimestamp } from '../../src/db/instants.ts'
import { writableSpan } from '../../src/domain/time/dates.ts'
import { formatInstant } from '../../src/lib/zoned-time.ts'
import { cpuMsOf } from '../support/growth.ts'
import { HAS_TIME } from '../support/suites.ts'

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const anyTime = fc.integer({ min: Date.UTC(2024), max: Date.UTC(2031) - 1 })

/** The clock changes of a zone from 2024 to 2030, found by asking Intl for every day and halving. */
const changes = new Map<string, number[]>()
function clockChanges(timeZone: string): number[] {
  const known = changes.get(timeZone)
  if (known) return known
  const found: number[] = []
  for (let day = Date.UTC(2024); day < Date.UTC(2031); day += 4 * 86_400_000) {
    let [before, after] = [day, day + 4 * 86_400_000]
    if (offsetIn(timeZone, before) === offsetIn(timeZone, after)) continue
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000
      if (offsetIn(timeZone, middle) === offsetIn(timeZone, before)) before = middle
      else after = middle
    }
    found.push(after)
  }
  changes.set(timeZone, found)
  return found
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** What the clocks of a zone show, as Intl says: another program than the one under test. */
function clockIn(timeZone: string, at: number): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}
const dateIn = (timeZone: string, at: number) => clockIn(timeZone, at).slice(0, 10)
const offsetIn = (timeZone: string, at: number) =>
  Date.parse(`${clockIn(timeZone, at).replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000

/** A zone and an instant, half of the time within a few hours of one of the zone's clock changes. */
const zonedTime = fc
  .tuple(zone, anyTime, fc.boolean(), fc.nat(), fc.integer({ min: -4 * 3_600_000, max: 4 * 3_600_000 }))
  .map(([timeZone, at, isNear, pick, distance]) => {
    const near = isNear ? clockChanges(timeZone) : []
    const change = near[pick % Math.max(near.length, 1)]
    return { timeZone, at: change === undefined ? at : change + distance }
  })

const RUNS = { numRuns: HAS_TIME ? 1_500 : 300 }

describe('The time of an event, in every IANA zone and around the clock changes of 2024 to 2030', {
  timeout: 180_000,
}, () => {
  it('without an offset is what the clocks of the zone show, unless they skip it', () => {
    fc.assert(
      fc.property(zonedTime, ({ timeZone, at }) => {
        const clock = clockIn(timeZone, at).replace(' ', 'T')
        const { starts_at } = readTimes(timeZone, { starts_at: clock, ends_at: clock, all_day: false })
        expect(clockIn(timeZone, Date.parse(starts_at)).replace(' ', 'T')).toBe(clock)
        // Of a time that comes twice it is the first.
        expect(Date.parse(starts_at)).toBeLessThanOrEqual(at)
      }),
      RUNS,
    )
  })

  it('lies within the bounds of its own local date, and of no other', () => {
    fc.assert(
      fc.property(zonedTime, fc.integer({ min: -2, max: 2 }), ({ timeZone, at }, days) => {
        const date = dateIn(timeZone, at)
        const other = new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
        expect(isWithin(timeZone, at, { from: other, to: other })).toBe(other === date)
        expect(isWithin(timeZone, at, { from: other })).toBe(date >= other)
        expect(isWithin(timeZone, at, { to: other })).toBe(date <= other)
      }),
      RUNS,
    )
  })

  it('is included by a bound that is that very time, in any of its spellings', () => {
    fc.assert(
      fc.property(zonedTime, ({ timeZone, at }) => {
        const bound = formatInstant(at, timeZone)
        for (const text of [bound, bound.replace(/\+(\d\d:\d\d)$/, ' $1'), new Date(at).toISOString()]) {
          expect(isWithin(timeZone, at, { from: text, to: text })).toBe(true)
          expect(isWithin(timeZone, at - 1, { from: text })).toBe(false)
          expect(isWithin(timeZone, at + 1, { to: text })).toBe(false)
        }
      }),
      RUNS,
    )
  })

  it('of an all-day event keeps its day', () => {
    fc.assert(
      fc.property(zonedTime, ({ timeZone, at }) => {
        const date = dateIn(timeZone, at)
        const { starts_at, starts_clock } = readTimes(timeZone, { starts_at: date, ends_at: date, all_day: true })
        expect([starts_clock, dateIn(timeZone, Date.parse(starts_at))]).toEqual([`${date}T00:00:00`, date])
        expect(isWithin(timeZone, Date.parse(starts_at), { from: date, to: date })).toBe(true)
      }),
      RUNS,
    )
  })
})

describe('The time of an event, from 1900 to 9999 in every IANA zone', () => {
  /** Any instant that can be written: half of them near an edge, a quarter from when offsets had seconds. */
  const writable = fc
    .tuple(zone, fc.constantFrom('first', 'last', 'old', 'any'), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([timeZone, kind, distance, part]) => {
      const { first, last } = writableSpan(timeZone)
      const near = distance % (2 * 86_400_000)
      if (kind === 'first') return { timeZone, at: first + near }
      if (kind === 'last') return { timeZone, at: last - near }
      return { timeZone, at: first + Math.floor(part * ((kind === 'old' ? Date.UTC(1973) : last) - first)) }
    })
  const anyDate = fc
    .tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([year, month, day]) => [String(year).padStart(4, '0'), two(month), two(day)].join('-'))
  const two = (part: number) => String(part).padStart(2, '0')

  it('is not moved by a change of something else, nor the start by a change of the end', () => {
    fc.assert(
      fc.property(writable, fc.boolean(), ({ timeZone, at }, all_day) => {
        const starts_at = formatInstant(at, timeZone)
        const event = readTimes(timeZone, { starts_at, ends_at: starts_at, all_day })
        expect(event.starts_at).toBe(toTimestamp(at))
        // As it comes from the database.
        const row = { ...event, starts_at: new Date(at).toISOString(), ends_at: new Date(at).toISOString() }
        expect(changeTimes(timeZone, row, {})).toBeUndefined()
        expect(changeTimes(timeZone, row, { all_day })).toBeUndefined()
        expect(changeTimes(timeZone, row, { ends_at: starts_at })).toEqual(event)
        expect(changeTimes(timeZone, row, { starts_at })).toEqual(event)
        expect(changeTimes(timeZone, row, { all_day: !all_day })).toMatchObject({ starts_at: event.starts_at })
      }),
      RUNS,
    )
  })

  it('lies within a window of dates when its local date does, whatever the years of the window', () => {
    fc.assert(
      fc.property(writable, anyDate, anyDate, ({ timeZone, at }, from, to) => {
        const date = formatInstant(at, timeZone).slice(0, 10)
        const edge = to < '1900-01-01' ? '1900-01-01' : to
        expect(isWithin(timeZone, at, { from })).toBe(date >= from)
        expect(isWithin(timeZone, at, { to: to.replaceAll('-', '') })).toBe(date <= edge)
        expect(isWithin(timeZone, at, { from, to })).toBe(date >= from && date <= edge)
      }),
      RUNS,
    )
  })

  it('lies within a window of times when it is between them, whatever the years of the window', () => {
    fc.assert(
      fc.property(writable, anyDate, fc.nat({ max: 86_399 }), ({ timeZone, at }, date, second) => {
        const clock = new Date(second * 1_000).toISOString().slice(11, 19)
        const bound = Date.parse(`${date}T${clock}Z`)
        const { first } = writableSpan(timeZone)
        expect(isWithin(timeZone, at, { from: `${date}T${clock}Z` })).toBe(at >= bound)
        expect(isWithin(timeZone, at, { to: `${date}T${clock}+00` })).toBe(at <= Math.max(bound, first))
      }),
      RUNS,
    )
  })
})

function isWithin(timeZone: string, at: number, query: { from?: string; to?: string }): boolean {
  const { from, before } = readPeriod(timeZone, { ...query, include_past: false })
  return (from === null || at >= from) && (before === null || at < before)
}

describe('A window', () => {
  it('without bounds begins today, or with the past nowhere', () => {
    const { from, before } = readPeriod('Asia/Riyadh', { include_past: false })
    const today = dateIn('Asia/Riyadh', Date.now())
    expect([dateIn('Asia/Riyadh', from as number), before]).toEqual([today, null])
    expect(clockIn('Asia/Riyadh', from as number)).toBe(`${today} 00:00:00`)
    expect(readPeriod('Asia/Riyadh', { include_past: true })).toEqual({ from: null, before: null })
  })

  it.each(['2026-02-30', '2026-13-01', 'tomorrow', '2026-01-01T25:00', '2026-01-01T10:00+99:00', '10:00', '2026-1-1'])(
    'refuses %j on either side',
    text => {
      for (const side of ['from', 'to'])
        expect(() => readPeriod('Asia/Riyadh', { [side]: text, include_past: true })).toThrow(
          new RegExp(`^${side} must`),
        )
    },
  )

  it('is refused in no time, however long what was sent for a date is', async () => {
    const ms = await cpuMsOf(() => {
      for (const text of ['T'.repeat(500_000), `${'T'.repeat(500_000)} 03:00`, ' '.repeat(500_000)])
        for (const side of ['from', 'to'])
          expect(() => readPeriod('Asia/Riyadh', { [side]: text, include_past: true })).toThrow(/exists, in ISO 8601$/)
    })
    expect(ms).toBeLessThan(1_000)
  })

  it('is read with Arabic and Persian digits too', () => {
    const western = readPeriod('Asia/Riyadh', { from: '2026-12-01', to: '2026-12-31', include_past: false })
    expect(readPeriod('Asia/Riyadh', { from: '٢٠٢٦-١٢-٠١', to: '۲۰۲۶-۱۲-۳۱', include_past: false })).toEqual(western)
  })
})
