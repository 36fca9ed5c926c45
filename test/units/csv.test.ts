import { expect, it } from 'vitest'
import { csvLine } from '../../src/lib/csv.ts'

it.each([
  [['a', 7, null, undefined, true], 'a,7,,,true'],
  [['هدى, "H"', 'a\nb', 'c\rd'], '"هدى, ""H""","a\nb","c\rd"'],
  [[{ role: { to: 'manager' } }], '"{""role"":{""to"":""manager""}}"'],
  [['=1+1', '+cmd', '-1', '@SUM(A1)', '\t=1'], "'=1+1,'+cmd,'-1,'@SUM(A1),'\t=1"],
  [['\r=1', 'a=1'], `"'\r=1",a=1`],
])(
  'A line of CSV is quoted where it has to be, and has no cell that a spreadsheet takes for a formula: %j',
  (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`)
  },
)
