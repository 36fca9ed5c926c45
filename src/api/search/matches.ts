import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Spellings } from '../../lib/other-spellings.ts'
import { BEGINNING, INSIDE, OTHER_SPELLING, type Query, WHOLE, WORDS, worst } from './ranks.ts'
import type { Given } from './written.ts'

/** How well the record `n` matches, of which it is known that it does. */
export function rankOf(query: Query): Sql {
  const better = [WHOLE, BEGINNING, WORDS, INSIDE].filter(rank => rank < worst(query))
  const cases = better.map(rank => sql`when ${matches(rank, query)} then ${raw(String(rank))}`)
  return sql`case ${join(cases, ' ')} else ${raw(String(worst(query)))} end`
}

/** The condition that a name, kept with a space before it, matches as well as a rank says, or better. */
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

const wholeName: Given = ({ query }) => ` ${query.name}`
const pastBeginning: Given = ({ query }) => ` ${query.name}\u{10ffff}`

/** The index serves one condition a word; a bounded number of them keeps the number of statements bounded too. */
const INDEXED_WORDS = 4

interface Patterns {
  indexed: Given[]
  rest: Given
}

const patterns = (of: (word: string) => string): Patterns => ({
  indexed: upTo(INDEXED_WORDS, n => ({ query }) => of(query.words[n] as string)),
  rest: ({ query }) => query.words.slice(INDEXED_WORDS).map(of),
})
const atBeginnings = patterns(word => `% ${word}%`)
const anywhere = patterns(word => `%${word}%`)

function everyWord(count: number, { indexed, rest }: Patterns): Sql {
  const conditions = indexed.slice(0, count).map(isLike)
  return join(count > INDEXED_WORDS ? [...conditions, sql`n.search_name like all(${rest}::text[])`] : conditions, ' and ')
}

/** What every spelling of a word has in common, of as many words as the index serves. */
const commonOf = (spellings: Spellings[]) =>
  spellings.flatMap(({ likes }) => (likes.length === 1 ? likes : [])).slice(0, INDEXED_WORDS)
/** The spellings of one word that have too little in common. */
const eitherOf = (spellings: Spellings[]) => spellings.find(({ likes }) => likes.length > 1)?.likes ?? []

const SPELLINGS_OF_ONE = 3
const common: Given[] = upTo(INDEXED_WORDS, n => ({ query }) => commonOf(query.spellings ?? [])[n])
const either: Given[] = upTo(SPELLINGS_OF_ONE, n => ({ query }) => eitherOf(query.spellings ?? [])[n])
const expressions: Given = ({ query }) => query.spellings?.map(({ pattern }) => pattern)

/** What the index can serve comes first. */
function everySpelling(spellings: Spellings[]): Sql {
  const counts = { common: commonOf(spellings).length, either: eitherOf(spellings).length }
  const indexed =
    counts.common > 0
      ? join(common.slice(0, counts.common).map(isLike), ' and ')
      : join(either.slice(0, counts.either).map(isLike), ' or ', '(', ')')
  return sql`${indexed} and n.search_name ~ all(${expressions}::text[])`
}

const isLike = (pattern: Given) => sql`n.search_name like ${pattern}`

function upTo<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}
