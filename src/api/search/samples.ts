import type { Db } from '../../db/db.ts'
import type { Sample } from './plan.ts'
import { type Query, rankerOf } from './ranks.ts'
import { sampleStatement } from './sample-statement.ts'
import type { HitType } from './sources.ts'

/** Some of the names of a kind. */
export interface SampledNames {
  size: Sample['size']
  newest: string[]
  /** Of many records, from the oldest to the newest. */
  spread: string[]
  /** All of them in one text. */
  all: string
}

const NONE: SampledNames = { size: 'few', newest: [], spread: [], all: '' }

export type SampledKinds = Map<HitType, SampledNames>

/** A sample tells where to look, and not what is there. So it may be used for a while. */
const KEPT_MS = 60_000
/** Of the companies that have been searched last. A sample holds some hundred names. */
const MOST_COMPANIES = 100

const kept = new Map<number, { until: number; names: Promise<SampledKinds> }>()

/** Some names of each kind in a company, as they are now or were a moment ago. */
export function sampleNames(db: Db, companyId: number): Promise<SampledKinds> {
  const now = performance.now()
  const known = kept.get(companyId)
  if (known && now < known.until) return known.names
  const names = readNames(db, companyId)
  const taken = { until: now + KEPT_MS, names }
  kept.delete(companyId)
  kept.set(companyId, taken)
  if (kept.size > MOST_COMPANIES) kept.delete(kept.keys().next().value as number)
  names.catch(() => kept.get(companyId) === taken && kept.delete(companyId))
  return names
}

async function readNames(db: Db, companyId: number): Promise<SampledKinds> {
  const rows = await db.many<SampledNames & { type: HitType }>(sampleStatement(companyId))
  return new Map(
    rows.map(({ type, size, newest, spread }) => [type, { size, newest, spread, all: [...newest, ...spread].join() }]),
  )
}

/** What a sample says about a query. */
export function matchesIn({ size, newest, spread, all }: SampledNames = NONE, query: Query): Sample {
  const rankOf = rankerOf(query)
  const names = newest.length + spread.length
  // What is rare is in none of the names, which one look at all of them tells.
  if (rankOf(all) === undefined) return { size, names, newest: [], spread: [] }
  const matches: Sample['spread'] = []
  for (const [n, name] of spread.entries()) {
    const rank = rankOf(name)
    if (rank !== undefined) matches.push({ step: n + 1, rank })
  }
  return { size, names, newest: newest.map(rankOf).filter(rank => rank !== undefined), spread: matches }
}
