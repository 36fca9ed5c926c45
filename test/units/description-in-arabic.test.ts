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

const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, '').replaceAll(/\]\([^)]*\)/g, '')

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

  it('cannot be made without a twin: the error names all that are missing', () => {
    const fewer = new Map(pairs)
    fewer.delete('List projects')
    fewer.delete('Errors')
    expect(() => inArabic(describeApi(), fewer)).toThrow(/of:\nErrors\nList projects$/)
  })

  it('differs from the English one in texts only: not in names, values, code and addresses', () => {
    for (const description of DESCRIPTIONS) {
      const code = (each: Json) => JSON.stringify(each).match(/```[^`]*```/g)
      expect(code(inArabic(description))).toEqual(code(description))
      expect(withoutTexts(inArabic(description))).toEqual(withoutTexts(description))
    }
  })

  it('is built from the same declarations: the operation that is needed, and which address is the flat one', () => {
    const paths = inArabic(describeApi()).paths as Record<string, Record<string, Json>>
    expect(paths['/lists/{list}']?.get).toMatchObject({
      summary: 'عرض قائمة مهام (العنوان المباشر)',
      description: 'يتطلب العملية `task_lists:read`.',
    })
  })

  it('is Arabic: with its punctuation, and with the names of fields set apart as code', () => {
    for (const [english, arabic] of pairs) {
      if (!/\p{Script=Arabic}/u.test(arabic)) expect(withoutCode(english)).not.toMatch(/[a-z]/i)
      expect(withoutCode(arabic), english).not.toMatch(/[;?]|,(?!\d{3})/)
      expect(withoutCode(arabic), english).not.toMatch(/\w_\w|\bnull\b|\btrue\b|\bfalse\b/)
      expect(arabic.match(/`/g)?.length ?? 0, english).toSatisfy((count: number) => count % 2 === 0)
    }
  })

  it('names the same fields, values and numbers as the English text', () => {
    const codesIn = (text: string) => new Set(text.match(/`[^`]*`/g))
    for (const [english, arabic] of pairs)
      for (const code of codesIn(english)) expect([...codesIn(arabic)], english).toContain(code)
    const numbersIn = (text: string) => new Set(withoutCode(text).match(/(?<![\w.])\d[\d,]*/g))
    for (const [english, arabic] of pairs)
      for (const number of numbersIn(english)) expect(arabic, english).toContain(number.replace(/,$/, ''))
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
