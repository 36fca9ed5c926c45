import { describe, expect, it } from 'vitest'
import { parseIso, writtenYear } from '../../src/lib/iso-8601.ts'
import { cpuMsOf } from '../support/growth.ts'

/** What is read of a text: the clock and the offset. */
function read(text: string) {
  const written = parseIso(text)
  return written && [String(written.clock), written.hasTime, written.offset]
}

describe('ISO 8601', () => {
  it.each([
    ['2027-01-01', '2027-01-01T00:00:00', false, undefined],
    ['20270101', '2027-01-01T00:00:00', false, undefined],
    ['2027-01-01T10:00', '2027-01-01T10:00:00', true, undefined],
    ['20270101T1000', '2027-01-01T10:00:00', true, undefined],
    ['20270101T100000Z', '2027-01-01T10:00:00', true, 'Z'],
    ['20270101t100000.25z', '2027-01-01T10:00:00.25', true, 'z'],
    ['20270101T1000+03', '2027-01-01T10:00:00', true, '+03'],
    ['2027-01-01T10:00+03', '2027-01-01T10:00:00', true, '+03'],
    ['2027-01-01T10:00:00+0300', '2027-01-01T10:00:00', true, '+0300'],
    ['2027-01-01T10:00:00-03:30', '2027-01-01T10:00:00', true, '-03:30'],
    ['2027-01-01T10:00:00.9999999Z', '2027-01-01T10:00:00.9999999', true, 'Z'],
    ['2027-01-01T10:00:00,5Z', '2027-01-01T10:00:00.5', true, 'Z'],
    ['٢٠٢٧-٠١-٠١T١٠:٠٠', '2027-01-01T10:00:00', true, undefined],
    [' 2027-01-01T10:00 ', '2027-01-01T10:00:00', true, undefined],
    ['2028-02-29', '2028-02-29T00:00:00', false, undefined],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00', true, undefined],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999', true, undefined],
  ])('%j is %s', (text, clock, hasTime, offset) => {
    expect(read(text)).toEqual([clock, hasTime, offset])
  })

  it('is nothing else', () => {
    const none = `tomorrow|2027|2027-01|202701|2027-1-1|27-01-01|2027-02-29|20270229|2027-13-01|2027-00-10|2027-01-01Z
      |2027-01-01 10:00|20270101 1000|2027-01-01T|2027-01-01T10|2027-01-01T1000|20270101T10:00|2027-01-01T25:00|2027-01-01T24:30
      |2027-01-01T10:60|2027-01-01T10:00:60|20270101T100060Z|2027-01-01T23:59:60Z|2027-01-01T10:00+24:00|2027-01-01T10:00+03:60
      |2027-01-01T10:00+3|2027-01-01T10:00+030|2027-01-01T10:00 03:00|2027-01-01T10:00:00.Z|2027-01-01T10:00:00.0123456789Z
      |+012027-01-01|-002027-01-01|10000-01-01|2027-W01-1|2027-001|2027-01-01T10:00[Asia/Riyadh]`
    for (const text of ['', `2027-01-01${' '.repeat(55)}`, ...none.split(/\s*\|/)])
      expect([text, read(text)]).toEqual([text, undefined])
  })

  it('is no longer than 64 characters, and what is longer is not looked at', async () => {
    expect(read(`2027-01-01${' '.repeat(54)}`)).toBeDefined()
    const ms = await cpuMsOf(() => {
      for (const piece of ['T', '2', ' ', '2027-01-01T', '+03'])
        expect(read(`2027-01-01${piece.repeat(5_000_000)}`)).toBeUndefined()
    })
    expect(ms).toBeLessThan(1_000)
  })

  it('tells the year also of a day that only another calendar has', () => {
    expect(
      ['1448-02-30', '14480230', '1448-02-30T10:00', '2027-02-30', 'x1448-02-30', '1448'].map(writtenYear),
    ).toEqual([1448, 1448, 1448, 2027, undefined, undefined])
  })
})
