import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromTimestamp, toTimestamp } from '../../src/db/instants.ts'

describe('An instant from the database', () => {
  it.each([
    ['2026-11-15 08:30:00+00', '2026-11-15T08:30:00.000Z'],
    ['2026-11-15 08:30:00.123999+00', '2026-11-15T08:30:00.123Z'],
    ['1899-12-31 20:53:08+00', '1899-12-31T20:53:08.000Z'],
    ['0050-01-01 00:00:00+03', '0049-12-31T21:00:00.000Z'],
    ['10000-01-01 04:59:59.999+00', '+010000-01-01T04:59:59.999Z'],
    ['0001-12-31 23:59:59+00 BC', '0000-12-31T23:59:59.000Z'],
    ['2026-01-01 03:06:52.5+03:06:52', '2026-01-01T00:00:00.500Z'],
    ['2026-01-01 00:00:00-04:30', '2026-01-01T04:30:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(fromTimestamp(text)).toBe(instant)
  })

  it.each(['infinity', '', '2026-11-15', '15/11/2026 08:30:00 UTC', '2026-11-15T08:30:00Z', '2026-11-15 08:30:00'])(
    '%j is none, and nothing is guessed',
    text => {
      expect(() => fromTimestamp(text)).toThrow('PostgreSQL sent')
    },
  )

  it('is the one that was written, from 1899 to 10000', () => {
    const at = fc.integer({ min: Date.UTC(1899, 11, 30), max: Date.UTC(10_000, 0, 2) })
    fc.assert(
      fc.property(at, ms => {
        const asWritten = toTimestamp(ms).replace('T', ' ').replace('Z', '+00')
        expect(Date.parse(fromTimestamp(asWritten))).toBe(ms)
      }),
      { numRuns: 5_000 },
    )
  })
})
