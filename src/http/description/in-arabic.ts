import { ADMINISTRATION_PARTS } from './arabic/administration-parts.ts'
import { ADMINISTRATION_OF_PEOPLE } from './arabic/administration-people.ts'
import { ADMINISTRATION_OF_SERVICE } from './arabic/administration-service.ts'
import { API_OPERATIONS } from './arabic/api-operations.ts'
import { API_PARTS } from './arabic/api-parts.ts'
import { GUIDE } from './arabic/guide.ts'
import type { Json } from './schemas.ts'

/** The Arabic twin of every text in the descriptions. English is the name of a text. */
const TWINS: ReadonlyMap<string, string> = new Map(
  [GUIDE, API_OPERATIONS, API_PARTS, ADMINISTRATION_OF_PEOPLE, ADMINISTRATION_OF_SERVICE, ADMINISTRATION_PARTS].flatMap(
    table => Object.entries(table),
  ),
)

/** What programs read, and what is copied: the same in every language. */
const FOR_PROGRAMS = ['example', 'examples', 'enum', 'default', 'x-codeSamples']
const FOR_PEOPLE = ['summary', 'description']

/** A description with its texts in Arabic. Names, values and code stay as they are, and so do the anchors of the reference page. */
export function inArabic(description: Json, twins = TWINS): Json {
  const missing = new Set<string>()
  const twin = (text: string) => {
    const arabic = twins.get(text)
    if (arabic === undefined && saysSomething(text)) missing.add(text)
    return arabic ?? text
  }
  const translated = retold(description, twin) as { info: { title: string }; tags: { name: string }[] }
  translated.info.title = twin(translated.info.title)
  // The name of a group is in the addresses of the page; this one is shown.
  translated.tags = translated.tags.map(tag => ({ ...tag, 'x-displayName': twin(tag.name) }))
  if (missing.size > 0) throw new Error(`No Arabic twin in src/http/description/arabic of:\n${[...missing].join('\n')}`)
  return translated
}

type Twin = (text: string) => string

function retold(part: Json, twin: Twin): Json {
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      FOR_PROGRAMS.includes(key) ? value : retoldValue(key, value, twin),
    ]),
  )
}

function retoldValue(key: string, value: unknown, twin: Twin): unknown {
  if (typeof value === 'string') return FOR_PEOPLE.includes(key) ? markdownInArabic(value, twin) : value
  if (Array.isArray(value)) return value.map(each => retoldValue('', each, twin))
  return typeof value === 'object' && value !== null ? retold(value as Json, twin) : value
}

/** Paragraph by paragraph. Blocks of code are the same in every language. */
const markdownInArabic = (text: string, twin: Twin) =>
  text
    .split(/(```[^`]*```)/)
    .map((part, n) =>
      n % 2 === 1
        ? part
        : part
            .split('\n\n')
            .map(block => blockInArabic(block, twin))
            .join('\n\n'),
    )
    .join('')

function blockInArabic(block: string, twin: Twin): string {
  if (block.startsWith('# ')) return `# ${twin(block.slice(2))}`
  if (block.startsWith('|'))
    return block
      .split('\n')
      .map(row => rowInArabic(row, twin))
      .join('\n')
  const [, operation] = block.match(/^Needs the operation (`[\w:]+`)\.$/) ?? []
  if (operation) return `يتطلب العملية ${operation}.`
  if (block.endsWith(FLAT)) return `${twin(block.slice(0, -FLAT.length))} (العنوان المباشر)`
  return twin(block.replaceAll('\n', ' '))
}

const FLAT = ' (flat address)'

const rowInArabic = (row: string, twin: Twin) =>
  row
    .split('|')
    .map(cell => (cell.trim() ? ` ${twin(cell.trim())} ` : cell))
    .join('|')

/** Whether there are words outside of code. */
const saysSomething = (text: string) => /[a-z]/i.test(text.replaceAll(/`[^`]*`/g, ''))
