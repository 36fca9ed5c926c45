import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiName } from '../../src/lib/ascii-name.ts'

describe('A name in ASCII', () => {
  it.each([
    ['plan.pdf', 'plan.pdf'],
    ['خطة المكتب.pdf', 'khta almktb.pdf'],
    ['أسعار ٢٠٢٦.xlsx', 'asaar 2026.xlsx'],
    ['مَكْتَب.txt', 'mktb.txt'],
    ['Café Größe.txt', 'Cafe Grosse.txt'],
    ['文档.pdf', 'file.pdf'],
    ['文档 2.pdf', '__ 2.pdf'],
    ['___.txt', 'file.txt'],
    ['a"b\\c%d.txt', 'a_b_c_d.txt'],
    ['.env', '.env'],
    ['🎉', 'file'],
  ])('of %j is %j', (name, expected) => {
    expect(asciiName(name)).toBe(expected)
  })

  it('is printable, needs no quoting, and has a letter or digit, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), name => {
        expect(asciiName(name)).toMatch(/^[\x20-\x7e]+$/)
        expect(asciiName(name)).not.toMatch(/["\\%/]/)
        expect(asciiName(name)).toMatch(/[A-Za-z0-9]/)
      }),
    )
  })
})
