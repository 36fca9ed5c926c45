import { BEGINNING, INSIDE, isIndexed, OTHER_SPELLING, type Query, WHOLE, WORDS, worst } from './ranks.ts'

// Where to look for hits of one kind, step by step. Nothing here knows SQL: `statements.ts` takes the steps.

/** What is looked for, and how many hits are wanted. */
export interface Wanted {
  query: Query
  limit: number
}

export interface Hit {
  id: number
  rank: number
  shown: object
}

/** One of some records that were taken from the oldest to the newest at even distances: where it stands, and how well it matches. */
interface SampledMatch {
  step: number
  rank: number
}

/** What the first look brings to light. */
export interface FirstLook {
  hits: Hit[]
  /** True when there are no other records. */
  complete: boolean
  /** Those of a sample of all records that match; null when there are too few records for a sample. */
  sample: SampledMatch[] | null
}

/** What is known so far. */
export interface Progress {
  /** The best hits, in their order. */
  hits: Hit[]
  sample: SampledMatch[] | null
  /** Of this rank and better ones there are no other hits. */
  settled: number
  /** More of the newest have been looked through for this rank and worse ones. */
  wider: number
}

/**
 * Where to look next: through more of the newest, back from the newest without end, or among all by the indexes; for which
 * rank, and which is settled then. By the indexes other spellings are looked for at once, or, when there is some of them,
 * should the written one have too few.
 */
export interface Step {
  where: 'newest' | 'back' | 'all'
  rank: number
  settles: number
}

/** How many of the newest records are looked through for each hit that is wanted; and how many, when they had some. */
export const NEWEST_PER_HIT = 8
export const NEWEST_PER_HIT_WIDER = 200
/** How many records a sample takes. */
export const SAMPLE_SIZE = 16
/** Fetching a record that an index names, against reading one in passing. */
const FETCHING_COSTS = 7
/** Worse than any rank. */
const NONE = OTHER_SPELLING + 1

/** After the first look, through a few of the newest records. */
export function begin(newest: FirstLook, wanted: Wanted): Progress {
  const settled = newest.complete ? worst(wanted.query) : 0
  return { hits: best(newest.hits, wanted), sample: newest.sample, settled, wider: NONE }
}

/** After a step, with the hits that it had. */
export function advance(progress: Progress, step: Step, hits: Hit[], wanted: Wanted): Progress {
  const areAll = hits.length < wanted.limit
  const isComplete = step.where === 'all' || (step.where === 'back' && areAll)
  return {
    hits: best([...progress.hits, ...hits], wanted),
    sample: progress.sample,
    settled: isComplete ? step.settles : progress.settled,
    wider: step.where === 'newest' ? (areAll ? WHOLE : step.rank) : progress.wider,
  }
}

/** Each record once, the best first, and of equals the newest. */
function best(hits: Hit[], { limit }: Wanted): Hit[] {
  const distinct = [...new Map(hits.map(hit => [hit.id, hit])).values()]
  return distinct.sort((a, b) => a.rank - b.rank || b.id - a.id).slice(0, limit)
}

/**
 * What could still come before the last of the hits: better ones, or while there are too few, any. Other spellings are
 * looked for when the spelling that was asked for has not filled the hits.
 */
export function nextStep({ hits, settled, sample, wider }: Progress, { query, limit }: Wanted): Step | undefined {
  const last = hits[limit - 1]
  const rank = last ? last.rank - 1 : settled < INSIDE ? INSIDE : worst(query)
  if (rank <= settled) return undefined
  if (sample && isCommon(sample, rank)) return { where: 'back', rank, settles: rank }
  const settles = last ? rank : worst(query)
  const isSeen = [...hits, ...(sample ?? [])].some(record => record.rank <= settles)
  if (rank >= WORDS && rank < wider && isWorthLooking(rank, query, sample !== null, isSeen))
    return { where: 'newest', rank: settles, settles }
  if (!isSeen) return { where: 'all', rank: bestIndexed(settles, query), settles }
  return { where: 'all', rank: bestIndexed(rank, query), settles: sample && isCommon(sample, settles) ? rank : settles }
}

/** Among more of the newest: for what no index has; and of many records for what has been seen, or has so few letters that it is likely. */
function isWorthLooking(rank: number, query: Query, areMany: boolean, isSeen: boolean): boolean {
  return areMany ? isSeen || !isIndexed(INSIDE, query) : !isIndexed(rank, query)
}

/** The rank, or the next better one that an index has. */
function bestIndexed(rank: number, query: Query): number {
  return [rank, WORDS, BEGINNING].find(each => isIndexed(each, query)) as number
}

/** True when it is less work to go back from the newest until there are enough, than to fetch all that match. */
function isCommon(sample: SampledMatch[], rank: number): boolean {
  const matching = sample.filter(record => record.rank <= rank)
  const before = SAMPLE_SIZE - Math.max(...matching.map(record => record.step))
  return matching.length > 1 && before < FETCHING_COSTS * matching.length
}
