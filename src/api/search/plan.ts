import { BEGINNING, INSIDE, isIndexed, OTHER_SPELLING, type Query, RANKS, WHOLE, WORDS, worst } from './ranks.ts'

// Where to look for hits of one kind, step by step. Nothing here knows SQL: `statements.ts` takes the steps.

/** What is looked for, and how many hits are wanted. */
export interface Wanted {
  query: Query
  limit: number
}

export interface Hit {
  id: number
  rank: number
}

/** What a sample of a kind's records says about a query. It may be out of date: what it gets wrong costs time only. */
export interface Sample {
  /** So many records there were: all can be looked through; fetching all that match is no risk; or neither. */
  size: 'few' | 'some' | 'many'
  /** How many names it has. */
  names: number
  /** How well those of the newest match that do. */
  newest: number[]
  /** Of many records, those that match of some from the oldest to the newest. */
  spread: SampledMatch[]
}

/** Where a record stands in the sample, from 1 for the oldest on, and how well it matches. */
interface SampledMatch {
  step: number
  rank: number
}

/** What is known so far. */
export interface Progress {
  /** The best hits, in their order. */
  hits: Hit[]
  sample: Sample
  /** Of this rank and better ones there are no other hits. */
  settled: number
  /** More of the newest have been looked through for this rank and worse ones. */
  wider: number
}

/**
 * Where to look next: for the best of the few there are; for the best of the first of the newest, and for what is better and
 * rare; through more of the newest, or back from the newest without end, until there are enough; or among
 * all by the indexes. For which rank, and which is settled then. By the indexes other spellings are looked for at once, or,
 * when there is some of them, should the written one have too few.
 */
export interface Step {
  where: 'few' | 'first' | 'newest' | 'back' | 'all'
  rank: number
  settles: number
  /** How many of the newest records are looked through at most. */
  count: number
}

/** The rank that the indexes are asked for, if they are. */
export function askedOfIndexes({ where, rank, settles }: Step): number {
  return where === 'all' ? rank : where === 'first' ? settles : NOTHING
}

/** How many of the newest records are looked through for each hit that is wanted: at first, and then, at most. */
const FIRST_PER_HIT = 40
const NEWEST_PER_HIT = 200
/** Among so many times as many as should have enough there are likely to be enough. */
const LIKELY = 1.5
/** More than there can be. A limit all the same: it keeps the records in the order of the primary key. */
const EVERYTHING = 1e15
/** How many records a sample takes from the oldest to the newest, and of the newest. */
export const SAMPLE_SIZE = 64
export const SAMPLE_OF_NEWEST = 48
/** Fetching a record that an index names, against reading one in passing. */
const FETCHING_COSTS = 7
/** Better than any rank, and worse than any. */
export const NOTHING = 0
const NONE = OTHER_SPELLING + 1

/** Before the first step. */
export function begin(sample: Sample): Progress {
  return { hits: [], sample, settled: NOTHING, wider: NONE }
}

/** What is common has enough hits among the newest, and the indexes have what is better and rare. They also have all that is rare. */
export function firstStep(progress: Progress, wanted: Wanted): Step | undefined {
  const rank = worst(wanted.query)
  if (progress.sample.size === 'few') return { where: 'few', rank, settles: rank, count: EVERYTHING }
  const count = newestFor(progress.sample, wanted.limit)
  if (count === undefined) return nextStep(progress, wanted)
  const isRare = (rank: number) => isIndexed(rank, wanted.query) && !isSeen(progress, rank)
  return { where: 'first', rank, settles: [INSIDE, WORDS, BEGINNING, WHOLE].find(isRare) ?? NOTHING, count }
}

/** As many of the newest as are likely to have enough of the best rank that is common; undefined when none is. */
function newestFor({ names, newest, spread }: Sample, limit: number): number | undefined {
  let matching = 0
  for (const rank of RANKS) {
    matching += newest.filter(each => each === rank).length + spread.filter(match => match.rank === rank).length
    const perHit = (LIKELY * names) / matching
    if (perHit <= FIRST_PER_HIT) return Math.ceil(perHit * limit)
  }
  return undefined
}

/** After a step, with the hits that it had. */
export function advance(progress: Progress, step: Step, hits: Hit[], wanted: Wanted): Progress {
  const areAll = hits.length < wanted.limit
  const isComplete = step.where !== 'newest' && (step.where !== 'back' || areAll)
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
export function nextStep(progress: Progress, { query, limit }: Wanted): Step | undefined {
  const { hits, settled, sample, wider } = progress
  const last = hits[limit - 1]
  const rank = last ? last.rank - 1 : settled < INSIDE ? INSIDE : worst(query)
  if (rank <= settled) return undefined
  if (isCommon(sample, rank)) return { where: 'back', rank, settles: rank, count: EVERYTHING }
  const settles = last ? rank : worst(query)
  const seen = isSeen(progress, settles)
  if (rank < wider && isWorthLooking(rank, query, sample.size, seen))
    return { where: 'newest', rank: settles, settles, count: NEWEST_PER_HIT * limit }
  const all = { where: 'all', count: 0 } as const
  if (!seen) return { ...all, rank: bestIndexed(settles, query), settles }
  return { ...all, rank: bestIndexed(rank, query), settles: isCommon(sample, settles) ? rank : settles }
}

/** True when something of a rank or a better one has come up, in the sample or as a hit. */
function isSeen({ hits, sample: { newest, spread } }: Progress, rank: number): boolean {
  const isAsGood = (record: { rank: number }) => record.rank <= rank
  return newest.some(each => each <= rank) || spread.some(isAsGood) || hits.some(isAsGood)
}

/** Among more of the newest: for what no index has; and of many records for what has been seen. */
function isWorthLooking(rank: number, query: Query, size: Sample['size'], isSeen: boolean): boolean {
  return !isIndexed(rank, query) || (size === 'many' && isSeen)
}

/** The rank, or the next better one that an index has. */
function bestIndexed(rank: number, query: Query): number {
  return [rank, WORDS, BEGINNING].find(each => isIndexed(each, query)) as number
}

/** True when it is less work to go back from the newest until there are enough, than to fetch all that match. */
function isCommon({ spread }: Sample, rank: number): boolean {
  const matching = spread.filter(record => record.rank <= rank)
  const before = SAMPLE_SIZE - Math.max(...matching.map(record => record.step))
  return matching.length > 1 && before < FETCHING_COSTS * matching.length
}
