import { BEGINNING, INSIDE, isIndexed, OTHER_SPELLING, type Query, RANKS, WHOLE, WORDS, worst } from './ranks.ts'

// Decides where to look for hits of one kind, step by step. Nothing here knows SQL: `statements.ts` carries out the steps.

/** What is looked for, and how many hits are wanted. */
export interface Wanted {
  query: Query
  limit: number
}

export interface Hit {
  id: number
  rank: number
}

/** What a sample of a kind's records says about a query. It may be out of date: its errors cost only time. */
export interface Sample {
  /** How many records there were: few enough to scan all; some, so that fetching all matches is safe; or too many for either. */
  size: 'few' | 'some' | 'many'
  /** How many names the sample has. */
  names: number
  /** The ranks of the newest records that match. */
  newest: number[]
  /** If there are many records, the matches in a sample from the oldest to the newest. */
  spread: SampledMatch[]
}

/** The position of a record in the sample, from 1 for the oldest, and how well it matches. */
interface SampledMatch {
  step: number
  rank: number
}

/** What is known so far. */
export interface Progress {
  /** The best hits, in their order. */
  hits: Hit[]
  sample: Sample
  /** There are no other hits of this rank or a better one. */
  settled: number
  /** More of the newest records have been scanned for this rank and worse ones. */
  wider: number
}

/**
 * Where to look next: `few` ranks all of the few records; `first` takes the best of the first of the newest, and asks the
 * indexes for what is better and rare; `newest` scans more of the newest; `back` scans from the newest towards the oldest and
 * stops only when there are enough hits; `all` asks the indexes about all records. `rank` is what is looked for, `settles` is settled afterwards.
 * The indexes are asked for other spellings at once, or, if some have been seen, only when the written spelling has too few
 * hits.
 */
export interface Step {
  where: 'few' | 'first' | 'newest' | 'back' | 'all'
  rank: number
  settles: number
  /** How many of the newest records are scanned at most. */
  count: number
}

/** The rank that the indexes are asked for; `NOTHING` if they are not asked. */
export function askedOfIndexes({ where, rank, settles }: Step): number {
  return where === 'all' ? rank : where === 'first' ? settles : NOTHING
}

/** How many of the newest records are scanned per requested hit, at most: in the first step, and in a later one. */
const FIRST_PER_HIT = 40
const NEWEST_PER_HIT = 200
/** Scanning this many times as many records as should suffice is likely to find enough. */
const LIKELY = 1.5
/** More records than there can be. A limit is still needed: it keeps the records in the order of the primary key. */
const EVERYTHING = 1e15
/** The sizes of the two samples: from the oldest to the newest, and of the newest. */
export const SAMPLE_SIZE = 64
export const SAMPLE_OF_NEWEST = 48
/** The cost of fetching a record that an index names, relative to reading one in a scan. */
const FETCHING_COSTS = 7
/** A lower rank is a better one, and no hit has this: to ask for it, or to have settled it, is to ask for or to have settled nothing. */
export const NOTHING = 0
/** One more than the worst rank, for what has not been done for any rank yet. */
const NONE = OTHER_SPELLING + 1

/** Before the first step. */
export function begin(sample: Sample): Progress {
  return { hits: [], sample, settled: NOTHING, wider: NONE }
}

/**
 * If matches are common, the newest records have enough of them, and the indexes find better ones that are rare. If all matches
 * are rare, the indexes find them all.
 */
export function firstStep(progress: Progress, wanted: Wanted): Step | undefined {
  const rank = worst(wanted.query)
  if (progress.sample.size === 'few') return { where: 'few', rank, settles: rank, count: EVERYTHING }
  const count = newestFor(progress.sample, wanted.limit)
  if (count === undefined) return nextStep(progress, wanted)
  const isRare = (rank: number) => isIndexed(rank, wanted.query) && !isSeen(progress, rank)
  return { where: 'first', rank, settles: [INSIDE, WORDS, BEGINNING, WHOLE].find(isRare) ?? NOTHING, count }
}

/** How many of the newest records are likely to have enough hits of the best common rank; undefined when no rank is common. */
function newestFor({ names, newest, spread }: Sample, limit: number): number | undefined {
  let matching = 0
  for (const rank of RANKS) {
    matching += newest.filter(each => each === rank).length + spread.filter(match => match.rank === rank).length
    const perHit = (LIKELY * names) / matching
    if (perHit <= FIRST_PER_HIT) return Math.ceil(perHit * limit)
  }
  return undefined
}

/** The progress after a step that found these hits. */
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

/** Each record once, the best first; among equals, the newest first. */
function best(hits: Hit[], { limit }: Wanted): Hit[] {
  const distinct = [...new Map(hits.map(hit => [hit.id, hit])).values()]
  return distinct.sort((a, b) => a.rank - b.rank || b.id - a.id).slice(0, limit)
}

/**
 * Looks for what could still precede the last of the hits: better ones, or any while there are too few. Other spellings are
 * looked for only when the requested spelling has not filled the hits.
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

/** True when a record of this rank or a better one has been seen, in the sample or as a hit. */
function isSeen({ hits, sample: { newest, spread } }: Progress, rank: number): boolean {
  const isAsGood = (record: { rank: number }) => record.rank <= rank
  return newest.some(each => each <= rank) || spread.some(isAsGood) || hits.some(isAsGood)
}

/** Scanning more of the newest is worthwhile for what no index finds and, among many records, for what has been seen. */
function isWorthLooking(rank: number, query: Query, size: Sample['size'], isSeen: boolean): boolean {
  return !isIndexed(rank, query) || (size === 'many' && isSeen)
}

/** The rank, or the next better one that an index can serve. */
function bestIndexed(rank: number, query: Query): number {
  return [rank, WORDS, BEGINNING].find(each => isIndexed(each, query)) as number
}

/** True when scanning back from the newest until there are enough is less work than fetching all matches. */
function isCommon({ spread }: Sample, rank: number): boolean {
  const matching = spread.filter(record => record.rank <= rank)
  const before = SAMPLE_SIZE - Math.max(...matching.map(record => record.step))
  return matching.length > 1 && before < FETCHING_COSTS * matching.length
}
