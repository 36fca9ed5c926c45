import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStorableText, isVisible } from '../../src/lib/text.ts'

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

  it('takes no control character but those between lines and columns', () => {
    expect(CONTROLS.filter(control => isStorableText(`a${control}b`))).toEqual(ALLOWED)
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

describe('isVisible', () => {
  const characters = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter(code => code < 0xd800 || code > 0xdfff)
    .map(code => String.fromCodePoint(code))
  const shown = (those: string[]) => those.map(each => (each.codePointAt(0) as number).toString(16))

  it('sees nothing in white space, in what Unicode calls ignorable, and in what is no character of the first plane', () => {
    const nothing = characters.filter(each =>
      /[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800\ufffe\uffff]/u.test(each),
    )
    // The one control character that is white space and not to JavaScript; no control character gets this far.
    expect(shown(nothing.filter(each => isVisible(each)))).toEqual(['85'])
  })

  it('sees every letter, number, mark, sign and picture but those that are drawn as nothing', () => {
    const something = characters.filter(each => /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(each))
    const unseen = something.filter(each => !isVisible(each) && !/\p{Default_Ignorable_Code_Point}/u.test(each))
    expect(shown(unseen)).toEqual(['2800', '13440', '1d159'])
  })
})
