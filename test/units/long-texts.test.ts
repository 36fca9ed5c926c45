import type { TObject } from 'typebox'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { ApiError } from '../../src/domain/errors.ts'
import { bodyReader } from '../../src/http/requests/body.ts'
import { plainNumber } from '../../src/lib/digits.ts'
import { isLongerThan } from '../../src/lib/text.ts'

const LENGTH = 300_000

interface Schema {
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema
}

/** What this is put into, at each place below a field whose text has a limit. */
function placesOf({ maxLength, items, properties, additionalProperties }: Schema, text: string): unknown[] {
  const here = maxLength === undefined ? [] : [text]
  const listed = items ? placesOf(items, text).map(each => [each]) : []
  const named = Object.entries({ ...properties, ...(additionalProperties && { stage: additionalProperties }) })
  return [...here, ...listed, ...named.flatMap(([name, one]) => placesOf(one, text).map(each => ({ [name]: each })))]
}

/** Counts what is done to texts of this length, by whatever has to look at each of their characters. */
function countWalks(): { walks: string[] } {
  const counted = { walks: [] as string[] }
  const note = (name: string, text: unknown) => {
    if (typeof text === 'string' && text.length >= LENGTH) counted.walks.push(name)
  }
  for (const name of ['charCodeAt', 'codePointAt', 'isWellFormed', 'normalize', 'replace', 'trim'] as const) {
    const own = String.prototype[name] as (this: string, ...given: unknown[]) => unknown
    vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given: unknown[]) {
      note(name, this.toString())
      return own.apply(this, given) as never
    })
  }
  for (const name of ['test', 'exec'] as const) {
    const own = RegExp.prototype[name] as (this: RegExp, text: string) => unknown
    vi.spyOn(RegExp.prototype, name).mockImplementation(function (this: RegExp, text: string) {
      note(name, text)
      return own.call(this, text) as never
    })
  }
  return counted
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('A text that is far longer than its field', () => {
  const fields = [...apiEndpoints, ...adminEndpoints].flatMap(({ name, body }) =>
    Object.entries(body?.properties ?? {}).map(([field, schema]) => ({
      where: `${name} ${field}`,
      body: body as TObject,
      field,
      schema: schema as Schema,
    })),
  )

  it.each(['a', '١', '🌙'])('is refused before anything walks through it, in any field: %s', character => {
    const text = `${character.repeat(LENGTH / character.length)}\ud800`
    let tried = 0
    for (const { where, body, field, schema } of fields)
      for (const value of placesOf(schema, text)) {
        const read = bodyReader(body)
        const send = () => read({ fields: { [field]: value }, numbers: new Map(), repeated: [] }, () => {})
        // What is compiled on first use, is.
        expect(send, where).toThrow(ApiError)
        const counted = countWalks()
        expect(send, where).toThrow(/ is too long: at most /)
        vi.restoreAllMocks()
        expect([where, [...new Set(counted.walks)]]).toEqual([where, []])
        tried++
      }
    expect(tried).toBeGreaterThan(50)
  })

  it('is no number or date, and left as it is', () => {
    const counted = countWalks()
    const text = '١'.repeat(LENGTH)
    const plain = plainNumber(text)
    vi.restoreAllMocks()
    expect(counted.walks).toEqual([])
    expect(plain).toBe(text)
    expect(plainNumber('\u200f١٤٤٨-٠٦-٠٥\u200f')).toBe('1448-06-05')
  })
})

describe('isLongerThan', () => {
  it.each<[string, number, boolean]>([
    ['', 0, false],
    ['abc', 3, false],
    ['abcd', 3, true],
    ['🌙🌙🌙', 3, false],
    ['🌙🌙🌙a', 3, true],
    ['🌙🌙🌙🌙', 3, true],
    ['\ud800\ud800\ud800', 3, false],
    ['abcdefg', 3, true],
  ])('counts characters, and not the halves of their pairs: %j, %i', (text, characters, isLonger) => {
    expect(isLongerThan(text, characters)).toBe(isLonger)
  })
})
