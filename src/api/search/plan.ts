import { isIndexed, type Query, worst } from './ranks.ts'

// Decides where to look for hits of one kind, step by step. Nothing here knows SQL: `statements.ts` carries out the steps.

/** What is looked for, how many hits are wanted, and how many records may be scanned for them. */
export interface Wanted {
  query: Query
  limit: number
  scan: number
}

export interface Hit {
  id: number
  rank: number
  /** Whether the name contains the query as it was typed. */
  typed: boolean
}

/** What a sample of a kind's records says about a query. It may be out of date: its errors cost only time. */
export interface Sample {
  /** There were so few records that all can be scanned. */
  isSmall: boolean
  /** The ranks of the newest records that match. */
  newest: number[]
  /** If there are many records, the matches in a sample from the oldest to the newest. */
  spread: SampledMatch[]
  /** The ranks for which an index would return a good part of all records. */
  crowded: number[]
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
  /** There are no other hits of this rank or a better one. A lower rank is a better one, and none is 0. */
  settled: number
  /** The rank that the newest records have been scanned for last. */
  scanned?: number
}

/**
 * Where to look next: `all` takes the best of all records; `back` scans from the newest and takes the first hits; `index` asks
 * an index about all records. `rank` is what is looked for, and `settles` is settled when there are no others.
 */
export interface Step {
  where: 'all' | 'back' | 'index'
  rank: number
  settles: number
  /** How many of the newest records are scanned at most. */
  count: number
  /** Whether what this step does not find is not looked for elsewhere. */
  isFinal: boolean
}

/** How many of the newest records are scanned for what an index would return too much of. */
const SCANNED_IN_A_CROWD = 5_000
/** More records than there can be. A limit is still needed: it keeps the records in the order of the primary key. */
const EVERYTHING = 1e15
/** The sizes of the two samples: from the oldest to the newest, and of the newest. */
export const SAMPLE_SIZE = 64
export const SAMPLE_OF_NEWEST = 48
/** The cost of fetching a record that an index names, relative to reading one in a scan. */
const FETCHING_COSTS = 7

/**
 * Looks for what could still precede the last of the hits: better ones, or any while there are too few. What the sample has is
 * frequent: the newest records have enough of it, and an index would return too much. For the rest it is the other way round.
 * What is rare, but for which an index would return too much, is looked for last, and only among the newest records.
 */
export function nextStep({ hits, sample, settled, scanned }: Progress, wanted: Wanted): Step | undefined {
  const { query, limit, scan } = wanted
  const tooBad = hits[limit - 1]?.rank ?? worst(query) + 1
  const open = query.ranks.filter(rank => rank > settled && rank < tooBad)
  const worstOpen = open.at(-1)
  if (worstOpen === undefined) return undefined
  if (sample.isSmall) return { where: 'all', rank: worstOpen, settles: worstOpen, count: EVERYTHING, isFinal: true }
  const sparse = open.filter(rank => !sample.crowded.includes(rank))
  const isFinal = sparse.length === 0
  const ranks = isFinal ? open : sparse
  const seen = ranks.find(rank => isSeen(sample, rank))
  const rank = seen ?? (ranks.at(-1) as number)
  if (rank !== scanned && (seen !== undefined || isFinal || !isIndexed(rank, query)))
    return {
      where: 'back',
      rank,
      settles: rank,
      count: isCommon(sample, rank) ? EVERYTHING : isFinal ? SCANNED_IN_A_CROWD : scan,
      isFinal,
    }
  return { where: 'index', rank: bestIndexed(rank, query), settles: rank, count: 0, isFinal: true }
}

function isSeen({ newest, spread }: Sample, rank: number): boolean {
  return newest.includes(rank) || spread.some(match => match.rank === rank)
}

/** True when scanning back from the newest until there are enough is less work than fetching all matches. */
function isCommon({ spread }: Sample, rank: number): boolean {
  const matching = spread.filter(record => record.rank <= rank)
  const before = SAMPLE_SIZE - Math.max(...matching.map(record => record.step))
  return matching.length > 1 && before < FETCHING_COSTS * matching.length
}

/** The rank, or the next better one that an index can serve. */
function bestIndexed(rank: number, query: Query): number {
  return query.ranks.findLast(each => each <= rank && isIndexed(each, query)) as number
}

/** The progress after a step that found these hits. */
export function advance(progress: Progress, step: Step, hits: Hit[], wanted: Wanted): Progress {
  const { where, rank, settles, count, isFinal } = step
  const areAll = isFinal || (count === EVERYTHING && hits.length < wanted.limit)
  return {
    ...progress,
    hits: best([...progress.hits, ...hits], wanted),
    settled: areAll ? settles : progress.settled,
    ...(where === 'back' && { scanned: rank }),
  }
}

/** Each record once, the best first; among equals, the newest first. */
function best(hits: Hit[], { limit }: Wanted): Hit[] {
  const distinct = [...new Map(hits.map(hit => [hit.id, hit])).values()]
  return distinct.sort((a, b) => a.rank - b.rank || b.id - a.id).slice(0, limit)
}
