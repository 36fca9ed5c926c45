import { expect, it } from 'vitest'
import { csvLine } from '../../src/lib/csv.ts'

it('A cell that a spreadsheet would take for a formula becomes text, behind blanks and in full width too', () => {
  for (const cell of ['=1+1', '+1', '-1', '@SUM(1)', ' =1', '\u00a0=1', '\t=1', '\r1', '＝1', '＋1', '－1', '＠1'])
    expect(csvLine([cell]).replaceAll('"', '')).toBe(`'${cell}\r\n`)
  for (const cell of ['1=1', 'a-b', 'ديوان', '(=1)']) expect(csvLine([cell])).toBe(`${cell}\r\n`)
})

it('A line quotes what needs it, leaves null empty, and has no isolates', () => {
  expect(csvLine(['a,b', 'c"d', 'e\nf', null, 5, { a: 1 }])).toBe('"a,b","c""d","e\nf",,5,"{""a"":1}"\r\n')
  expect(csvLine(['by \u2068ليلى\u2069.'])).toBe('by ليلى.\r\n')
})
