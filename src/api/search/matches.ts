import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Spellings } from '../../lib/other-spellings.ts'
import { BEGINNING, INSIDE, OTHER_SPELLING, type Query, WHOLE, WORDS, worst } from './ranks.ts'
import type { Given } from './written.ts'

/** The rank of a record `n` that is known to match. */
export function rankOf(query: Query): Sql {
  const better = [WHOLE, BEGINNING, WORDS, INSIDE].filter(rank => rank < worst(query))
  const cases = better.map(rank => sql`when ${matches(rank, query)} then ${raw(String(rank))}`)
  return sql`case ${join(cases, ' ')} else ${raw(String(worst(query)))} end`
}

/** The condition that a name, which is stored with a leading space, matches at this rank or better. */
export function matches(rank: number, { words, spellings = [] }: Query): Sql {
  if (rank === WHOLE) return sql`n.search_name = ${wholeName}`
  if (rank === BEGINNING) return sql`n.search_name >= ${wholeName} and n.search_name < ${pastBeginning}`
  if (rank === OTHER_SPELLING) return everySpelling(spellings)
  return everyWord(words.length, rank === WORDS ? atBeginnings : anywhere)
}

/** Queries of the same shape have the same conditions, with other values. */
export function shapeOf({ words, spellings }: Query): string {
  const count = Math.min(words.length, INDEXED_WORDS + 1)
  return spellings ? `${count} ${commonOf(spellings).length} ${eitherOf(spellings).length}` : String(count)
}

const ofQuery =
  (value: (query: Query) => unknown): Given =>
  ({ query }) =>
    value(query)

const wholeName = ofQuery(({ name }) => ` ${name}`)
const pastBeginning = ofQuery(({ name }) => ` ${name}\u{10ffff}`)

/** The index serves one condition per word. Bounding their number also bounds the number of statements. */
const INDEXED_WORDS = 4

interface Patterns {
  indexed: Given[]
  rest: Given
}

const atBeginnings = patterns(word => `% ${word}%`)
const anywhere = patterns(word => `%${word}%`)

function patterns(of: (word: string) => string): Patterns {
  return {
    indexed: upTo(INDEXED_WORDS).map(n => ofQuery(({ words }) => of(words[n] as string))),
    rest: ofQuery(({ words }) => words.slice(INDEXED_WORDS).map(of)),
  }
}

function everyWord(count: number, { indexed, rest }: Patterns): Sql {
  const conditions = indexed.slice(0, count).map(isLike)
  if (count > INDEXED_WORDS) conditions.push(sql`n.search_name like all(${rest}::text[])`)
  return join(conditions, ' and ')
}

/** The most spellings of one word that the index is asked for. */
const MOST_SPELLINGS = 3

const common = upTo(INDEXED_WORDS).map(n => ofQuery(({ spellings = [] }) => commonOf(spellings)[n]))
const either = upTo(MOST_SPELLINGS).map(n => ofQuery(({ spellings = [] }) => eitherOf(spellings)[n]))
const expressions = ofQuery(({ spellings = [] }) => spellings.map(({ pattern }) => pattern))

/** Conditions that the index can serve come first: what all spellings of a word have in common, or the spellings of one word. */
function everySpelling(spellings: Spellings[]): Sql {
  const inCommon = common.slice(0, commonOf(spellings).length).map(isLike)
  const ofOneWord = either.slice(0, eitherOf(spellings).length).map(isLike)
  const indexed = inCommon.length > 0 ? join(inCommon, ' and ') : join(ofOneWord, ' or ', '(', ')')
  return sql`${indexed} and n.search_name ~ all(${expressions}::text[])`
}

function commonOf(spellings: Spellings[]): string[] {
  return spellings.flatMap(({ likes }) => (likes.length === 1 ? likes : [])).slice(0, INDEXED_WORDS)
}

function eitherOf(spellings: Spellings[]): string[] {
  return spellings.find(({ likes }) => likes.length > 1)?.likes ?? []
}

const isLike = (pattern: Given) => sql`n.search_name like ${pattern}`

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}
