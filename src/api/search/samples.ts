import type { Db } from '../../db/db.ts'
import type { SampledKinds, SampledNames } from '../../domain/records/search-samples.ts'
import type { Sample } from './plan.ts'
import { INFLECTED, likenessTo, MISSPELLED, type Query, rankerOf } from './ranks.ts'
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
export function matchesIn(names: SampledNames = NONE, query: Query): Sample {
  const { is_small: isSmall, newest, spread, all } = names
  const crowded = isSmall ? [] : crowdedIn([...newest, ...spread], query)
  const rankOf = rankerOf(query)
  // A rare word is in none of the names, and one look at the joined text shows that.
  if (rankOf(all) === undefined) return { isSmall, newest: [], spread: [], crowded }
  const matches: Sample['spread'] = []
  for (const [n, name] of spread.entries()) {
    const rank = rankOf(name)
    if (rank !== undefined) matches.push({ step: n + 1, rank })
  }
  return { isSmall, newest: newest.map(rankOf).filter(rank => rank !== undefined), spread: matches, crowded }
}

/** The ranks at which an index would return far more names than match: what all forms of a word have in common is frequent. */
function crowdedIn(names: string[], { spellings }: Query): number[] {
  return [INFLECTED, MISSPELLED].filter(rank => {
    const ofRank = spellings[rank]
    return ofRank && names.filter(likenessTo(ofRank)).length > CROWD
  })
}
