import type { Language } from '../languages.ts'
import { PROBLEMS } from './problems.ts'
import { REFUSALS } from './refusals.ts'
import { REPORTS } from './reports.ts'

/** The same in each language in which we answer. */
export type Words = Record<Language, string>

/** Every sentence that a caller can be answered with, and its Arabic twin. English is the name of a sentence. */
const ARABIC = { ...PROBLEMS, ...REFUSALS, ...REPORTS }
export type Sentence = keyof typeof ARABIC
export const SENTENCES = Object.keys(ARABIC) as Sentence[]

/** The names of the gaps in a sentence: `must be at least {limit}` has one. */
type Gaps<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never
type WithoutGaps = { [Each in Sentence]: [Gaps<Each>] extends [never] ? Each : never }[Sentence]

/** A sentence without gaps, or one whose gaps have been filled. */
export type Said = WithoutGaps | Words

const [FSI, PDI] = ['\u2068', '\u2069']

/** Isolates, embeddings and overrides: they could end an isolate of ours. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/** Words of another direction as they are put into an Arabic sentence: nothing around them changes their place. */
const isolated = (text: string) => `${FSI}${text.replace(DIRECTIONS, '')}${PDI}`

/** Names of fields, headers and the like: words in Latin letters, with what is between them. */
const LATIN = /(?<![!-~])[!-~]*[A-Za-z][!-~]*(?: [!-~]*[A-Za-z<][!-~]*)*/g

/** A full stop after them is that of the sentence. */
const isolatedName = (words: string) => (words.endsWith('.') ? `${isolated(words.slice(0, -1))}.` : isolated(words))

const arabic = new Map(Object.entries(ARABIC).map(([sentence, twin]) => [sentence, isolateLatin(twin)]))

/** Gaps stay as they are: what fills them is isolated then. */
function isolateLatin(text: string): string {
  return text
    .split(/(\{\w+\})/)
    .map((part, n) => (n % 2 === 1 ? part : part.replace(LATIN, isolatedName)))
    .join('')
}

/** Gaps that have their noun with them in Arabic, because the noun depends on the number. Each is in the accusative or genitive. */
const COUNTED: Record<string, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
  seconds: { one: 'ثانية واحدة', two: 'ثانيتين', few: '# ثوانٍ', other: '# ثانية' },
  minutes: { one: 'دقيقة واحدة', two: 'دقيقتين', few: '# دقائق', other: '# دقيقة' },
  days: { one: 'يومًا واحدًا', two: 'يومين', few: '# أيام', many: '# يومًا', other: '# يوم' },
}

const plurals = new Intl.PluralRules('ar')

function inArabic(gap: string, value: string | number | Words): string {
  if (typeof value === 'object') return value.ar
  const forms = COUNTED[gap]
  if (!forms) return typeof value === 'number' ? String(value) : isolated(value)
  return (forms[plurals.select(Number(value))] ?? forms.other).replace('#', String(value))
}

/** The nouns after a gap, which an English sentence has in the plural. */
const SINGULAR: Record<string, string> = {
  seconds: 'second',
  minutes: 'minute',
  days: 'day',
  entries: 'entry',
  times: 'time',
  deliveries: 'delivery',
}

/** An English sentence as it is when the number in a gap is 1. */
export function inSingular(sentence: string, isOne = (_gap: string) => true): string {
  return sentence.replace(/\{(\w+)\} (\w+)/g, (both, gap, noun) =>
    noun in SINGULAR && isOne(gap) ? `{${gap}} ${SINGULAR[noun]}` : both,
  )
}

/** Fills the gaps of a sentence. Text of others is isolated in Arabic; words of our own are in the language of the sentence. */
export function say<Text extends Sentence>(sentence: Text, values: Record<Gaps<Text>, string | number | Words>): Words {
  const filled = (text: string, fill: (gap: string, value: string | number | Words) => string) =>
    text.replace(/\{(\w+)\}/g, (_, gap) => fill(gap, values[gap as Gaps<Text>]))
  const english = inSingular(sentence, gap => Number(values[gap as Gaps<Text>]) === 1)
  return {
    en: filled(english, (_, value) => (typeof value === 'object' ? value.en : String(value))),
    ar: filled(arabic.get(sentence) as string, inArabic),
  }
}

/** Whether a text is a sentence without gaps. */
export function isSentence(text: string): text is WithoutGaps {
  return arabic.has(text) && !text.includes('{')
}

export function wordsOf(said: Said): Words {
  return typeof said === 'object' ? said : { en: said, ar: arabic.get(said) as string }
}

/** Problems of several fields in one sentence, each after the name of its field. */
export function ofFields(problems: [field: string, problem: Said][]): Words {
  const each = problems.map(([field, problem]) => ({ field, problem: wordsOf(problem) }))
  return {
    en: each.map(({ field, problem }) => `${field} ${problem.en}`).join('; '),
    ar: each.map(({ field, problem }) => `${isolated(field)} ${problem.ar}`).join('؛ '),
  }
}

/** A problem of a field, after the name of what the field is in: `changes[3].title can't be blank`. */
export function ofField(place: string, problem: Words): Words {
  return { en: `${place}.${problem.en}`, ar: problem.ar.replace(FSI, `${FSI}${place}.`) }
}

/** A sentence after the name of what it is about. */
export const about = (place: string, { en, ar }: Words): Words => ({
  en: `${place}: ${en}`,
  ar: `${isolated(place)}: ${ar}`,
})

export function joined(parts: Said[], between: Words = { en: '', ar: '' }): Words {
  const words = parts.map(wordsOf)
  return { en: words.map(({ en }) => en).join(between.en), ar: words.map(({ ar }) => ar).join(between.ar) }
}

/** The same text in either language. */
export const inBoth = (text: string): Words => ({ en: text, ar: text })
