import sql, { join, raw, type Sql } from 'sql-template-tag'
import { MOST_SPELLINGS } from '../../lib/other-spellings.ts'
import { asked, BEGINNING, BEGINNINGS, INDEXED_WORDS, type Query, RANKS, WHOLE, WORD } from './ranks.ts'
import type { Given } from './written.ts'

/** The rank of a record `n` that is known to match at this rank or better. */
export function rankOf(query: Query, worst: number): Sql {
  const better = query.ranks.filter(rank => rank < worst)
  if (better.length === 0) return raw(String(worst))
  const cases = better.map(rank => sql`when ${isOf(rank, query)} then ${raw(String(rank))}`)
  return sql`case ${join(cases, ' ')} else ${raw(String(worst))} end`
}

/** The condition that a name matches at this rank or better. */
export function matches(rank: number, query: Query): Sql {
  if (rank === BEGINNING && query.ranks.includes(WORD)) return sql`(${isOf(WORD, query)} or ${isOf(BEGINNING, query)})`
  if (!query.spellings[rank]) return isOf(rank, query)
  // Most names fail this already, and a pattern takes ten times as long.
  const parts = indexedParts(rank, query)
  return parts.length > 0 ? sql`(${join(parts, ' or ')}) and ${isSpelled(rank)}` : isSpelled(rank)
}

/**
 * The conditions that an index can serve, of which a name that matches at this rank or better meets one. The planner takes too
 * little account of an index that serves one condition or another, so each is asked for by itself.
 */
export function indexedParts(rank: number, query: Query): Sql[] {
  const { spellings } = query
  if (!spellings[rank]) return [matches(rank, query)]
  const { all, either } = asked(rank, query)
  const ofAll = likes[rank]?.all.slice(0, all.length).map(isLike) ?? []
  const ofEither = likes[rank]?.either.slice(0, either.length).map(isLike) ?? []
  if (ofEither.length === 0) return ofAll.length > 0 ? [join(ofAll, ' and ')] : []
  return ofEither.map(one => join([...ofAll, one], ' and '))
}

/** The condition that a name which an index has returned is spelled as it must be at this rank. */
export const isSpelled = (rank: number) => sql`n.search_name ~ all(${expressions[rank]}::text[])`

/** The condition that a name, which is not of a better rank, is of this one. Stored names begin and end with a space. */
function isOf(rank: number, { words, spellings }: Query): Sql {
  if (rank === WHOLE) return sql`n.search_name = ${wholeName}`
  if (rank === BEGINNING) return isBeginning
  if (spellings[rank]) return isSpelled(rank)
  return everyWord(words.length, rank === WORD ? wholeWords : rank === BEGINNINGS ? atBeginnings : anywhere)
}

/** Queries of the same shape have the same conditions at this rank, with other values. */
export function shapeOf(rank: number, query: Query): string {
  const { words, ranks, spellings } = query
  const { all, either } = asked(rank, query)
  const ofRanks = ranks.filter(each => each <= rank && spellings[each])
  return [Math.min(words.length, INDEXED_WORDS + 1), ofRanks, all.length, either.length].join(' ')
}

const ofQuery =
  (value: (query: Query) => unknown): Given =>
  ({ query }) =>
    value(query)

const wholeName = ofQuery(({ name }) => ` ${name} `)
const beginning = ofQuery(({ name }) => ` ${name}`)
const pastBeginning = ofQuery(({ name }) => ` ${name}\u{10ffff}`)
export const isBeginning = sql`n.search_name >= ${beginning} and n.search_name < ${pastBeginning}`

interface Patterns {
  indexed: Given[]
  rest: Given
}

const wholeWords = patterns(word => `% ${word} %`)
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

const ofRanks = <T>(of: (rank: number) => T) => Object.fromEntries(RANKS.map(rank => [rank, of(rank)]))
const expressions = ofRanks(rank => ofQuery(({ spellings }) => spellings[rank]?.map(({ pattern }) => pattern)))
const likes = ofRanks(rank => ({
  all: upTo(INDEXED_WORDS).map(n => ofQuery(query => asked(rank, query).all[n])),
  either: upTo(MOST_SPELLINGS).map(n => ofQuery(query => asked(rank, query).either[n])),
}))

const isLike = (pattern: Given) => sql`n.search_name like ${pattern}`

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}
