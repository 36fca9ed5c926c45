import {
  asWholeWord,
  barest,
  inflected,
  SERVANT,
  type Spellings,
  type Word,
  withAffixes,
  withoutPrefix,
} from './arabic-affixes.ts'
import { numbersOf } from './broken-plurals.ts'
import { misspellingsOf, withoutStopWords } from './misspellings.ts'

/** Beginnings of names that are written together with the next word, or separately: "servant of", "father of". */
const FIRST_PARTS = [SERVANT, 'ابو']
const LETTERS_AFTER_FIRST = 2
/** The shortest words of which the second has its article: ذوالقرنين. */
const SHORTEST_FIRST = 2
const SHORTEST_SECOND = 4

/** An article may precede a word in Latin letters too. */
const ARABIC_WORD = /^[\u0621-\u06ff][\p{L}\p{N}]{2,39}$/u
const DIGITS = /^[0-9]{7,15}$/
const LETTERS_AND_DIGITS = /^(?=.{4,40}$)(?:\p{L}+[0-9]+|[0-9]+\p{L}+)$/u
/** More words than anybody searches for; each costs a pattern. */
const MAX_WORDS = 12
/** As many letters in a row as an index needs. */
export const TRIGRAM = /[\p{L}\p{M}\p{N}]{3}/u
/** The index is asked for at most this many spellings of a word. */
export const MOST_SPELLINGS = 6

/** The spellings of each word of a query, from close to far; undefined where no word has others than before. */
export interface OtherSpellings {
  /** The beginning of a word, or another spelling as a whole word. */
  closely: Spellings[] | undefined
  /** The word anywhere, or another spelling as a whole word. */
  anywhere: Spellings[] | undefined
  /** Also other forms of the word. */
  inflected: Spellings[] | undefined
  /** Also misspellings of it. */
  misspelled: () => Spellings[] | undefined
}

/** Normalised words have no punctuation, so they contain nothing that is special in a pattern. */
export function otherSpellings(words: Word[]): OtherSpellings | undefined {
  if (words.length > MAX_WORDS) return undefined
  const others = words.map((word, n) => othersOf(word, words[n + 1]))
  const plain = words.map(({ text }) => spelled(text))
  const anywhere = joined(plain, others)
  const inflected = joined(anywhere ?? plain, words.map(formsOf))
  return {
    closely: joined(
      words.map(({ text }) => spelled(text, ` ${text}`)),
      others,
    ),
    anywhere,
    inflected,
    misspelled() {
      const kept = withoutStopWords(words)
      const widest = (inflected ?? anywhere ?? plain).filter((_, n) => kept.includes(words[n] as Word))
      return joined(widest, kept.map(misspellingsOf)) ?? (kept.length < words.length ? widest : undefined)
    },
  }
}

const spelled = (text: string, pattern = text): Spellings => ({
  pattern,
  likes: TRIGRAM.test(text) ? [`%${text}%`] : [],
})

/** Undefined if there is nothing to add. */
function joined(spellings: Spellings[], more: (Spellings | undefined)[]): Spellings[] | undefined {
  if (!more.some(Boolean)) return undefined
  return spellings.map(({ pattern, likes }, n) => {
    const others = more[n]
    if (!others) return { pattern, likes }
    return { pattern: `${pattern}|${others.pattern}`, likes: least([...likes, ...others.likes]) }
  })
}

/** What another of them covers is not asked for. If there are too many, the index cannot help. */
function least(likes: string[]): string[] {
  const distinct = [...new Set(likes)]
  const needed = distinct.filter(like => !distinct.some(other => other !== like && covers(other, like)))
  return needed.length > MOST_SPELLINGS ? [] : needed
}

/** Whether whatever is LIKE the second is LIKE the first. */
function covers(like: string, other: string): boolean {
  let from = 0
  return partsOf(like).every(part => {
    const at = other.indexOf(part, from)
    from = at + part.length
    return at >= 0
  })
}

/** What a name must contain, in this order, to be LIKE this. */
export const partsOf = (like: string) => like.split('%').filter(Boolean)

/** Other spellings of the same word. */
function othersOf(word: Word, next: Word | undefined): Spellings | undefined {
  const { text } = word
  // The digits of a telephone number, in groups of any size.
  if (DIGITS.test(text))
    return { pattern: ` ${[...text].join(' ?')} `, likes: [`% ${text.slice(0, 2)}%${text.slice(-2)} %`] }
  if (LETTERS_AND_DIGITS.test(text))
    return asWritten(` ${text.replace(/(?<=\p{L})(?=[0-9])|(?<=[0-9])(?=\p{L})/u, ' ')} `)
  if (!ARABIC_WORD.test(text)) return undefined
  const bare = withoutPrefix(word)
  const core = bare ?? text
  const parts = inTwo(core)
  const whole = [
    core,
    ...(parts ? [parts.join(' ')] : []),
    ...(next && ARABIC_WORD.test(next.text) ? [core + next.text] : []),
  ]
  const likes = parts ? [`%${parts.join('%')}%`] : likesOf(core)
  return { pattern: whole.map(asWholeWord).join('|'), likes }
}

const asWritten = (words: string): Spellings => ({ pattern: words, likes: [`%${words}%`] })

/** Two words that are often written as one: عبدالله, نورالدين. */
function inTwo(word: string): [string, string] | undefined {
  const first = FIRST_PARTS.find(part => word.startsWith(part) && word.length >= part.length + LETTERS_AFTER_FIRST)
  const at = first ? first.length : word.indexOf('ال', SHORTEST_FIRST)
  return at > 0 && (first || word.length >= at + SHORTEST_SECOND) ? [word.slice(0, at), word.slice(at)] : undefined
}

/** Two letters are too short for an index, unless they begin a word or a prefix precedes them. */
function likesOf(core: string): string[] {
  return TRIGRAM.test(core) ? [`%${core}%`] : [`% ${core}%`, `%ال${core}%`, `%لل${core}%`]
}

/** Other forms of a word: without its affixes and with others, its singular and its plurals. */
function formsOf(word: Word): Spellings | undefined {
  if (!ARABIC_WORD.test(word.text)) return undefined
  const { forms, stems } = barest(word)
  const shapes = [...stems.map(withAffixes), ...forms.flatMap(numbersOf).map(inflected)]
  // A name that contains the word itself is found anyway.
  const others = shapes.filter(({ contains }) => !contains.includes(word.text))
  if (others.length === 0) return undefined
  const patterns = [...new Set(others.map(({ pattern }) => pattern))]
  return { pattern: patterns.join('|'), likes: others.flatMap(({ contains }) => likesOf(contains)) }
}
