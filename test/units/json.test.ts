import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numbersAt, parseJsonObject } from '../../src/lib/json.ts'

const read = (text: string) => parseJsonObject(new TextEncoder().encode(text))
const parse = (text: string) => read(text).fields
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const key = fc.string({ unit: 'binary', maxLength: 8 })

/** A JSON string of the same characters, each written as it is or escaped. */
const spelled = (text: string, escapes: boolean[]) =>
  `"${[...Array(text.length).keys()]
    .map(n => {
      const escaped = `\\u${text.charCodeAt(n).toString(16).padStart(4, '0')}`
      const isPlain = /[\w ]/.test(text[n] as string)
      return isPlain && !escapes[n % escapes.length] ? text[n] : escaped
    })
    .join('')}"`

describe('parseJsonObject', () => {
  it('agrees with JSON.parse on every object', () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), fc.constantFrom(0, 2, '\t'), (object, indent) => {
        const text = JSON.stringify(object, null, indent)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses a key that stands twice at the top, however either is spelled', () => {
    const escapes = fc.array(fc.boolean(), { minLength: 1 })
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), key, escapes, escapes, (others, twice, first, second) => {
        delete others[twice]
        const rest = Object.entries(others).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
        const text = `{${[`${spelled(twice, first)}: 1`, ...rest, `${spelled(twice, second)} :2`].join(',')}}`
        expect(() => parse(text)).toThrow(`The key ${JSON.stringify(twice)} occurs more than once`)
      }),
    )
  })

  it('names the keys that stand twice in an object below the top, up to one in an entry of a list there', () => {
    const text =
      '{"o":{"a":1,"a":2},"n":[[{"a":1,"a":2}]],"l":[{"a":"{[,:","a":2},[1,2],{"a":1,"b":{"a":1,"a":2},"\\u0062":0,"b":0},{"a":1}]}'
    expect(read(text).repeated).toEqual([
      ['o', 'a'],
      ['n', 0, 0, 'a'],
      ['l', 0, 'a'],
      ['l', 2, 'b', 'a'],
      ['l', 2, 'b'],
      ['l', 2, 'b'],
    ])
    expect(read('{"l":[{"a":{"b":{"c":1,"c":2},"d":1,"d":2}}]}').repeated).toEqual([['l', 0, 'a', 'd']])
    expect(read('{"a":[{"x":1},{"x":1}],"b":[{"x":1}]}').repeated).toEqual([])
  })

  it.each([
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":"{\\"b\\":","b":"}"}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":{"x":1,"x":2}}',
    '{"a":"\\\\","b":"\\\\"}',
    '{"a":[":",",","{","}"],"b":":"}',
    ' \n{ "a" : 1 , "b" : 2 }\t',
  ])('is not confused by %s', text => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  it('takes a body of nothing for an empty object, and refuses what is no object, no JSON or no UTF-8', () => {
    for (const text of ['', ' ', '\r\n\t']) expect(parse(text)).toEqual({})
    for (const text of ['null', '1', '"a"', 'true', '[]', '[{"a":1}]'])
      expect(() => parse(text), text).toThrow('must be a JSON object')
    for (const text of ['{', '{"a":1,}', "{'a':1}", '{"a":01}', '{"a":NaN}', '{"a":"\n"}', '{}{}', 'a=1', '{"a":1'])
      expect(() => parse(text), text).toThrow('must be valid JSON')
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xd9]]) {
      const wrapped = new Uint8Array([...new TextEncoder().encode('{"a":"'), ...bytes, 0x22, 0x7d])
      expect(() => parseJsonObject(wrapped)).toThrow('must be valid UTF-8')
    }
  })

  it('keeps how each number at the top was written, and no other', () => {
    const { fields, numbers } = read('{"a": 1.50, "b": -2e+3,"c":"7","d":[8],"e":{"f":9},"\\u0067":0}')
    expect(fields).toEqual({ a: 1.5, b: -2000, c: '7', d: [8], e: { f: 9 }, g: 0 })
    expect(Object.fromEntries(numbers)).toEqual({ a: '1.50', b: '-2e+3', g: '0' })
  })

  it('tells how the numbers of an object further in were written, and no others', () => {
    const text = '{"a":1.0,"b":{"a":2.0,"c":{"a":3.0,"d":[4.0],"e":{"a":5.0}}},"c":{"c":{"a":6.0}}}'
    const written = (path: string[]) => Object.fromEntries(numbersAt(path, text))
    expect([[], ['b'], ['b', 'c'], ['b', 'c', 'e'], ['c', 'c'], ['d']].map(written)).toEqual([
      { a: '1.0' },
      { a: '2.0' },
      { a: '3.0' },
      { a: '5.0' },
      { a: '6.0' },
      {},
    ])
  })

  it.each([
    ['keys', `{${Array.from({ length: 15_002 }, (_, n) => `"k${n}":0`).join()}}`],
    ['keys in an object', `{"a":{${'"k":0,'.repeat(15_001)}"k":0}}`],
    ['entries', `{"a":[${'0,'.repeat(40_001)}0]}`],
    ['lists', `{"a":${'[]'.repeat(120_000)}`],
    ['objects', `{"a":${'{}'.repeat(120_000)}`],
    ['lists within few others', `{"a":[${Array(121).fill(nested(997)).join()}]}`],
  ])('refuses more %s than take a moment to read, whether they are JSON or not', (_, text) => {
    expect(() => parse(text)).toThrow('is too large')
  })

  it('counts nothing that is in a string', () => {
    const text = `{"a":"${',:[{\\"'.repeat(200_000)}"}`
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  it('reads 1,000 levels, as often as they come, and no more', () => {
    expect(Object.keys(parse(`{"a":${nested(999)},"b":[${nested(998)},${nested(998)}]}`))).toEqual(['a', 'b'])
    for (const more of [nested(1_000), '['.repeat(1_000), '{"a":'.repeat(1_000)])
      expect(() => parse(`{"a":${more}`)).toThrow('is nested too deeply')
  })
})
