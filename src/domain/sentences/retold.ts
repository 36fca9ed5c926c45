import { PROBLEMS } from './problems.ts'
import {
  about,
  inBoth,
  inSingular,
  isSentence,
  joined,
  ofFields,
  SENTENCES,
  type Sentence,
  say,
  type Words,
  wordsOf,
} from './sentences.ts'

/**
 * Both languages of a sentence that was kept in English, with its gaps filled: the log, the audit and the state of a calendar
 * are written once and read by many. What is no sentence of ours, such as the error of another server, is the same in both.
 */
export function retold(text: string): Words {
  return sentenceOf(text) ?? aboutPlace(text) ?? aboutFields(text) ?? inBoth(text)
}

/** A sentence with gaps: the text around them, and their names. */
interface Template {
  sentence: Sentence
  around: string[]
  gaps: string[]
}

/** Those that say the most come first: `must be at least {limit}` before `must be {what}`. */
const templatesOf = (sentences: Sentence[]) =>
  sentences
    .filter(sentence => sentence.includes('{'))
    .flatMap(sentence => [...new Set([sentence, inSingular(sentence)])].map(text => templateOf(sentence, text)))
    .sort((one, other) => literalLength(other) - literalLength(one))

function templateOf(sentence: Sentence, text: string): Template {
  const parts = text.split(/\{(\w+)\}/)
  return { sentence, around: parts.filter((_, n) => n % 2 === 0), gaps: parts.filter((_, n) => n % 2 === 1) }
}

function literalLength({ around }: Template): number {
  return around.join('').length
}

/** After the name of a field, and by itself: a gap at the beginning of a problem must not swallow the name. */
const AFTER_FIELD = templatesOf(SENTENCES.filter(sentence => sentence in PROBLEMS))
const ALONE = templatesOf(SENTENCES.filter(sentence => !(sentence in PROBLEMS && sentence.startsWith('{'))))

function sentenceOf(text: string, templates = ALONE): Words | undefined {
  if (isSentence(text)) return wordsOf(text)
  for (const template of templates) {
    const values = valuesIn(text, template)
    // The template has exactly these gaps.
    if (values) return say(template.sentence, values as Parameters<typeof say>[1])
  }
  return undefined
}

/** What fills the gaps, or undefined for another sentence. Each piece of text is looked for once, from left to right. */
function valuesIn(text: string, { around, gaps }: Template): Record<string, string | number | Words> | undefined {
  const [first = '', ...rest] = around
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const end = text.length - last.length
  let from = first.length
  const values: [string, string | number | Words][] = []
  for (const [n, gap] of gaps.entries()) {
    const to = n < rest.length ? text.indexOf(rest[n] as string, from) : end
    if (to <= from || to > end) return undefined
    const value = filling(gap, text.slice(from, to))
    if (value === undefined) return undefined
    values.push([gap, value])
    from = to + (rest[n]?.length ?? 0)
  }
  return Object.fromEntries(values)
}

/** Gaps that only words of ours fill, and those that they may fill. */
const OURS = ['what', 'who']
const MAY_BE_OURS = ['reason', 'why']

function filling(gap: string, text: string): string | number | Words | undefined {
  if (OURS.includes(gap)) return choiceOf(text)
  if (MAY_BE_OURS.includes(gap)) return sentenceOf(text) ?? aboutFields(text) ?? text
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** `a string or null` */
function choiceOf(text: string): Words | undefined {
  if (isSentence(text)) return wordsOf(text)
  const parts = text.split(' or ')
  return parts.every(isSentence) ? joined(parts, { en: ' or ', ar: ' أو ' }) : undefined
}

/** Problems of fields, each after the name of its field: `title can't be blank; due_at is invalid`. */
function aboutFields(text: string): Words | undefined {
  const problems: [field: string, problem: Words][] = []
  for (const part of text.split('; ')) {
    const space = part.indexOf(' ')
    const problem = space > 0 ? sentenceOf(part.slice(space + 1), AFTER_FIELD) : undefined
    if (!problem) return undefined
    problems.push([part.slice(0, space), problem])
  }
  return ofFields(problems)
}

/** `changes[3]: The project is archived. Unarchive it first.` */
function aboutPlace(text: string): Words | undefined {
  const colon = text.indexOf(': ')
  const place = text.slice(0, Math.max(colon, 0))
  const sentence = /^[\w.[\]]+$/.test(place) ? sentenceOf(text.slice(colon + 2)) : undefined
  return sentence && about(place, sentence)
}
