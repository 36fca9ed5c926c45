import { expect, it } from 'vitest'
import { JsonFault, parseJsonObject } from '../../src/lib/json.ts'
import { parseJsonApart } from '../../src/lib/json-apart.ts'

it('A body that a thread has read is the same, and so is its fault', async () => {
  const text = '{"a":"ديوان","b":1.50,"c":null,"d":true,"e":[1,[2]],"f":{"g":1,"g":{"__proto__":3}},"__proto__":2}'
  const { parsed, bytes } = await parseJsonApart(Buffer.from(text))
  expect([parsed, bytes.toString()]).toEqual([parseJsonObject(new TextEncoder().encode(text)), text])
  expect((await parseJsonApart(Buffer.from('{'))).parsed).toEqual(new JsonFault('must be valid JSON'))
})
