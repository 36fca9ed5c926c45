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
import { BEGINNING, INSIDE, OTHER_SPELLING, readQuery, WHOLE, WORDS } from '../../src/api/search/ranks.ts'

const LIMIT = 2
const office = { query: readQuery('office'), limit: LIMIT }
/** Inside words two letters are in no index; at the beginning of one they are. */
const twoLetters = { query: readQuery('of'), limit: LIMIT }
const noLetters = { query: readQuery('-'), limit: LIMIT }
/** A word with its article may stand in a name without it. */
const withArticle = { query: readQuery('المكتب'), limit: LIMIT }

const hit = (id: number, rank: number): Hit => ({ id, rank })
const ofRanks = (...ranks: number[]) => ranks.map((rank, n) => hit(100 - n, rank))
const match = (step: number, rank: number) => ({ step, rank })
/** Of many records, unless told otherwise. Those that match are at these places, from the oldest to the newest. */
const sampled = (spread: Sample['spread'] = [], others: Partial<Sample> = {}): Sample => ({
  isSmall: false,
  newest: [],
  spread,
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
    expect(next({ hits: ofRanks(WHOLE, INSIDE), settled: WORDS })).toBeUndefined()
  })

  it('with too few hits, when there are no others', () => {
    expect(next({ hits: ofRanks(WHOLE), settled: INSIDE })).toBeUndefined()
    expect(next({ settled: OTHER_SPELLING }, withArticle)).toBeUndefined()
  })
})

describe('A search looks', () => {
  it('through all records of a kind, where there are few', () => {
    const sample = sampled([], { isSmall: true })
    expect(next({ sample })).toEqual(step('all', INSIDE))
    expect(next({ sample }, withArticle)).toEqual(step('all', OTHER_SPELLING))
  })

  it('in the indexes, for what the sample does not have', () => {
    expect(next({})).toEqual(step('index', INSIDE))
    expect(next({}, withArticle)).toEqual(step('index', OTHER_SPELLING))
    expect(next({ hits: ofRanks(WHOLE) })).toEqual(step('index', INSIDE))
  })

  it('only for better hits than the last, once there are enough', () => {
    expect(next({ hits: ofRanks(WHOLE, INSIDE) })).toEqual(step('index', WORDS))
    expect(next({ hits: ofRanks(WORDS, WORDS), settled: WHOLE })).toEqual(step('index', BEGINNING))
    expect(next({ hits: ofRanks(WORDS, WORDS), sample: sampled(common(WORDS)) })).toEqual(step('index', BEGINNING))
  })

  it('back from the newest for the best that the sample has', () => {
    expect(next({ sample: sampled([], { newest: [INSIDE, WORDS] }) })).toEqual(step('back', WORDS))
    expect(next({ sample: sampled(rare(BEGINNING), { newest: [INSIDE] }) })).toEqual(step('back', BEGINNING))
  })

  it('in the indexes for what the newest records have too little of, and then on for the next that the sample has', () => {
    const sample = sampled([], { newest: [INSIDE, WORDS] })
    expect(next({ sample, scanned: WORDS })).toEqual(step('index', WORDS))
    expect(next({ sample, scanned: WORDS, settled: WORDS })).toEqual(step('back', INSIDE))
    expect(next({ sample, scanned: INSIDE, settled: WORDS })).toEqual(step('index', INSIDE))
  })

  it('back from the newest for what no index has; after that, for the best that one has', () => {
    expect(next({}, twoLetters)).toEqual(step('back', INSIDE))
    expect(next({ scanned: INSIDE }, twoLetters)).toEqual(step('index', WORDS, INSIDE))
    expect(next({}, noLetters)).toEqual(step('back', INSIDE))
    expect(next({ scanned: INSIDE }, noLetters)).toEqual(step('index', BEGINNING, INSIDE))
  })
})

describe('Looking back from the newest', () => {
  const isBounded = (spread: Sample['spread']) => (next({ sample: sampled(spread) })?.count as number) === 200 * LIMIT

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
    expect(next({ sample: sampled([], { newest: [INSIDE, INSIDE] }) })?.count).toBe(200 * LIMIT)
  })
})

describe('What a step brings', () => {
  const taken = (where: Step['where'], count = 0): Step => ({ where, rank: WORDS, settles: WORDS, count })
  const settledBy = (step: Step, hits: Hit[]) => advance(known({ settled: WHOLE }), step, hits, office).settled
  const unbounded = next({ sample: sampled(common(WORDS)) }) as Step

  it('is the best first, of equals the newest, each once and no more than are wanted', () => {
    const first = advance(known({}), taken('all'), [hit(1, WORDS), hit(7, INSIDE), hit(2, WORDS)], office)
    expect(first.hits).toEqual([hit(2, WORDS), hit(1, WORDS)])
    expect(advance(first, taken('index'), [hit(2, WORDS)], office).hits).toEqual([hit(2, WORDS), hit(1, WORDS)])
    expect(advance(first, taken('index'), [hit(9, WHOLE)], office).hits).toEqual([hit(9, WHOLE), hit(2, WORDS)])
  })

  it('settles what the step says when it was among all records, or back to the oldest', () => {
    expect(settledBy(taken('all'), ofRanks(WORDS, WORDS))).toBe(WORDS)
    expect(settledBy(taken('index'), ofRanks(WORDS, WORDS))).toBe(WORDS)
    expect(settledBy(unbounded, ofRanks(WORDS))).toBe(WORDS)
  })

  it('settles nothing when there may be others', () => {
    expect(settledBy(unbounded, ofRanks(WORDS, WORDS))).toBe(WHOLE)
    expect(settledBy(taken('back', 400), [])).toBe(WHOLE)
  })

  it('keeps in mind for what it looked back', () => {
    expect(advance(known({}), taken('back'), [], office).scanned).toBe(WORDS)
    expect(advance(known({ scanned: INSIDE }), taken('index'), [], office).scanned).toBe(INSIDE)
  })
})
