import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMinutes } from '../../src/lib/duration.ts'

const inDigitsOf = (zero: string) => (text: string) =>
  text.replace(/\d/g, digit => String.fromCodePoint((zero.codePointAt(0) as number) + Number(digit)))
const SCRIPTS = [inDigitsOf('0'), inDigitsOf('٠'), inDigitsOf('۰')]
const minutes = fc.integer({ min: 1, max: 100_000 })

describe('parseMinutes', () => {
  it('reads H:MM, decimal hours and whole minutes as the same duration, in every script', () => {
    const property = fc.property(minutes, fc.constantFrom(...SCRIPTS), (total, write) => {
      const clock = `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`
      const hours = (total / 60).toFixed(6)
      for (const text of [clock, hours, hours.replace('.', '٫'), String(total), ` ${total} `])
        expect([text, parseMinutes(write(text))]).toEqual([text, total])
    })
    fc.assert(property)
  })

  it('reads minutes to the nearest', () => {
    for (const [text, expected] of [
      ['0:05', 5],
      ['.5', 30],
      ['0.0083', undefined],
      ['0.0084', 1],
      ['1.3333333333333333', 80],
      ['١٫٢٥', 75],
      ['090', 90],
    ] as const)
      expect([text, parseMinutes(text)]).toEqual([text, expected])
  })

  it('refuses everything else', () => {
    const none =
      '| |0|00|0:00|0.0|.0|٠|۰:۰۰|-1|-1:30|-0.5|1:60|1:5|1:300|:30|1:|1.|.|1.5.5|1,5|1٫5٫5|1e2|+90|1 30|90m|one|0x1f|Infinity'
    for (const text of ['9'.repeat(20), '1'.repeat(60), ...none.split('|')])
      expect([text, parseMinutes(text)]).toEqual([text, undefined])
  })

  it('gives a whole number above zero or nothing, whatever it is given', () => {
    const anything = fc.oneof(fc.string(), fc.stringMatching(/^[-+]?[\d٠-٩۰-۹]{0,9}[:.٫,]?[\d٠-٩۰-۹]{0,12}$/))
    fc.assert(
      fc.property(anything, text => {
        const result = parseMinutes(text)
        // It fits the column it goes to.
        return result === undefined || (Number.isInteger(result) && result > 0 && result < 2 ** 31)
      }),
    )
  })
})
