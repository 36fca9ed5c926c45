import { describe, expect, it } from 'vitest'
import {
  advance,
  begin,
  type FirstLook,
  type Hit,
  nextStep,
  type Progress,
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

const hit = (id: number, rank: number): Hit => ({ id, rank, shown: { id } })
const ofRanks = (...ranks: number[]) => ranks.map((rank, n) => hit(100 - n, rank))
const match = (step: number, rank: number) => ({ step, rank })
const known = (progress: Partial<Progress>): Progress => ({
  hits: [],
  sample: null,
  settled: 0,
  wider: OTHER_SPELLING + 1,
  ...progress,
})

/** Two matches that stand so far back that fetching all that match is less work, and two that do not. */
const rare = (rank: number) => [match(1, rank), match(2, rank)]
const common = (rank: number) => [match(1, rank), match(3, rank)]

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
    expect(nextStep(known({ hits: ofRanks(WHOLE) }), office)).toEqual({ where: 'all', rank: INSIDE, settles: INSIDE })
  })

  it('is only for better hits than the last, once there are enough', () => {
    expect(nextStep(known({ hits: ofRanks(WHOLE, INSIDE) }), office)).toEqual({
      where: 'all',
      rank: WORDS,
      settles: WORDS,
    })
    expect(nextStep(known({ hits: ofRanks(WORDS, WORDS), settled: WHOLE }), office)).toEqual({
      where: 'all',
      rank: BEGINNING,
      settles: BEGINNING,
    })
  })

  it('takes other spellings along by the indexes, when nothing of them has been seen', () => {
    expect(nextStep(known({}), withArticle)).toEqual({ where: 'all', rank: OTHER_SPELLING, settles: OTHER_SPELLING })
  })

  it('takes them along should the written one have too few, when some of them have been seen', () => {
    const hits = ofRanks(OTHER_SPELLING)
    expect(nextStep(known({ hits }), withArticle)).toEqual({ where: 'all', rank: INSIDE, settles: OTHER_SPELLING })
  })

  it('is for other spellings alone, when the written one is settled', () => {
    expect(nextStep(known({ settled: INSIDE }), withArticle)).toEqual({
      where: 'all',
      rank: OTHER_SPELLING,
      settles: OTHER_SPELLING,
    })
  })

  it('leaves other spellings for later where they are common and the written one is not', () => {
    const sample = [...rare(INSIDE), ...common(OTHER_SPELLING)]
    expect(nextStep(known({ sample, wider: WHOLE }), withArticle)).toEqual({
      where: 'all',
      rank: INSIDE,
      settles: INSIDE,
    })
  })
})

describe('Going back from the newest', () => {
  it('is for what is common in the sample', () => {
    expect(nextStep(known({ sample: common(INSIDE) }), office)).toEqual({
      where: 'back',
      rank: INSIDE,
      settles: INSIDE,
    })
    expect(nextStep(known({ hits: ofRanks(WHOLE, WORDS), sample: common(BEGINNING) }), office)).toEqual({
      where: 'back',
      rank: BEGINNING,
      settles: BEGINNING,
    })
  })

  it('counts better matches too', () => {
    expect(nextStep(known({ sample: [match(1, WORDS), match(3, INSIDE)] }), office)?.where).toBe('back')
  })

  it('is not for what stands too far back', () => {
    expect(nextStep(known({ sample: rare(INSIDE), wider: WHOLE }), office)?.where).toBe('all')
  })

  it('is not for what only one of the sample matches, be it the newest', () => {
    expect(nextStep(known({ sample: [match(16, INSIDE)], wider: WHOLE }), office)?.where).toBe('all')
  })

  it('is not for a better rank than the common one', () => {
    const hits = ofRanks(WHOLE, INSIDE)
    expect(nextStep(known({ hits, sample: common(INSIDE), wider: WHOLE }), office)?.where).toBe('all')
  })
})

