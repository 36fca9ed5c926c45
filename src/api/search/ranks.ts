import { otherSpellings, type Spellings } from '../../lib/other-spellings.ts'

/** How well a name matches, best first; of equals the newest comes first. */
export const WHOLE = 1
export const BEGINNING = 2
export const WORDS = 3
export const INSIDE = 4
/** Words without their article, and the like: only a query that has such words asks for it. */
export const OTHER_SPELLING = 5
export const RANKS = [WHOLE, BEGINNING, WORDS, INSIDE, OTHER_SPELLING] as const

/** A query that is normalised, its words, and when one of them has another spelling, the spellings of all. */
export interface Query {
  name: string
  words: string[]
  spellings: Spellings[] | undefined
}

export function readQuery(name: string): Query {
  const words = [...new Set(name.split(' ').filter(Boolean))]
  return { name, words, spellings: otherSpellings(words) }
}

/** The last rank that is a hit at all. */
export const worst = ({ spellings }: Query) => (spellings ? OTHER_SPELLING : INSIDE)

/** The index knows three letters in a row, and the letters at the beginning of a word. */
export function isIndexed(rank: number, { name }: Query): boolean {
  if (rank < WORDS || rank === OTHER_SPELLING) return true
  return rank === WORDS ? /(^| )[\p{L}\p{N}]/u.test(name) : /[\p{L}\p{M}\p{N}]{3}/u.test(name)
}

/** How well a stored name matches, or undefined. Of other spellings it asks no more than an index does: enough for a guess. */
export function rankIn(name: string, { name: wanted, words, spellings }: Query): number | undefined {
  if (words.every(word => name.includes(word))) {
    if (name === ` ${wanted}`) return WHOLE
    if (name.startsWith(` ${wanted}`)) return BEGINNING
    return words.every(word => name.includes(` ${word}`)) ? WORDS : INSIDE
  }
  return spellings?.every(each => hasSpelling(name, each)) ? OTHER_SPELLING : undefined
}

function hasSpelling(name: string, { pattern, likes }: Spellings): boolean {
  if (likes.length === 0) return name.includes(pattern)
  return likes.some(like => like.split('%').every(part => name.includes(part)))
}
