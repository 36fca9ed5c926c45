import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { Recent } from '../../lib/recent.ts'

/** How many characters of a name are stored for search. */
const SEARCHED_CHARACTERS = 499
/** The latest queries are cached: the spelling of a query never changes. */
const MOST_QUERIES = 1_000
const LONGEST_QUERY = 100
const KEPT_FOR_MS = 3_600_000

const kept = new Recent<string, string>(MOST_QUERIES, KEPT_FOR_MS)

/** A query in the spelling that names are stored in. */
export async function spell(db: Db, q: string): Promise<string> {
  const known = kept.get(q)
  if (known !== undefined) return known
  const { name } = await db.one<{ name: string }>(sql`select left(search_name(${q}), ${SEARCHED_CHARACTERS}) as name`)
  if (q.length <= LONGEST_QUERY) kept.set(q, name)
  return name
}
