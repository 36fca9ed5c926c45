import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Spellings } from '../../lib/other-spellings.ts'
import { BEGINNING, INSIDE, OTHER_SPELLING, type Query, WHOLE, WORDS, worst } from './ranks.ts'

/** How well the record `n` matches, of which it is known that it does. */
export function rankOf(query: Query): Sql {
  const better = [WHOLE, BEGINNING, WORDS, INSIDE].filter(rank => rank < worst(query))
  const cases = better.map(rank => sql`when ${matches(rank, query)} then ${raw(String(rank))}`)
  return sql`case ${join(cases, ' ')} else ${raw(String(worst(query)))} end`
}

/** The condition that a name, kept with a space before it, matches as well as a rank says, or better. */
export function matches(rank: number, { name, words, spellings = [] }: Query): Sql {
  if (rank === WHOLE) return sql`n.search_name = ${` ${name}`}`
  if (rank === BEGINNING) return sql`n.search_name >= ${` ${name}`} and n.search_name < ${` ${name}\u{10ffff}`}`
  if (rank === OTHER_SPELLING) return everySpelling(spellings)
  return everyWord(words.map(word => (rank === WORDS ? `% ${word}%` : `%${word}%`)))
}

const INDEXED_WORDS = 4

/** The index serves one condition a word; a bounded number of them keeps the number of statements bounded too. */
function everyWord(patterns: string[]): Sql {
  const conditions = patterns.slice(0, INDEXED_WORDS).map(isLike)
  const rest = patterns.slice(INDEXED_WORDS)
  return join(rest.length === 0 ? conditions : [...conditions, sql`n.search_name like all(${rest}::text[])`], ' and ')
}

/** What the index can serve comes first: all that every spelling of a word has in common, or the spellings of one word. */
function everySpelling(spellings: Spellings[]): Sql {
  const common = spellings.flatMap(({ likes }) => (likes.length === 1 ? likes : [])).map(isLike)
  const either = spellings.find(({ likes }) => likes.length > 1)?.likes.map(isLike) ?? []
  const indexed = common.length > 0 ? join(common.slice(0, INDEXED_WORDS), ' and ') : join(either, ' or ', '(', ')')
  return sql`${indexed} and n.search_name ~ all(${spellings.map(({ pattern }) => pattern)}::text[])`
}

const isLike = (pattern: string) => sql`n.search_name like ${pattern}`
