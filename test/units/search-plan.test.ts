import { describe, expect, it } from 'vitest'
import {
  advance,
  type Hit,
  nextStep,
  type Progress,
  SAMPLE_SIZE,
  type Sample,
  type Step,
} from '../../src/api/search/plan.ts'
import { BEGINNING, BEGINNINGS, INFLECTED, type Query, readQuery, WHOLE, WORD } from '../../src/api/search/ranks.ts'

/** The ranks between the beginnings of words and other forms of them. */
const [OTHER_SPELLING, INSIDE] = [5, 6]

const LIMIT = 2
const SCAN = 400
const wanting = (name: string) => ({ query: readQuery(name), limit: LIMIT, scan: SCAN })
const office = wanting('office')
/** Inside words two letters are in no index; at the beginning of one they are. */
const twoLetters = wanting('of')
const noLetters = wanting('-')
/** A word with its article may stand in a name without it, or in the plural. */
const withArticle = { ...wanting('المكتب'), query: readQuery('المكتب').wider() as Query }

const hit = (id: number, rank: number): Hit => ({ id, rank, typed: true })
const ofRanks = (...ranks: number[]) => ranks.map((rank, n) => hit(100 - n, rank))
const match = (step: number, rank: number) => ({ step, rank })
/** Of many records, unless told otherwise. Those that match are at these places, from the oldest to the newest. */
const sampled = (spread: Sample['spread'] = [], others: Partial<Sample> = {}): Sample => ({
  isSmall: false,
  newest: [],
  spread,
  crowded: [],
  ...others,
})
const known = (progress: Partial<Progress>): Progress => ({ hits: [], sample: sampled(), settled: 0, ...progress })
const next = (progress: Partial<Progress>, wanted = office) => nextStep(known(progress), wanted)
const step = (where: Step['where'], rank: number, settles = rank) => expect.objectContaining({ where, rank, settles })

/** Two matches that are so far back that fetching everything that matches is less work, and two that are not. */
const rare = (rank: number) => [match(1, rank), match(SAMPLE_SIZE - 14, rank)]
const common = (rank: number) => [match(1, rank), match(SAMPLE_SIZE - 13, rank)]

describe('A search is over', () => {
  it('when nothing can be better than the hits there are', () => {
    expect(next({ hits: ofRanks(WHOLE, WHOLE) })).toBeUndefined()
  })

  it('when all that could be better is settled', () => {
    expect(next({ hits: ofRanks(WHOLE, INSIDE), settled: BEGINNINGS })).toBeUndefined()
  })

  it('with too few hits, when there are no others', () => {
    expect(next({ hits: ofRanks(WHOLE), settled: INSIDE })).toBeUndefined()
    expect(next({ settled: INFLECTED }, withArticle)).toBeUndefined()
  })
})

describe('A search looks', () => {
  it('through all records of a kind, where there are few', () => {
    const sample = sampled([], { isSmall: true })
    expect(next({ sample })).toEqual(step('all', INSIDE))
    expect(next({ sample }, withArticle)).toEqual(step('all', INFLECTED))
  })

  it('in the indexes, for what the sample does not have', () => {
    expect(next({})).toEqual(step('index', INSIDE))
    expect(next({}, withArticle)).toEqual(step('index', INFLECTED))
    expect(next({ hits: ofRanks(WHOLE) })).toEqual(step('index', INSIDE))
  })

  it('only for better hits than the last, once there are enough', () => {
    expect(next({ hits: ofRanks(WHOLE, INSIDE) })).toEqual(step('index', BEGINNINGS))
    expect(next({ hits: ofRanks(WHOLE, INSIDE) }, withArticle)).toEqual(step('index', OTHER_SPELLING))
    expect(next({ hits: ofRanks(WHOLE, BEGINNING) })).toEqual(step('index', WORD))
    expect(next({ hits: ofRanks(BEGINNINGS, BEGINNINGS), settled: WHOLE })).toEqual(step('index', BEGINNING))
    expect(next({ hits: ofRanks(BEGINNINGS, BEGINNINGS), sample: sampled(common(BEGINNINGS)) })).toEqual(
      step('index', BEGINNING),
    )
  })

  it('back from the newest for the best that the sample has', () => {
    expect(next({ sample: sampled([], { newest: [INSIDE, BEGINNINGS] }) })).toEqual(step('back', BEGINNINGS))
    expect(next({ sample: sampled(rare(BEGINNING), { newest: [INSIDE] }) })).toEqual(step('back', BEGINNING))
  })

  it('in the indexes for what the newest records have too little of, and then on for the next that the sample has', () => {
    const sample = sampled([], { newest: [INSIDE, BEGINNINGS] })
    expect(next({ sample, scanned: BEGINNINGS })).toEqual(step('index', BEGINNINGS))
    expect(next({ sample, scanned: BEGINNINGS, settled: BEGINNINGS })).toEqual(step('back', INSIDE))
    expect(next({ sample, scanned: INSIDE, settled: BEGINNINGS })).toEqual(step('index', INSIDE))
  })

  it('last of all, and only back from the newest, for what an index would return too much of', () => {
    const sample = sampled([], { crowded: [INFLECTED] })
    expect(next({ sample }, withArticle)).toEqual(step('index', INSIDE))
    const crowded = next({ sample, settled: INSIDE }, withArticle) as Step
    expect(crowded).toEqual(step('back', INFLECTED))
    expect(advance(known({ sample, settled: INSIDE }), crowded, [], withArticle).settled).toBe(INFLECTED)
  })

  it('back from the newest for what no index has; after that, for the best that one has', () => {
    expect(next({}, twoLetters)).toEqual(step('back', INSIDE))
    expect(next({ scanned: INSIDE }, twoLetters)).toEqual(step('index', BEGINNINGS, INSIDE))
    expect(next({}, noLetters)).toEqual(step('back', INSIDE))
    expect(next({ scanned: INSIDE }, noLetters)).toEqual(step('index', BEGINNING, INSIDE))
  })
})

