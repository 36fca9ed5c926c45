import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaseFont } from '../../src/adapters/pdf/font-runs.ts'
import { loadFonts } from '../../src/adapters/pdf/fonts.ts'

const { choose } = loadFonts()
/** Runs as `font:text`, those of the base font as their text. */
const runs = (text: string, base: BaseFont = 'latin') =>
  choose(text, base).map(run => (run.font ? `${run.font}:${run.text}` : run.text))

describe('The font of text', () => {
  it.each<[text: string, base: BaseFont, runs: string[]]>([
    ['Plain text, 123.', 'latin', ['Plain text, 123.']],
    ['نص عربي، ١٢٣ (456).', 'arabic', ['نص عربي، ١٢٣ (456).']],
    ['see مرحبا بكم (now)', 'latin', ['see ', 'Amiri:مرحبا بكم', ' (now)']],
    ['في Microsoft Office نص', 'arabic', ['في ', 'Noto Sans:Microsoft Office', ' نص']],
    ['x = "مرحبا"', 'mono', ['x = "', 'Amiri:مرحبا', '"']],
    ['a → b ≥ c', 'latin', ['a ', 'Noto Sans Math:→', ' b ', 'Noto Sans Math:≥', ' c']],
    ['⠁ 😀🚀', 'latin', ['Noto Sans Symbols 2:⠁', ' ', 'Noto Emoji:😀🚀']],
    ['👍🏽👨‍👩‍👧🇪🇬❤️1️⃣', 'latin', ['Noto Emoji:👍🏽👨‍👩‍👧🇪🇬❤️1️⃣']],
    ['你好，かな', 'latin', ['Chocolate Classical Sans:你好，かな']],
    ['한국어 문서', 'latin', ['NanumGothicCoding:한국어 문서']],
    ['हिन्दी', 'latin', ['हिन्दी']],
  ])('%j on %s is %j', (text, base, expected) => {
    expect(runs(text, base)).toEqual(expected)
  })

  it('has a visible mark for every character that no font has', () => {
    expect(runs('ไทย!')).toEqual(['���!'])
    expect(runs('\u{10ffff}', 'arabic')).toEqual(['Noto Sans:�'])
    expect(runs('\ud800')).toEqual(['�'])
  })

  it('has nothing for controls, and a plain space for spaces that it does not have', () => {
    expect(runs('a\u0007b\u1680c')).toEqual(['ab c'])
  })

  it('is found for whatever is written, and no word is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom<BaseFont>('latin', 'arabic', 'mono'), (text, base) => {
        const units = text.toWellFormed().replace(/(?![\n\t])\p{Cc}/gu, '')
        const shown = choose(text, base)
          .map(run => run.text)
          .join('')
        expect([...shown].length).toBeLessThanOrEqual([...units].length)
        expect(shown === '').toBe(units === '')
      }),
    )
  })
})