describe('More of the newest are looked through', () => {
  const wider: Step = { where: 'newest', rank: INSIDE, settles: INSIDE }

  it('when there were some among the first, and a sample says that there are many records', () => {
    expect(nextStep(known({ hits: ofRanks(INSIDE), sample: [] }), office)).toEqual(wider)
  })

  it('when the sample has some', () => {
    expect(nextStep(known({ sample: rare(INSIDE) }), office)).toEqual(wider)
    expect(nextStep(known({ hits: ofRanks(WHOLE, INSIDE), sample: rare(WORDS) }), office)).toEqual({
      where: 'newest',
      rank: WORDS,
      settles: WORDS,
    })
  })

  it('for every spelling at once', () => {
    expect(nextStep(known({ hits: ofRanks(INSIDE), sample: [] }), withArticle)).toEqual({
      where: 'newest',
      rank: OTHER_SPELLING,
      settles: OTHER_SPELLING,
    })
  })

  it('only once for a rank', () => {
    expect(nextStep(known({ hits: ofRanks(INSIDE), sample: [], wider: INSIDE }), office)?.where).toBe('all')
    expect(nextStep(known({ hits: ofRanks(WHOLE, INSIDE), sample: rare(WORDS), wider: INSIDE }), office)).toEqual({
      where: 'newest',
      rank: WORDS,
      settles: WORDS,
    })
  })

  it('for better hits than the last too, when the query has too few letters for much of it to be rare', () => {
    const hits = ofRanks(INSIDE, INSIDE)
    expect(nextStep(known({ hits, sample: [] }), twoLetters)).toEqual({ where: 'newest', rank: WORDS, settles: WORDS })
    expect(nextStep(known({ hits, sample: null }), twoLetters)?.where).toBe('all')
  })

  it('not when nothing of it has been seen', () => {
    expect(nextStep(known({ sample: [] }), office)?.where).toBe('all')
    expect(nextStep(known({ hits: ofRanks(INSIDE, INSIDE), sample: [match(1, INSIDE)] }), office)?.where).toBe('all')
  })

  it('not for whole names and beginnings, which an index has in order', () => {
    expect(nextStep(known({ hits: ofRanks(BEGINNING, WORDS), sample: rare(BEGINNING) }), office)).toEqual({
      where: 'all',
      rank: BEGINNING,
      settles: BEGINNING,
    })
  })

  it('for what no index has; after that, by the best that one has', () => {
    expect(nextStep(known({}), twoLetters)).toEqual(wider)
    expect(nextStep(known({ wider: WHOLE }), twoLetters)).toEqual({ where: 'all', rank: WORDS, settles: INSIDE })
    expect(nextStep(known({}), noLetters)).toEqual(wider)
    expect(nextStep(known({ wider: WHOLE }), noLetters)).toEqual({ where: 'all', rank: BEGINNING, settles: INSIDE })
  })
})

describe('What a look brings', () => {
  const look = (hits: Hit[], complete = false, sample: FirstLook['sample'] = null) => ({ hits, complete, sample })
  const step = (where: Step['where'], rank = WORDS): Step => ({ where, rank, settles: rank })

  it('is the best first, of equals the newest, each once and no more than are wanted', () => {
    const first = begin(look([hit(1, WORDS), hit(7, INSIDE), hit(2, WORDS)]), office)
    expect(first.hits).toEqual([hit(2, WORDS), hit(1, WORDS)])
    expect(advance(first, step('all'), [hit(2, WORDS)], office).hits).toEqual([hit(2, WORDS), hit(1, WORDS)])
    expect(advance(first, step('all'), [hit(9, WHOLE)], office).hits).toEqual([hit(9, WHOLE), hit(2, WORDS)])
  })

  it('settles every rank when the first look saw all records, and none when it did not', () => {
    expect(begin(look([], true), office).settled).toBe(INSIDE)
    expect(begin(look([], true), withArticle).settled).toBe(OTHER_SPELLING)
    expect(begin(look([]), office).settled).toBe(0)
  })

  it('settles what the step says when it was among all records, or back to the oldest', () => {
    expect(advance(known({ settled: WHOLE }), step('all'), ofRanks(WORDS, WORDS), office).settled).toBe(WORDS)
    expect(advance(known({ settled: WHOLE }), step('back'), ofRanks(WORDS), office).settled).toBe(WORDS)
  })

  it('settles nothing when there may be others', () => {
    expect(advance(known({ settled: WHOLE }), step('back'), ofRanks(WORDS, WORDS), office).settled).toBe(WHOLE)
    expect(advance(known({ settled: WHOLE }), step('newest'), [], office).settled).toBe(WHOLE)
  })

  it('is known to have been among more of the newest: for the rank of the step, and for all when it had too few', () => {
    expect(begin(look([]), office).wider).toBeGreaterThan(OTHER_SPELLING)
    expect(advance(known({ wider: INSIDE }), step('all'), [], office).wider).toBe(INSIDE)
    expect(advance(known({}), step('newest'), ofRanks(WORDS, WORDS), office).wider).toBe(WORDS)
    expect(advance(known({}), step('newest'), ofRanks(WORDS), office).wider).toBe(WHOLE)
  })

  it('has the sample of the first look to the end', () => {
    const first = begin(look([], false, rare(INSIDE)), office)
    expect(advance(first, step('newest', INSIDE), [], office).sample).toEqual(rare(INSIDE))
  })
})
