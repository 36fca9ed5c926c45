import type { Spellings } from '../../lib/arabic-affixes.ts'
import { type OtherSpellings, otherSpellings, partsOf, TRIGRAM } from '../../lib/other-spellings.ts'

/** How well a name matches, best first; among equals, the spelling as typed and then the newest come first. */
export const WHOLE = 1
export const WORD = 2
export const BEGINNING = 3
export const BEGINNINGS = 4
/** Words with another prefix, and the like: only a query that has such words is matched at this rank. */
const OTHER_SPELLING = 5
export const INSIDE = 6
/** Other forms of a word, such as its plural: only a query that has such words is matched at this rank. */
export const INFLECTED = 7
/** Misspellings, and without stop words: only if nothing better is found. */
export const MISSPELLED = 8
export const RANKS = [WHOLE, WORD, BEGINNING, BEGINNINGS, OTHER_SPELLING, INSIDE, INFLECTED, MISSPELLED] as const

/** A normalised query, its words, and how else these can be spelled. */
export interface Query {
  name: string
  words: string[]
  /** The spellings of all words, for ranks at which a word is more than its letters. */
  spellings: Partial<Record<number, Spellings[]>>
  /** The ranks at which this query can match, and those that an index can serve. */
  ranks: number[]
  indexed: number[]
  /** The same query with one more rank, if it can match there. */
  wider: () => Query | undefined
}

/** The query as it was typed has the same letters, but ء for each hamza. */
export function readQuery(name: string, typed = name): Query {
  const all = name.split(' ').filter(Boolean)
  const typedWords = typed.split(' ').filter(Boolean)
  const words = [...new Set(all)]
  const others = otherSpellings(words.map(text => ({ text, typed: typedWords[all.indexOf(text)] ?? text })))
  const narrow = { [OTHER_SPELLING]: others?.closely, [INSIDE]: others?.anywhere }
  const misspelled = (spellings: Query['spellings']) => () => {
    const more = others?.misspelled()
    return more && queryOf({ name, words, spellings: { ...spellings, [MISSPELLED]: more } })
  }
  if (!others?.inflected) return queryOf({ name, words, spellings: narrow }, misspelled(narrow))
  const inflected = { ...narrow, [INFLECTED]: others.inflected }
  const widened = queryOf({ name, words, spellings: inflected }, misspelled(inflected))
  return areAskedForAlike(others) ? widened : queryOf({ name, words, spellings: narrow }, () => widened)
}

/** Whether an index has to be asked for nothing more in order to find other forms too. */
function areAskedForAlike({ anywhere, inflected }: OtherSpellings): boolean {
  return anywhere?.every(({ likes }, n) => likes.join() === inflected?.[n]?.likes.join()) ?? false
}

function queryOf(
  { name, words, spellings }: Pick<Query, 'name' | 'words' | 'spellings'>,
  wider: Query['wider'] = () => undefined,
): Query {
  // Of a single letter, the index cannot tell whole words from beginnings.
  const hasWords = words.some(word => word.length > 1)
  const ranks = RANKS.filter(
    rank => spellings[rank] || (rank === WORD ? hasWords : rank <= BEGINNINGS || rank === INSIDE),
  )
  const indexed = ranks.filter(rank => canBeIndexed(rank, name, spellings[rank]))
  return { name, words, spellings, ranks, indexed, wider }
}

/** The worst rank that is a hit. */
export const worst = ({ ranks }: Query) => ranks.at(-1) as number

/** The index knows every three letters in a row, and the letters at the beginning of a word. */
function canBeIndexed(rank: number, name: string, spellings: Spellings[] | undefined): boolean {
  if (spellings) return spellings.some(({ likes }) => likes.length > 0)
  if (rank === WHOLE || rank === BEGINNING) return true
  return rank === INSIDE ? TRIGRAM.test(name) : /(^| )[\p{L}\p{N}]/u.test(name)
}

export const isIndexed = (rank: number, { indexed }: Query) => indexed.includes(rank)

/** Ranks a stored name, if it matches. */
export function rankerOf({ name, words, ranks, spellings }: Query): (stored: string) => number | undefined {
  const [beginning, whole] = [` ${name}`, ` ${name} `]
  const wholeWords = words.map(word => ` ${word} `)
  const beginnings = words.map(word => ` ${word}`)
  const tests: Partial<Record<number, (stored: string) => boolean>> = {
    [WHOLE]: stored => stored === whole,
    [WORD]: stored => hasAll(stored, wholeWords),
    [BEGINNING]: stored => stored.startsWith(beginning),
    [BEGINNINGS]: stored => hasAll(stored, beginnings),
    [INSIDE]: stored => hasAll(stored, words),
    ...Object.fromEntries(Object.entries(spellings).flatMap(([rank, each]) => (each ? [[rank, matcherOf(each)]] : []))),
  }
  return stored => ranks.find(rank => tests[rank]?.(stored))
}

function matcherOf(spellings: Spellings[]): (stored: string) => boolean {
  const couldMatch = isLikeEvery(spellings.map(({ likes }) => likes))
  let patterns: RegExp[] | undefined
  return stored => {
    if (!couldMatch(stored)) return false
    patterns ??= spellings.map(({ pattern }) => new RegExp(pattern, 'u'))
    return patterns.every(pattern => pattern.test(stored))
  }
}

/** An index serves one condition per word. Bounding their number also bounds the number of statements. */
export const INDEXED_WORDS = 4

/** What an index is asked for: names that are LIKE all of these, and one of those. */
export interface Asked {
  all: string[]
  either: string[]
}

/** At a rank with spellings, or inside words. */
export function asked(rank: number, { words, spellings }: Query): Asked {
  const likes = spellings[rank]?.map(word => word.likes) ?? words.map(word => (TRIGRAM.test(word) ? [`%${word}%`] : []))
  const either = likes.find(each => each.length > 1) ?? []
  const all = likes.filter(each => each.length === 1).flat()
  return { all: all.slice(0, either.length > 0 ? 1 : INDEXED_WORDS), either }
}

/** Whether an index would return a name at this rank, which may not match all the same. */
export function likenessAt(rank: number, query: Query): (stored: string) => boolean {
  const { all, either } = asked(rank, query)
  return isLikeEvery([...all.map(like => [like]), either])
}

/** Whether a name is LIKE one of the patterns of each word; a word that has none is passed over. */
export function isLikeEvery(likes: string[][]): (stored: string) => boolean {
  const words = likes.map(each => each.map(partsOf)).filter(each => each.length > 0)
  return stored => words.every(each => each.some(parts => hasAll(stored, parts)))
}

const hasAll = (stored: string, parts: string[]) => parts.every(part => stored.includes(part))
