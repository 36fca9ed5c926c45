import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { Recent } from '../../lib/recent.ts'
import { type Query, readQuery } from './ranks.ts'

/** How many characters of a name are stored for search. */
const SEARCHED_CHARACTERS = 499
/** The latest queries are cached: the spelling of a query never changes. */
const MOST_QUERIES = 1_000
const LONGEST_QUERY = 100
const KEPT_FOR_MS = 3_600_000

/** A query as it is compared with stored names, and as it was typed, without case and without what is invisible. */
export interface Spelled {
  query: Query
  typed: string
}

const kept = new Recent<string, Spelled>(MOST_QUERIES, KEPT_FOR_MS)

/** Reads how a query is spelled. `marked` has the same letters as `name`, but ء for every one that was typed with a hamza. */
export async function spell(db: Db, q: string): Promise<Spelled> {
  const known = kept.get(q)
  if (known !== undefined) return known
  const { name, marked, typed } = await db.one<{ name: string; marked: string; typed: string }>(sql`
    select left(search_name(${q}), ${SEARCHED_CHARACTERS}) as name,
      left(search_name(translate(normalize(${q}::text, NFC), 'أإآؤئ', 'ءءءءء')), ${SEARCHED_CHARACTERS}) as marked,
      lower(${typedIn(q)}::text collate "C") as typed`)
  const spelled = { query: readQuery(name, marked), typed }
  if (q.length <= LONGEST_QUERY) kept.set(q, spelled)
  return spelled
}

const typedIn = (q: string) => q.replace(/\p{Cf}/gu, '').trim()
