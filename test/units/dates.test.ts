import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../src/domain/sentences/sentences.ts'
import { dateProblem, readTime, showInstant, withinYears, writableSpan } from '../../src/domain/time/dates.ts'

const OUTSIDE = 'must be a Gregorian date from 1900 to 9999'
const NOT_A_DATE = 'must be a date that exists, written YYYY-MM-DD'

describe('A date', () => {
  it('can be written if it exists, is Gregorian and from 1900 to 9999', () => {
    const hijri = `${OUTSIDE}; 1448 looks like a Hijri year`
    for (const [problem, texts] of [
      [undefined, '2026-01-01|2024-02-29|1900-01-01|9999-12-31'],
      [OUTSIDE, '1899-12-31|0001-01-01|0000-01-01|1299-12-30|1601-01-01'],
      // The second month of a Hijri year can have 30 days.
      [hijri, '1448-06-05|1448-02-30'],
      [hijri.replace('1448', '1300'), '1300-01-01'],
      [hijri.replace('1448', '1600'), '1600-12-29'],
      [NOT_A_DATE, '2026-02-29|1900-02-29|2026-04-31|2026-13-01|2026-1-1|20260101|-002026-01-01|2026-01-01Z'],
      [NOT_A_DATE, '2026-01-01T00:00| 2026-01-01|2026-01-01\n|'],
    ] as const)
      for (const text of texts.split('|')) {
        const found = dateProblem(text)
        expect([text, found && wordsOf(found).en]).toEqual([text, problem])
      }
  })
})

describe('A time', () => {
  const zones = Intl.supportedValuesOf('timeZone')

  it('can be written from the first to the last millisecond of the years, on the clocks of every zone', () => {
    for (const zone of zones) {
      const { first, last } = writableSpan(zone)
      expect([zone, readTime('x', '1900-01-01T00:00', zone).at]).toEqual([zone, first])
      expect([zone, readTime('x', '9999-12-31T23:59:59.9999999', zone).at]).toEqual([zone, last])
      for (const text of ['1899-12-31T23:59:59.999', '0001-01-01T00:00:00'])
        expect(() => readTime('x', text, zone)).toThrow(`x ${OUTSIDE}`)
      for (const at of [first - 1, last + 1])
        expect(() => readTime('x', `${fourDigits(at)}Z`, zone)).toThrow(/^x must be/)
    }
  })

  it('that is written with an offset is judged by the clocks of the company', () => {
    expect(readTime('x', '1899-12-31T23:00:00Z', 'Asia/Riyadh').clock).toBe('1900-01-01T02:06:52')
    expect(() => readTime('x', '1900-01-01T02:00:00Z', 'America/New_York')).toThrow(OUTSIDE)
    expect(() => readTime('x', '9999-12-31T23:00:00Z', 'Asia/Riyadh')).toThrow(OUTSIDE)
    expect(readTime('x', '9999-12-31T23:00:00-05:00', 'America/New_York').at).toBe(Date.UTC(10_000, 0, 1, 4))
  })

  it('that looks like a Hijri date is told so', () => {
    for (const text of ['1448-06-05T10:00', '14480605T1000Z', '1448-02-30T10:00', '١٤٤٨-٠٦-٠٥'])
      expect(() => readTime('starts_at', text, 'Asia/Riyadh')).toThrow(
        `starts_at ${OUTSIDE}; 1448 looks like a Hijri year`,
      )
  })

  it('is the same instant when it is read from the words in which it is shown, in every zone, from 1900 to 9999', () => {
    const zone = fc.constantFrom(...zones)
    // Half of them in the first seventy years: then offsets had seconds.
    const any = fc.integer({ min: Date.UTC(1899, 11, 30), max: Date.UTC(10_000, 0, 2) })
    const old = fc.integer({ min: Date.UTC(1899, 11, 30), max: Date.UTC(1973) })
    fc.assert(
      fc.property(zone, fc.oneof(any, old), (timeZone, ms) => {
        const at = withinYears(ms, timeZone)
        const shown = showInstant(ms, timeZone)
        expect(shown).toMatch(/^(19|[2-9]\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?[+-]\d\d:\d\d$/)
        expect(readTime('x', shown, timeZone).at).toBe(at)
        // For other programs, which know the offset alone, it is the same to the rounding of the offset.
        expect(Math.abs(Date.parse(shown) - at)).toBeLessThanOrEqual(30_000)
      }),
      { numRuns: 5_000 },
    )
  })
})

/** An instant in UTC without its zone; only for instants whose year has four digits. */
function fourDigits(at: number): string {
  return new Date(at).toISOString().replace(/^\+0/, '').slice(0, -1)
}
