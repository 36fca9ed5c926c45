import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import { inArabic } from '../../src/http/description/in-arabic.ts'
import type { Json } from '../../src/http/description/schemas.ts'

const FOLDER = join(import.meta.dirname, '../../src/http/description/arabic')
const DESCRIPTIONS = [describeApi(), describeAdmin()]
const tables: Record<string, string>[] = []
for (const file of readdirSync(FOLDER))
  tables.push(...Object.values<Record<string, string>>(await import(join(FOLDER, file))))
const pairs = tables.flatMap(table => Object.entries(table))

/** Remembers which texts were asked for. */
class Asked extends Map<string, string> {
  readonly texts = new Set<string>()
  override get(text: string) {
    this.texts.add(text)
    return super.get(text)
  }
}

describe('The description in Arabic', () => {
  it.each(DESCRIPTIONS.map(description => [(description.info as Json).title, description] as const))(
    'has a twin for every text of the description %s',
    (_, description) => {
      expect(() => inArabic(description)).not.toThrow()
    },
  )

  it('has no twin of a text that nobody reads any more, and none twice', () => {
    const asked = new Asked(pairs)
    for (const description of DESCRIPTIONS) inArabic(description, asked)
    expect(pairs.map(([english]) => english).filter(english => !asked.texts.has(english))).toEqual([])
    expect(pairs.length).toBe(asked.size)
    expect(pairs.length).toBeGreaterThan(700)
  })

  it('differs from the English one in texts only: not in names, values, code and addresses', () => {
    for (const description of DESCRIPTIONS) {
      const code = (each: Json) => JSON.stringify(each).match(/```[^`]*```/g)
      expect(code(inArabic(description))).toEqual(code(description))
      expect(withoutTexts(inArabic(description))).toEqual(withoutTexts(description))
    }
  })
})

/** What is left when nothing is read by people. */
function withoutTexts(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutTexts)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => key !== 'x-displayName' && !(typeof value === 'string' && isText(key)))
      .map(([key, value]) => [key, withoutTexts(value)]),
  )
}

const isText = (key: string) => ['title', 'summary', 'description'].includes(key)
