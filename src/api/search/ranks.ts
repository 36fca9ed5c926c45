import { otherSpellings, type Spellings } from '../../lib/other-spellings.ts'

/** How well a name matches, best first; among equals, the newest comes first. */
export const WHOLE = 1
export const BEGINNING = 2
export const WORDS = 3
export const INSIDE = 4
/** Words without their article, and the like: only a query that has such words is matched at this rank. */
export const OTHER_SPELLING = 5
export const RANKS = [WHOLE, BEGINNING, WORDS, INSIDE, OTHER_SPELLING] as const

/** A normalised query, its words and, if one of them has another spelling, the spellings of all of them. */
export interface Query {
  name: string
  words: string[]
  spellings: Spellings[] | undefined
  /** The ranks that an index can serve. */
  indexed: number[]
}

export function readQuery(name: string): Query {
  const words = [...new Set(name.split(' ').filter(Boolean))]
  return { name, words, spellings: otherSpellings(words), indexed: RANKS.filter(rank => canBeIndexed(rank, name)) }
}

/** The worst rank that is still a hit. */
export const worst = ({ spellings }: Query) => (spellings ? OTHER_SPELLING : INSIDE)

/** The index knows every three letters in a row, and the letters at the beginning of a word. */
function canBeIndexed(rank: number, name: string): boolean {
  if (rank < WORDS || rank === OTHER_SPELLING) return true
  return rank === WORDS ? /(^| )[\p{L}\p{N}]/u.test(name) : /[\p{L}\p{M}\p{N}]{3}/u.test(name)
}

export const isIndexed = (rank: number, { indexed }: Query) => indexed.includes(rank)

/** Ranks a stored name, if it matches. For other spellings it checks only what an index checks: enough for an estimate. */
export function rankerOf({ name, words, spellings }: Query): (stored: string) => number | undefined {
  const whole = ` ${name}`
  const beginnings = words.map(word => ` ${word}`)
  const others = spellings?.map(partsOfEach)
  return stored => {
    if (hasAll(stored, words)) {
      if (stored.startsWith(whole)) return stored.length === whole.length ? WHOLE : BEGINNING
      return hasAll(stored, beginnings) ? WORDS : INSIDE
    }
    return others?.every(likes => likes.some(parts => hasAll(stored, parts))) ? OTHER_SPELLING : undefined
  }
}

const partsOfEach = ({ pattern, likes }: Spellings) =>
  likes.length === 0 ? [[pattern]] : likes.map(like => like.split('%').filter(Boolean))

const hasAll = (stored: string, parts: string[]) => parts.every(part => stored.includes(part))