describe('Looking back from the newest', () => {
  const isBounded = (spread: Sample['spread']) => next({ sample: sampled(spread) })?.count === SCAN

  it('has no bound for what is common in the sample', () => {
    expect(isBounded(common(INSIDE))).toBe(false)
  })

  it('has one for what is too far back', () => {
    expect(isBounded(rare(INSIDE))).toBe(true)
  })

  it('has one for what only one name of the sample matches, even if it is the newest', () => {
    expect(isBounded([match(SAMPLE_SIZE, INSIDE)])).toBe(true)
  })

  it('has one for what only the newest have', () => {
    expect(next({ sample: sampled([], { newest: [INSIDE, INSIDE] }) })?.count).toBe(SCAN)
  })
})

describe('What a step brings', () => {
  const taken = (where: Step['where'], count = 0): Step => ({
    where,
    rank: BEGINNINGS,
    settles: BEGINNINGS,
    count,
    isFinal: where !== 'back',
  })
  const settledBy = (step: Step, hits: Hit[]) => advance(known({ settled: WHOLE }), step, hits, office).settled
  const unbounded = next({ sample: sampled(common(BEGINNINGS)) }) as Step

  it('is the best first, of equals the newest, each once and no more than are wanted', () => {
    const first = advance(known({}), taken('all'), [hit(1, BEGINNINGS), hit(7, INSIDE), hit(2, BEGINNINGS)], office)
    expect(first.hits).toEqual([hit(2, BEGINNINGS), hit(1, BEGINNINGS)])
    expect(advance(first, taken('index'), [hit(2, BEGINNINGS)], office).hits).toEqual([
      hit(2, BEGINNINGS),
      hit(1, BEGINNINGS),
    ])
    expect(advance(first, taken('index'), [hit(9, WHOLE)], office).hits).toEqual([hit(9, WHOLE), hit(2, BEGINNINGS)])
  })

  it('settles what the step says when it was among all records, or back to the oldest', () => {
    expect(settledBy(taken('all'), ofRanks(BEGINNINGS, BEGINNINGS))).toBe(BEGINNINGS)
    expect(settledBy(taken('index'), ofRanks(BEGINNINGS, BEGINNINGS))).toBe(BEGINNINGS)
    expect(settledBy(unbounded, ofRanks(BEGINNINGS))).toBe(BEGINNINGS)
  })

  it('settles nothing when there may be others', () => {
    expect(settledBy(unbounded, ofRanks(BEGINNINGS, BEGINNINGS))).toBe(WHOLE)
    expect(settledBy(taken('back', 400), [])).toBe(WHOLE)
  })

  it('keeps in mind for what it looked back', () => {
    expect(advance(known({}), taken('back'), [], office).scanned).toBe(BEGINNINGS)
    expect(advance(known({ scanned: INSIDE }), taken('index'), [], office).scanned).toBe(INSIDE)
  })
})
