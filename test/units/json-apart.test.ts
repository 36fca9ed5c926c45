import { describe, expect, it } from 'vitest'
import { JsonFault, parseJsonObject, RepeatedKey } from '../../src/lib/json.ts'
import { parseJsonApart } from '../../src/lib/json-apart.ts'

const parse = async (text: string) => (await parseJsonApart(Buffer.from(text))).parsed

describe('parseJsonApart', () => {
  it('tells the same as parseJsonObject', async () => {
    const text = '{"a":"ديوان","b":1.50,"c":null,"d":true,"e":[1,[2]],"f":{"g":1,"g":{"__proto__":3}},"__proto__":2}'
    expect(await parse(text)).toEqual(parseJsonObject(new TextEncoder().encode(text)))
  })

  it('tells only the kind of what is nested more deeply than any field', async () => {
    const read = await parse(`{"a":${'['.repeat(900)}${']'.repeat(900)},"b":"kept"}`)
    if (read instanceof Error) throw read
    expect(JSON.stringify(read.fields.a)).toMatch(/^\[{10,50}\]+$/)
    expect(read.fields.b).toBe('kept')
  })

  it('tells the beginning of a text that is longer than any field may have, without half of a character', async () => {
    const read = await parse(`{"a":"${'a'.repeat(6_999_999)}🙂","b":"${'b'.repeat(7_000_000)}"}`)
    if (read instanceof Error) throw read
    expect([(read.fields.a as string).length, (read.fields.b as string).length]).toEqual([6_999_999, 7_000_000])
  })

  it.each([20, 20_000])('gives back the %i bytes that it was handed, and leaves those of others alone', async size => {
    const other = Buffer.from('of others')
    const text = `{"a":"${'a'.repeat(size)}"}`
    const { bytes } = await parseJsonApart(Buffer.from(text))
    expect(bytes.toString()).toBe(text)
    expect(other.toString()).toBe('of others')
  })

  it.each<[string, Error]>([
    ['{', new JsonFault('must be valid JSON')],
    ['[1]', new JsonFault('must be a JSON object')],
    [`{"a":[${'{},'.repeat(100_000)}0]}`, new JsonFault('is too large')],
    [`{"a":${'['.repeat(1_000)}`, new JsonFault('is nested too deeply')],
    ['{"a":1,"\\u0061":2}', new RepeatedKey('a')],
  ])('tells what is wrong as parseJsonObject does: %.20s', async (text, fault) => {
    expect(await parse(text)).toEqual(fault)
  })
})
