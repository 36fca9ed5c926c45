import type { Db } from '../../db/db.ts'
import type { SampledKinds, SampledNames } from '../../domain/records/search-samples.ts'
import type { Spellings } from '../../lib/arabic-affixes.ts'
import type { Sample } from './plan.ts'
import { INSIDE, isIndexed, isLikeEvery, likenessAt, type Query, rankerOf } from './ranks.ts'
import { sampleStatement } from './sample-statement.ts'
import type { HitType } from './sources.ts'

/** So many names of a sample may be LIKE what is looked for. */
const CROWD = 8

const NONE: SampledNames = { is_small: true, newest: [], spread: [], all: '' }

/** Some names of each kind in a company, as they are now. */
export async function sampleNames(db: Db, companyId: number): Promise<SampledKinds> {
  const rows = await db.many<Omit<SampledNames, 'all'> & { type: HitType }>(sampleStatement(companyId))
  return new Map(rows.map(({ type, ...names }) => [type, { ...names, all: [...names.newest, ...names.spread].join() }]))
}

/** What a sample says about a query. */
export function matchesIn({ is_small: isSmall, newest, spread, all }: SampledNames = NONE, query: Query): Sample {
  const rankOf = rankerOf(query)
  // A rare word is in none of the names, and one look at the joined text shows that.
  const ranksOf = (names: string[]) => (rankOf(all) === undefined ? names.map(() => undefined) : names.map(rankOf))
  const ranks = { newest: ranksOf(newest), spread: ranksOf(spread) }
  return {
    isSmall,
    newest: ranks.newest.filter(isRank),
    spread: ranks.spread.flatMap((rank, n) => (isRank(rank) ? { step: n + 1, rank } : [])),
    crowded: isSmall ? [] : crowdedIn([...newest, ...spread], [...ranks.newest, ...ranks.spread], query),
  }
}

const isRank = (rank: number | undefined) => rank !== undefined

/**
 * The ranks at which an index would return far more names than match: what all forms of a word have in common is frequent, or some
 * words are frequent and another is too short for an index.
 */
function crowdedIn(names: string[], ranks: (number | undefined)[], query: Query): number[] {
  return query.ranks.filter(rank => {
    if (!query.spellings[rank] && !(rank === INSIDE && isIndexed(rank, query))) return false
    const isLike = likenessAt(rank, query)
    return names.filter((name, n) => (ranks[n] ?? Infinity) > rank && isLike(name)).length > CROWD
  })
}

/** The same query, with the words first that are the rarest in these samples: an index is asked for those. */
export function rarestFirst(query: Query, samples: SampledKinds): Query {
  const names = [...samples.values()].flatMap(({ is_small, newest, spread }) =>
    is_small ? [] : [...newest, ...spread],
  )
  if (query.words.length === 1 || names.length === 0) return query
  const timesOf = ({ likes }: Spellings) => names.filter(isLikeEvery([likes])).length
  const sorted = (words: Spellings[]) => {
    const times = new Map(words.map(word => [word, timesOf(word)]))
    return words.toSorted((one, other) => Number(times.get(one)) - Number(times.get(other)))
  }
  const ofRanks = Object.entries(query.spellings).map(([rank, words]) => [rank, words && sorted(words)])
  return { ...query, spellings: Object.fromEntries(ofRanks) }
}
