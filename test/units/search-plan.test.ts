import { describe, expect, it } from 'vitest'
import {
  advance,
  begin,
  firstStep,
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
/** Of many records, unless it is told otherwise: some match, at these places from the oldest to the newest. */
const sampled = (spread: Sample['spread'] = [], others: Partial<Sample> = {}): Sample => ({
  size: 'many',
  names: 100,
  newest: [],
  spread,
  ...others,
})
const some = sampled([], { size: 'some' })
const known = (progress: Partial<Progress>): Progress => ({
  hits: [],
  sample: some,
  settled: 0,
  wider: OTHER_SPELLING + 1,
  ...progress,
})
const step = (where: Step['where'], rank: number, settles = rank) => expect.objectContaining({ where, rank, settles })

/** Two matches that stand so far back that fetching all that match is less work, and two that do not. */
const rare = (rank: number) => [match(1, rank), match(SAMPLE_SIZE - 14, rank)]
const common = (rank: number) => [match(1, rank), match(SAMPLE_SIZE - 13, rank)]
const times = (count: number, rank: number) => Array.from({ length: count }, () => rank)

describe('A search begins', () => {
  const first = (sample: Sample, wanted = office) => firstStep(begin(sample), wanted)

  it('with all records of a kind, where there are few', () => {
    expect(first(sampled([], { size: 'few' }))).toEqual(step('few', INSIDE))
    expect(first(sampled([], { size: 'few' }), withArticle)).toEqual(step('few', OTHER_SPELLING))
  })

  it('by the indexes, for what the sample does not have', () => {
    expect(first(sampled())).toEqual(step('all', INSIDE))
    expect(first(some)).toEqual(step('all', INSIDE))
    expect(first(sampled(), withArticle)).toEqual(step('all', OTHER_SPELLING))
  })

  it('with so many of the newest as are likely to have enough of the best rank that is common', () => {
    const count = (newest: number[]) => first(sampled([], { newest }))?.count
    expect(count(times(50, INSIDE))).toBe(1.5 * 2 * LIMIT)
    expect(count(times(10, INSIDE))).toBe(1.5 * 10 * LIMIT)
    expect(count([...times(50, INSIDE), ...times(10, WORDS)])).toBe(1.5 * 10 * LIMIT)
    expect(count([...times(47, INSIDE), ...times(3, WORDS)])).toBe(1.5 * 2 * LIMIT)
  })

  it('and there asks the indexes for what is better and not in the sample, as far as they can serve it', () => {
    const settled = (rank: number, wanted = office) => first(sampled([], { newest: times(50, rank) }), wanted)
    expect(settled(OTHER_SPELLING, withArticle)).toEqual(step('first', OTHER_SPELLING, INSIDE))
    expect(settled(INSIDE)).toEqual(step('first', INSIDE, WORDS))
    expect(settled(WORDS)).toEqual(step('first', INSIDE, BEGINNING))
    expect(settled(BEGINNING)).toEqual(step('first', INSIDE, WHOLE))
    expect(settled(WHOLE)).toEqual(step('first', INSIDE, 0))
    expect(settled(INSIDE, noLetters)).toEqual(step('first', INSIDE, BEGINNING))
  })

  it('like any other step, when the sample has too little of it', () => {
    expect(first(sampled([], { newest: [INSIDE] }))).toEqual(step('newest', INSIDE))
    expect(first({ ...some, newest: [INSIDE] })).toEqual(step('all', INSIDE))
    expect(first(sampled(common(INSIDE)))).toEqual(step('back', INSIDE))
  })
})

describe('A search is over', () => {
  it('when nothing can be better than the hits there are', () => {
    expect(nextStep(known({ hits: ofRanks(WHOLE, WHOLE) }), office)).toBeUndefined()
  })

  it('when all that could be better is settled', () => {
    expect(nextStep(known({ hits: ofRanks(WHOLE, INSIDE), settled: WORDS }), office)).toBeUndefined()
  })

  it('with too few hits, when there are no others', () => {
    expect(nextStep(known({ hits: ofRanks(WHOLE), settled: INSIDE }), office)).toBeUndefined()
    expect(nextStep(known({ settled: OTHER_SPELLING }), withArticle)).toBeUndefined()
  })
})

describe('The next look', () => {
  it('is by the indexes for any hit, while there are too few', () => {
    expect(nextStep(known({ hits: ofRanks(WHOLE) }), office)).toEqual(step('all', INSIDE))
  })

  it('is only for better hits than the last, once there are enough', () => {
    expect(nextStep(known({ hits: ofRanks(WHOLE, INSIDE) }), office)).toEqual(step('all', WORDS))
    expect(nextStep(known({ hits: ofRanks(WORDS, WORDS), settled: WHOLE }), office)).toEqual(step('all', BEGINNING))
  })

  it('takes other spellings along by the indexes, when nothing of them has been seen', () => {
    expect(nextStep(known({}), withArticle)).toEqual(step('all', OTHER_SPELLING))
  })

  it('takes them along should the written one have too few, when some of them have been seen', () => {
    const hits = ofRanks(OTHER_SPELLING)
    expect(nextStep(known({ hits }), withArticle)).toEqual(step('all', INSIDE, OTHER_SPELLING))
  })

  it('is for other spellings alone, when the written one is settled', () => {
    expect(nextStep(known({ settled: INSIDE }), withArticle)).toEqual(step('all', OTHER_SPELLING))
  })

  it('leaves other spellings for later where they are common and the written one is not', () => {
    const sample = sampled([...rare(INSIDE), ...common(OTHER_SPELLING)])
    expect(nextStep(known({ sample, wider: WHOLE }), withArticle)).toEqual(step('all', INSIDE))
  })
})

describe('Going back from the newest', () => {
  it('is for what is common in the sample', () => {
    expect(nextStep(known({ sample: sampled(common(INSIDE)) }), office)).toEqual(step('back', INSIDE))
    expect(nextStep(known({ hits: ofRanks(WHOLE, WORDS), sample: sampled(common(BEGINNING)) }), office)).toEqual(
      step('back', BEGINNING),
    )
  })

  it('counts better matches too', () => {
    expect(
      nextStep(known({ sample: sampled([match(1, WORDS), match(SAMPLE_SIZE - 13, INSIDE)]) }), office)?.where,
    ).toBe('back')
  })

  it('is not for what stands too far back', () => {
    expect(nextStep(known({ sample: sampled(rare(INSIDE)), wider: WHOLE }), office)?.where).toBe('all')
  })

  it('is not for what only one of the sample matches, be it the newest', () => {
    expect(nextStep(known({ sample: sampled([match(SAMPLE_SIZE, INSIDE)]), wider: WHOLE }), office)?.where).toBe('all')
  })

  it('is not for a better rank than the common one', () => {
    const hits = ofRanks(WHOLE, INSIDE)
    expect(nextStep(known({ hits, sample: sampled(common(INSIDE)), wider: WHOLE }), office)?.where).toBe('all')
  })
})

describe('More of the newest are looked through', () => {
  const wider = step('newest', INSIDE)

  it('when there were some among the first, and a sample says that there are many records', () => {
    expect(nextStep(known({ hits: ofRanks(INSIDE), sample: sampled() }), office)).toEqual(wider)
  })

  it('when the sample has some', () => {
    expect(nextStep(known({ sample: sampled(rare(INSIDE)) }), office)).toEqual(wider)
    expect(nextStep(known({ hits: ofRanks(WHOLE, INSIDE), sample: sampled(rare(WORDS)) }), office)).toEqual(
      step('newest', WORDS),
    )
  })

  it('for every spelling at once', () => {
    expect(nextStep(known({ hits: ofRanks(INSIDE), sample: sampled() }), withArticle)).toEqual(
      step('newest', OTHER_SPELLING),
    )
  })

  it('only once for a rank', () => {
    expect(nextStep(known({ hits: ofRanks(INSIDE), sample: sampled(), wider: INSIDE }), office)?.where).toBe('all')
    expect(
      nextStep(known({ hits: ofRanks(WHOLE, INSIDE), sample: sampled(rare(WORDS)), wider: INSIDE }), office),
    ).toEqual(step('newest', WORDS))
  })

  it('not when nothing of it has been seen', () => {
    expect(nextStep(known({ sample: sampled() }), office)?.where).toBe('all')
    expect(nextStep(known({ hits: ofRanks(INSIDE, INSIDE), sample: sampled([match(1, INSIDE)]) }), office)?.where).toBe(
      'all',
    )
  })

  it('for whole names and beginnings too: an index has them in another order, and would have to fetch all', () => {
    const hits = ofRanks(BEGINNING, WORDS)
    expect(nextStep(known({ hits: ofRanks(WORDS, WORDS), sample: sampled(rare(BEGINNING)) }), office)).toEqual(
      step('newest', BEGINNING),
    )
    expect(nextStep(known({ hits, sample: sampled([], { newest: [BEGINNING] }), wider: BEGINNING }), office)).toEqual(
      step('all', BEGINNING),
    )
  })

  it('for what no index has; after that, by the best that one has', () => {
    expect(nextStep(known({}), twoLetters)).toEqual(wider)
    expect(nextStep(known({ wider: WHOLE }), twoLetters)).toEqual(step('all', WORDS, INSIDE))
    expect(nextStep(known({}), noLetters)).toEqual(wider)
    expect(nextStep(known({ wider: WHOLE }), noLetters)).toEqual(step('all', BEGINNING, INSIDE))
  })
})

describe('What a step brings', () => {
  const taken = (where: Step['where'], rank = WORDS): Step => ({ where, rank, settles: rank, count: 0 })
  const settledBy = (step: Step, hits: Hit[]) => advance(known({ settled: WHOLE }), step, hits, office).settled

  it('is the best first, of equals the newest, each once and no more than are wanted', () => {
    const first = advance(known({}), taken('few'), [hit(1, WORDS), hit(7, INSIDE), hit(2, WORDS)], office)
    expect(first.hits).toEqual([hit(2, WORDS), hit(1, WORDS)])
    expect(advance(first, taken('all'), [hit(2, WORDS)], office).hits).toEqual([hit(2, WORDS), hit(1, WORDS)])
    expect(advance(first, taken('all'), [hit(9, WHOLE)], office).hits).toEqual([hit(9, WHOLE), hit(2, WORDS)])
  })

  it('settles what the step says when it was among all records, or back to the oldest', () => {
    expect(settledBy(taken('few'), ofRanks(WORDS, WORDS))).toBe(WORDS)
    expect(settledBy(taken('all'), ofRanks(WORDS, WORDS))).toBe(WORDS)
    expect(settledBy(taken('back'), ofRanks(WORDS))).toBe(WORDS)
  })

  it('settles what the indexes were asked for along with the newest', () => {
    expect(settledBy({ ...taken('first', INSIDE), settles: BEGINNING }, ofRanks(INSIDE, INSIDE))).toBe(BEGINNING)
  })

  it('settles nothing when there may be others', () => {
    expect(settledBy(taken('back'), ofRanks(WORDS, WORDS))).toBe(WHOLE)
    expect(settledBy(taken('newest'), [])).toBe(WHOLE)
  })

  it('is known to have been among more of the newest: for the rank of the step, and for all when it had too few', () => {
    expect(begin(some).wider).toBeGreaterThan(OTHER_SPELLING)
    expect(advance(known({ wider: INSIDE }), taken('all'), [], office).wider).toBe(INSIDE)
    expect(advance(known({}), taken('newest'), ofRanks(WORDS, WORDS), office).wider).toBe(WORDS)
    expect(advance(known({}), taken('newest'), ofRanks(WORDS), office).wider).toBe(WHOLE)
  })
})
