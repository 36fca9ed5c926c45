import { PROBLEMS } from './problems.ts'
import {
  about,
  inBoth,
  inSingular,
  isSentence,
  joined,
  ofFields,
  type Said,
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
  return sentencesOf(text) ?? aboutPlace(text) ?? aboutProblems(text) ?? inBoth(text)
}

/** A sentence with gaps: the text around them, and their names. */
interface Template {
  sentence: Sentence
  around: string[]
  gaps: string[]
}

/** The sentences that there can be in a place. */
interface Known {
  whole: Set<string>
  /** Those that say the most come first: `must be at least {limit}` before `must be {what}`. */
  templates: Template[]
}

function known(sentences: Sentence[]): Known {
  const templates = sentences
    .filter(sentence => sentence.includes('{'))
    .flatMap(sentence => [...new Set([sentence, inSingular(sentence)])].map(text => templateOf(sentence, text)))
    .sort((one, other) => literalLength(other) - literalLength(one))
  return { whole: new Set(sentences.filter(isSentence)), templates }
}

function templateOf(sentence: Sentence, text: string): Template {
  const parts = text.split(/\{(\w+)\}/)
  return { sentence, around: parts.filter((_, n) => n % 2 === 0), gaps: parts.filter((_, n) => n % 2 === 1) }
}

function literalLength({ around }: Template): number {
  return around.join('').length
}

const isProblem = (sentence: Sentence) => sentence in PROBLEMS
const isKind = (sentence: Sentence) => isProblem(sentence) && /^(an? |true or false$|null$|2xx)/.test(sentence)
const follows = (sentence: Sentence) => /^[.;] /.test(sentence)

/** By itself: a gap at the beginning of a problem must not swallow the name of the field. */
const ALONE = known(SENTENCES.filter(sentence => !(isProblem(sentence) && sentence.startsWith('{'))))
/** After the name of a field. */
const AFTER_FIELD = known(SENTENCES.filter(each => isProblem(each) && !isKind(each) && !follows(each)))
/** What must be instead. */
const KINDS = known(SENTENCES.filter(isKind))
/** After the problems of all fields. The last to follow is the longest. */
const AFTER_PROBLEMS = known(SENTENCES.filter(follows))

/** Sentences after each other, as those about the steps of the upkeep. */
function sentencesOf(text: string): Words | undefined {
  const told = inParts(text.split(/(?<=\.) /), ' ', part => sentenceOf(part))
  return told && joined(told, inBoth(' '))
}

function sentenceOf(text: string, { whole, templates }: Known = ALONE, depth = 0): Words | undefined {
  if (whole.has(text)) return wordsOf(text as Said)
  for (const template of templates) {
    const values = valuesIn(text, template, depth)
    // The template has exactly these gaps.
    if (values) return say(template.sentence, values as Parameters<typeof say>[1])
  }
  return undefined
}

/** What fills the gaps, or undefined for another sentence. Each piece of text is looked for once, from left to right. */
function valuesIn(text: string, { around, gaps }: Template, depth: number): Record<string, Value> | undefined {
  const [first = '', ...rest] = around
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const end = text.length - last.length
  let from = first.length
  const values: [string, Value][] = []
  for (const [n, gap] of gaps.entries()) {
    const to = n < rest.length ? text.indexOf(rest[n] as string, from) : end
    if (to <= from || to > end) return undefined
    const value = filling(gap, text.slice(from, to), depth)
    if (value === undefined) return undefined
    values.push([gap, value])
    from = to + (rest[n]?.length ?? 0)
  }
  return Object.fromEntries(values)
}

type Value = string | number | Words

/** Gaps that only words of ours fill, and those that they may fill. */
const OURS = ['what', 'who']
const MAY_BE_OURS = ['reason', 'why', 'engine', 'size']

/** What some gaps are filled with, so that they do not take in the next sentence. */
const SHAPES: Record<string, RegExp> = { amount: /^[\d.]{1,15}$/, count: /^\d{1,15}$/, step: /^\S+$/, time: /^\S+$/ }

/** A reason may be a sentence with a reason. Nothing of ours goes deeper. */
const DEEPEST = 3

function filling(gap: string, text: string, depth: number): Value | undefined {
  if (SHAPES[gap]?.test(text) === false) return undefined
  if (OURS.includes(gap)) return choiceOf(text)
  if (MAY_BE_OURS.includes(gap) && depth < DEEPEST)
    return sentenceOf(text, ALONE, depth + 1) ?? aboutFields(text, depth + 1) ?? text
  return /^\d{1,15}(\.\d{1,2})?$/.test(text) ? Number(text) : text
}

/** `a string or null` */
function choiceOf(text: string): Words | undefined {
  if (isSentence(text)) return wordsOf(text)
  const kinds = inParts(text.split(' or '), ' or ', part => sentenceOf(part, KINDS))
  return kinds && joined(kinds, { en: ' or ', ar: ' أو ' })
}

/** Problems of fields, and what may follow them: how many more there are, and where the fields seem to be. */
function aboutProblems(text: string): Words | undefined {
  const following: Words[] = []
  let problems = text
  for (const { around } of AFTER_PROBLEMS.templates) {
    const at = problems.lastIndexOf(around[0] as string)
    const told = at > 0 ? sentenceOf(problems.slice(at), AFTER_PROBLEMS) : undefined
    if (!told) continue
    following.unshift(told)
    problems = problems.slice(0, at)
  }
  const told = aboutFields(problems)
  return told && joined([told, ...following])
}

/** `title can't be blank; due_at is invalid` */
function aboutFields(text: string, depth = 0): Words | undefined {
  const problems = inParts(text.split('; '), '; ', part => aboutField(part, depth))
  return problems && ofFields(problems)
}

/** The keys of metadata have spaces, if a caller likes. They come after a dot, and are not longer. */
const LONGEST_FIELD = 200

function aboutField(text: string, depth: number): [field: string, problem: Words] | undefined {
  for (let at = text.indexOf(' '); at > 0 && at <= LONGEST_FIELD; at = text.indexOf(' ', at + 1)) {
    const field = text.slice(0, at)
    if (field.includes(' ') && !/^[\w[\]]+\./.test(field)) return undefined
    const problem = sentenceOf(text.slice(at + 1), AFTER_FIELD, depth)
    if (problem) return [field, problem]
  }
  return undefined
}

/** `changes[3]: The project is archived. Unarchive it first.` */
function aboutPlace(text: string): Words | undefined {
  const colon = text.indexOf(': ')
  const place = text.slice(0, Math.max(colon, 0))
  const sentence = /^[\w.[\]]+$/.test(place) ? sentenceOf(text.slice(colon + 2)) : undefined
  return sentence && about(place, sentence)
}

/** More than we ever say at once. */
const MOST_PIECES = 100
/** What stands between parts may also stand in one of them, but not often. */
const MOST_IN_A_PART = 4

/** Tells every part of a text that was cut into pieces at what stands between parts. The shortest parts that make up the whole. */
function inParts<Told>(
  pieces: string[],
  between: string,
  tell: (part: string) => Told | undefined,
): Told[] | undefined {
  const inVain = new Set<number>()
  function from(start: number): Told[] | undefined {
    if (start === pieces.length) return []
    if (inVain.has(start)) return undefined
    for (let end = start + 1; end <= Math.min(start + MOST_IN_A_PART, pieces.length); end++) {
      const told = tell(pieces.slice(start, end).join(between))
      const rest = told && from(end)
      if (rest) return [told, ...rest]
    }
    inVain.add(start)
    return undefined
  }
  return pieces.length <= MOST_PIECES ? from(0) : undefined
}
