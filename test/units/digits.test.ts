import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { westernDigits } from '../../src/lib/digits.ts'

const SCRIPTS = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '0123456789']

describe('westernDigits', () => {
  it('reads every number in every script it knows, mixed ones too', () => {
    const digit = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...SCRIPTS))
    fc.assert(
      fc.property(fc.array(digit), digits => {
        const written = digits.map(([value, script]) => script[value]).join('')
        expect(westernDigits(written)).toBe(digits.map(([value]) => value).join(''))
      }),
    )
  })

  it('leaves everything else as it is, other scripts with digits too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const others = text.replace(/[٠-٩۰-۹]/g, '')
        expect(westernDigits(others)).toBe(others)
      }),
    )
    for (const text of ['१२३', '١٬٢٣٤'.slice(1, 2), '½', '٪', '٫', '\u065f', '\u066a', '\u06ef\u0301'.slice(1)])
      expect(westernDigits(text)).toBe(text)
  })

  it.each([
    ['٢٠٢٦-١١-٠١', '2026-11-01'],
    ['۱۲:۳۰', '12:30'],
    ['-٥', '-5'],
  ])('reads %s as %s', (text, western) => {
    expect(westernDigits(text)).toBe(western)
  })
})
