export type Direction = 'ltr' | 'rtl'

/** How many words run in each direction, and the direction of the first one. */
export interface WordCount {
  ltr: number
  rtl: number
  first: Direction | undefined
}

/** A letter, or one of the invisible marks that count as one. */
const STRONG = /[\p{L}\u061c\u200e\u200f]/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

export const NO_WORDS: WordCount = { ltr: 0, rtl: 0, first: undefined }

// No two parts of a pattern can match the same character, so matching takes linear time.
const QUOTED = /"[^"]*"|“[^“”]*”|«[^«»]*»/g

/** Each word counts by its first letter: a long Latin name weighs no more than a short Arabic word. What is quoted does not count. */
export function countWords(text: string): WordCount {
  const all = countAll(text)
  const own = countAll(text.replace(QUOTED, ' '))
  return own.first === undefined ? all : { ...own, first: all.first }
}

function countAll(text: string): WordCount {
  const count = { ...NO_WORDS }
  for (const word of text.split(/\s/)) {
    const strong = STRONG.exec(word)?.[0]
    if (strong === undefined) continue
    const direction = RIGHT_TO_LEFT.test(strong) ? 'rtl' : 'ltr'
    count[direction]++
    count.first ??= direction
  }
  return count
}

export function sum(counts: WordCount[]): WordCount {
  return counts.reduce(
    (total, { ltr, rtl, first }) => ({ ltr: total.ltr + ltr, rtl: total.rtl + rtl, first: total.first ?? first }),
    NO_WORDS,
  )
}

/**
 * Right to left if the first letter is, because whoever begins in Arabic goes on in Arabic, whatever names follow; and if most
 * words are, because a Latin name may well come first. Undefined without words, as for a number.
 */
export function directionOf({ ltr, rtl, first }: WordCount): Direction | undefined {
  return first === 'ltr' && rtl > ltr ? 'rtl' : first
}

/** True where the first letter decides against as many words from right to left. */
export function isTie({ ltr, rtl, first }: WordCount): boolean {
  return first === 'ltr' && ltr === rtl
}

/** The direction of a text by itself, for HTML, which finds that of the first letter without help. */
export function ownDirection(text: string): 'auto' | 'rtl' {
  const words = countWords(text)
  return words.first === 'ltr' && directionOf(words) === 'rtl' ? 'rtl' : 'auto'
}

/** The direction that a text asks for by beginning with a direction mark. */
export function markedDirection(text: string): Direction | undefined {
  if (!/^[\u061c\u200e\u200f]/.test(text)) return undefined
  return text.startsWith('\u200e') ? 'ltr' : 'rtl'
}
