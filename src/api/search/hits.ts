import type { Db } from '../../db/db.ts'
import type { Viewer } from '../../domain/access/sight.ts'
import type { SampledKinds } from '../../domain/records/search-samples.ts'
import { advance, type Hit, nextStep, type Progress, type Step, type Wanted } from './plan.ts'
import { INFLECTED, MISSPELLED, type Query, worst } from './ranks.ts'
import { matchesIn, rarestFirst } from './samples.ts'
import type { HitType } from './sources.ts'
import { lookOf, statementOf } from './statements.ts'
import type { Asked } from './written.ts'

export interface Sought {
  viewer: Viewer
  query: Query
  /** The query with the letters that were typed. */
  typed: string
  limit: number
  scan: number
  /** Other forms of the words are looked for only up to this many hits of all kinds. */
  enough: number
  samples: SampledKinds
}

type Found = Map<HitType, Hit[]>

/**
 * The best hits of each kind. A common word has its newest hits among the newest records; a rare one has few hits, which the
 * indexes find. A sample tells which it is. Either way the cost hardly depends on the number of records. Other forms of words are
 * looked for if there are too few hits, and misspellings only if there are none.
 */
export async function findHits(db: Db, types: readonly HitType[], sought: Sought): Promise<Found> {
  let found: Found = new Map(types.map(type => [type, []]))
  let settled = 0
  for (let query: Query | undefined = sought.query; query; query = query.wider()) {
    const most = worst(query) === MISSPELLED ? 0 : sought.enough
    if (settled > 0 && countOf(found) > most) break
    found = await widen(db, found, { ...sought, query, settled })
    settled = worst(query)
  }
  const close = new Map([...found].map(([type, hits]) => [type, hits.filter(({ rank }) => rank < INFLECTED)]))
  return countOf(close) > sought.enough ? close : found
}

const countOf = (found: Found) => [...found.values()].reduce((sum, hits) => sum + hits.length, 0)

/** Adds what the ranks after the settled ones have. Kinds with the same next step share a statement. */
async function widen(
  db: Db,
  found: Found,
  { samples, settled, ...sought }: Sought & { settled: number },
): Promise<Found> {
  const asked = { ...sought, query: rarestFirst(sought.query, samples) }
  const begun = (type: HitType, hits: Hit[]): Progress => ({
    hits,
    sample: matchesIn(samples.get(type), asked.query),
    settled,
  })
  const progress = new Map([...found].map(([type, hits]) => [type, begun(type, hits)]))
  for (;;) {
    const steps = [...progress].map(([type, known]) => [type, nextStep(known, asked)] as const).filter(isStep)
    if (steps.length === 0) return new Map([...progress].map(([type, { hits }]) => [type, hits]))
    await Promise.all(alike(steps).map(together => take(db, { ...asked, steps: together }, progress)))
  }
}

const isStep = (entry: readonly [HitType, Step | undefined]): entry is [HitType, Step] => entry[1] !== undefined

/** Groups the steps that one statement can take. */
function alike(steps: [HitType, Step][]): Map<HitType, Step>[] {
  const looks = new Map<string, Map<HitType, Step>>()
  for (const [type, step] of steps) {
    const look = lookOf(step)
    looks.set(look, (looks.get(look) ?? new Map()).set(type, step))
  }
  return [...looks.values()]
}

async function take(db: Db, asked: Asked & Wanted, progress: Map<HitType, Progress>): Promise<void> {
  const hits = await db.many<Hit & { type: HitType }>(statementOf(asked))
  for (const [type, step] of asked.steps) {
    const ofType = hits.filter(hit => hit.type === type)
    progress.set(type, advance(progress.get(type) as Progress, step, ofType, asked))
  }
}
