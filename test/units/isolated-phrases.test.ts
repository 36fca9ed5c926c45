import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isolatePhrases } from '../../src/lib/isolated-phrases.ts'
import { expectLinear } from '../support/growth.ts'

/** With the isolates made visible: `<` opens one left to right, `>` one right to left, `|` closes. */
const shown = (text: string, direction: 'ltr' | 'rtl') =>
  isolatePhrases(text, direction).replaceAll('\u2066', '<').replaceAll('\u2067', '>').replaceAll('\u2069', '|')

describe('A phrase against the direction of its paragraph', () => {
  it.each([
    ['لغة C++ و C# و .NET', 'لغة <C++| و <C#| و <.NET|'],
    ['الرقم +966 50 123-4567 صحيح', 'الرقم <+966 50 123-4567| صحيح'],
    ['من -5 إلى $1,000.50.', 'من <-5| إلى <$1,000.50|.'],
    ['قال "Hello, world!" ثم (Bye.)', 'قال "<Hello, world!|" ثم (<Bye.|)'],
    ['مع C++ Builder 12 أو Visual C++.', 'مع C++ Builder 12 أو <Visual C++|.'],
    ['خصم -10% عند -5°C، و 5 -7', 'خصم <-10%| عند <-5°C|، و 5 <-7|'],
    ['عقد 2027.pdf و 2027-Q1 و 5G و 3 files', 'عقد <2027.pdf| و <2027-Q1| و 5G و 3 files'],
    ['الملف «2027.pdf»', 'الملف «<2027.pdf|»'],
    ['هاتف 011-234-5678 أو 050 123 4567.', 'هاتف <011-234-5678| أو <050 123 4567|.'],
    ['رقم 050 123 4567 Ahmed هنا', 'رقم <050 123 4567| Ahmed هنا'],
    ['رقم ٠٥٠ ١٢٣ ٤٥٦٧ أو ٠١١-٢٣٤-٥٦٧٨', 'رقم <٠٥٠ ١٢٣ ٤٥٦٧| أو <٠١١-٢٣٤-٥٦٧٨|'],
  ])('keeps its punctuation: %s', (text, expected) => {
    expect(shown(text, 'rtl')).toBe(expected)
  })

  it.each([
    'نص (عربي) و«كلام» عن node.js و 10-20 و 5-10 و 2024/2025 و 12:30 و 1.5 و 5+5 و ٥-١٠',
    'قال "مرحبا Ahmed" اليوم',
    'قال "Hello, world" ثم (Office)',
    '( " « [',
  ])('is nothing else: %s', text => {
    expect(shown(text, 'rtl')).toBe(text)
  })

  it('is isolated between quotation marks in English too', () => {
    expect(shown('He said "مرحبا!" and (bye) and C++, +1 2.', 'ltr')).toBe(
      'He said ">مرحبا!|" and (bye) and C++, +1 2.',
    )
  })

  it('adds nothing but isolates, each closed', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab+#.@$-5/٣ "()«»نص') }), text => {
        const isolated = isolatePhrases(text, 'rtl')
        expect(isolated.replaceAll(/[\u2066-\u2069]/g, '')).toBe(text)
        expect(isolated.match(/[\u2066\u2067]/g)?.length).toBe(isolated.match(/\u2069/g)?.length)
      }),
    )
  })

  it('is looked for in linear time', { timeout: 300_000 }, async () => {
    for (const piece of '"|(|«|+1 |a|a+|$1,|-1.|[a|"a|. |1-|1 |٢-|٢ '.split('|'))
      await expectLinear(size => isolatePhrases(piece.repeat(size / piece.length), 'rtl'), [4_800, 38_400, 153_600])
  })
})
