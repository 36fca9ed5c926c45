import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBlank, isStorableText } from '../../src/lib/text.ts'

const CONTROLS = [...Array(0x20).keys(), 0x7f, ...Array.from({ length: 0x20 }, (_, n) => 0x80 + n)].map(code =>
  String.fromCharCode(code),
)
const ALLOWED = ['\t', '\n', '\r']

describe('isStorableText', () => {
  it('takes whatever people write', () => {
    for (const text of [
      '',
      'سطر\r\nسطر\tآخر',
      '👩‍👩‍👧',
      '\u200f\u200e\u202b',
      '\ufeff',
      '\u00a0',
      '\uffff',
      '\u{10ffff}',
    ])
      expect([text, isStorableText(text)]).toEqual([text, true])
  })

  it.each(CONTROLS)('knows whether the control character %j may stand in a text', control => {
    expect(isStorableText(`a${control}b`)).toBe(ALLOWED.includes(control))
  })

  it('refuses half of a surrogate pair wherever it stands', () => {
    const clean = fc.string({ unit: 'grapheme' })
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map(code => String.fromCharCode(code))
    fc.assert(fc.property(clean, half, clean, (before, stray, after) => !isStorableText(`${before}${stray}${after}`)))
  })

  it('agrees with UTF-8: what it takes comes back the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)) }),
        text => {
          fc.pre(isStorableText(text))
          expect(Buffer.from(text).toString()).toBe(text)
        },
      ),
    )
  })
})

describe('isBlank', () => {
  it.each(['', ' ', '\t\r\n', '\u00a0\u3000', '\ufeff'])('is true of %j', text => expect(isBlank(text)).toBe(true))
  it.each(['a', ' م ', '\u200f', '0', '-'])('is false of %j', text => expect(isBlank(text)).toBe(false))
})
