import { asWholeWord, type Spellings, type Word, withoutPrefix } from './arabic-affixes.ts'

// How a word may be misspelled: only for a query that finds nothing otherwise.

/** Words that say little, and that a name may lack. */
const STOP_WORDS = new Set(['في', 'من', 'علي', 'عن', 'مع', 'الي'])
const LETTERS = /^\p{L}+$/u
/** One letter of a word may be wrong if it has this many; beyond the upper bound, the pattern would be too long. */
const SHORTEST = 5
const LONGEST = 20
/** The shortest word in which a letter may be one that sounds alike. */
const SHORTEST_ALIKE = 3
/** The letters that a hamza is searched as, depending on its seat. */
const HAMZAS = ['ا', 'و', 'ي', 'ء']
const OTHER_LETTER: Record<string, string> = { ض: 'ظ', ظ: 'ض' }

export function withoutStopWords(words: Word[]): Word[] {
  const rest = words.filter(({ text }) => !STOP_WORDS.has(text))
  return rest.length > 0 ? rest : words
}

/** The misspellings of a word; undefined if it is too short to have any. */
export function misspellingsOf(word: Word): Spellings | undefined {
  if (!LETTERS.test(word.text) || word.text.length > LONGEST) return undefined
  const core = withoutPrefix(word) ?? word.text
  const whole = core.length < SHORTEST ? word.text : core
  const edits = whole.length < SHORTEST ? [] : withOneEdit(whole)
  const alike =
    core.length < SHORTEST_ALIKE
      ? []
      : [...otherLetters(core), ...(edits.length > 0 ? [] : otherHamzas(core, word.typed.slice(-core.length)))]
  if (edits.length + alike.length === 0) return undefined
  const likes = [...alike.map(variant => `%${variant}%`), ...(edits.length > 0 ? partsOf(whole) : [])]
  return { pattern: asWholeWord(`(?:${[...alike, ...edits].join('|')})`), likes }
}

/** ض and ظ sound alike to many. */
function otherLetters(word: string): string[] {
  const other = word.replace(/[ضظ]/g, letter => OTHER_LETTER[letter] as string)
  return other === word ? [] : [other]
}

/** The first hamza within a word, on each other seat. */
function otherHamzas(word: string, typed: string): string[] {
  const at = typed.indexOf('ء', 1)
  if (at < 0) return []
  return HAMZAS.map(seat => word.slice(0, at) + seat + word.slice(at + 1)).filter(variant => variant !== word)
}

/**
 * One letter more, less or another, or two in the wrong order. The first letter is right. What is one too many may be a space:
 * `checklist` is "check list".
 */
function withOneEdit(word: string): string[] {
  const edits: string[] = []
  for (let n = 1; n < word.length; n++) {
    const [before, rest] = [word.slice(0, n), word.slice(n + 1)]
    edits.push(`${before}[^ ]?${rest}`, `${before}.${word.slice(n)}`)
    if (n < word.length - 1) edits.push(before + word.charAt(n + 1) + word.charAt(n) + rest.slice(1))
  }
  return edits
}

/** For an index: of two halves one is right, unless the two letters in the middle are in the wrong order. */
function partsOf(word: string): string[] {
  const middle = Math.ceil(word.length / 2)
  const swapped = word.slice(0, middle - 1) + word.charAt(middle) + word.charAt(middle - 1) + word.slice(middle + 1)
  return [`%${word.slice(0, middle)}%`, `%${word.slice(middle)} %`, `%${swapped}%`]
}
