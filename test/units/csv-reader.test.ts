import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsvReader } from '../../cli/src/import/csv-reader.ts'

/** Cut where the numbers say, as a stream may be. */
function read(text: string, cuts: number[] = []) {
  const reader = createCsvReader()
  const places = [0, ...cuts.map(cut => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const rows = places.slice(1).flatMap((end, n) => reader.push(text.slice(places[n], end)))
  return [...rows, ...reader.end()]
}
const cellsOf = (text: string, cuts?: number[]) => read(text, cuts).map(({ cells }) => cells)

const cell = fc.string({ unit: fc.constantFrom('a', 'ب', '"', ',', ';', '\t', '\n', '\r', ' ', '=', '\u0000', '😀') })
const table = fc
  .integer({ min: 1, max: 5 })
  .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))

describe('The reader of CSV', () => {
  it('gives back what was written, with any delimiter and line break, wherever the stream is cut', () => {
    const style = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
      endsWithOne: fc.boolean(),
      cuts: fc.array(fc.nat(), { maxLength: 12 }),
    })
    fc.assert(
      fc.property(table, style, (rows, { delimiter, lineBreak, endsWithOne, cuts }) => {
        // The header decides on the delimiter: it has no other sign in it that could be one.
        const header = rows[0]?.map((_, n) => `column ${n}`) as string[]
        const line = (cells: string[]) => cells.map(text => `"${text.replaceAll('"', '""')}"`).join(delimiter)
        const text = [header, ...rows].map(line).join(lineBreak) + (endsWithOne ? lineBreak : '')
        expect(cellsOf(text, cuts)).toEqual([header, ...rows])
      }),
    )
  })

  it('reads the same whether it comes at once or a character at a time', () => {
    const rough = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') })
    fc.assert(
      fc.property(rough, text => {
        const attempt = (cuts: number[]) => {
          try {
            return read(`x,y\n${text}`, cuts)
          } catch (error) {
            return (error as Error).message
          }
        }
        expect(attempt(Array.from({ length: text.length + 4 }, (_, n) => n))).toEqual(attempt([]))
      }),
    )
  })

  it('counts rows as a spreadsheet does, and leaves out empty ones', () => {
    expect(read('a,b\n\n1,"2\n3"\r\n\r\n4,5').map(({ number, cells }) => [number, ...cells])).toEqual([
      [1, 'a', 'b'],
      [3, '1', '2\n3'],
      [5, '4', '5'],
    ])
  })

  it('finds the delimiter in the first row, quotes aside', () => {
    expect(cellsOf('a;"b,c,d";e\n1;2,5;3')).toEqual([
      ['a', 'b,c,d', 'e'],
      ['1', '2,5', '3'],
    ])
    expect(cellsOf('only\none')).toEqual([['only'], ['one']])
    expect(createCsvReader().end()).toEqual([])
  })

  it('takes a quote within a cell as it is, and marks a row with text behind a closing quote', () => {
    expect(read('a,b\n5" pipe,x\n"y"z,1\nok,2')).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: ['5" pipe', 'x'] },
      { number: 3, cells: ['yz', '1'], problem: 'has text after a closing quote' },
      { number: 4, cells: ['ok', '2'] },
    ])
  })

  it.each([
    ['a quote that is never closed', 'a,b\n1,2\n3,"4\n5,6\n', 'row 3 has a quote that is never closed'],
    ['a cell of 10 MB', `a,b\n1,${'x'.repeat(10_000_000)}`, 'row 2 is longer than 1 MB. Is a quote missing?'],
    ['a million columns', ','.repeat(1_000_000), 'row 1 has more than 1000 cells'],
    ['a first row without an end', `"${'x'.repeat(2_000_000)}`, 'row 1 is longer than 1 MB. Is a quote missing?'],
  ])('gives up on %s, and names the row', (_, text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
