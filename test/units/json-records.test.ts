import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonRecords } from '../../cli/src/import/json-records.ts'

function read(text: string, size = text.length) {
  const records = createJsonRecords('issues')
  const found: unknown[] = []
  for (let at = 0; at < text.length; at += size) found.push(...records.push(text.slice(at, at + size)))
  records.end()
  return found
}

describe('The records of a JSON text', () => {
  it('are what JSON.parse finds in it, whatever it is cut into', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue())
    const sized = fc.integer({ min: 1, max: 20 })
    fc.assert(
      fc.property(fc.array(record), fc.jsonValue(), sized, fc.boolean(), (list, other, size, isBare) => {
        const whole = isBare ? list : { before: other, issues: list, 'is"sues': other }
        const written = JSON.stringify(whole)
        expect(read(written, size)).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })

  it('may come in several texts, one behind the other', () => {
    expect(read('{"issues":[{"a":1}],"offset":0}\n{"issues":[{"a":2}],"offset":1}', 3)).toEqual([{ a: 1 }, { a: 2 }])
  })

  it.each([
    ['{"tasks":[{"a":1}]}', 'must contain a list of records, either at the top level or under "issues"'],
    ['{"issues":[1]}', 'must contain a list of records, either at the top level or under "issues"'],
    ['["a"]', 'must contain a list of records, either at the top level or under "issues"'],
    ['[{"a":1},{"a":', 'ends too early, after record 1'],
    ['[{"a":1},{"a" 2}]', 'is not valid JSON in record 2'],
    [']', 'is not valid JSON: it closes more brackets than it opens'],
    [`[{"a":"${'x'.repeat(2_000_000)}"}]`, 'has a record of more than 1 MB: record 1'],
  ])('are not found in %.40s', (text, message) => {
    expect(() => read(text, 64 * 1024)).toThrow(message)
  })
})
