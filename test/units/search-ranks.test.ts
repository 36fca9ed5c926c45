import { describe, expect, it } from 'vitest'
import {
  asked,
  BEGINNING,
  BEGINNINGS,
  INFLECTED,
  MISSPELLED,
  type Query,
  rankerOf,
  readQuery,
  WHOLE,
  WORD,
} from '../../src/api/search/ranks.ts'
import { matchesIn, rarestFirst } from '../../src/api/search/samples.ts'
import type { HitType } from '../../src/api/search/sources.ts'

/** The ranks between the beginnings of words and other forms of them. */
const [OTHER_SPELLING, INSIDE] = [5, 6]

/** The widest query, which matches at every rank. */
function widest(query: Query): Query {
  const wider = query.wider()
  return wider ? widest(wider) : query
}

const rankIn = (query: string, name: string) => rankerOf(widest(readQuery(query)))(` ${name} `)

describe('How well a name matches', () => {
  it.each([
    ['plan', 'plan', WHOLE],
    ['plan', 'our plan', WORD],
    ['plan', 'plan b', WORD],
    ['plan', 'planning', BEGINNING],
    ['plan', 'our planet', BEGINNINGS],
    ['plan', 'airplane', INSIDE],
    ['plan', 'place', undefined],
    ['plan our', 'our plan', WORD],
    ['plan our', 'our planet', BEGINNINGS],
    ['plan our', 'our place', undefined],
    ['والمكتب', 'اثاث المكتب', OTHER_SPELLING],
    ['مكتب', 'اثاث المكتب', OTHER_SPELLING],
    ['عبدالله', 'عبد الله', OTHER_SPELLING],
    ['0501234567', '050 123 4567', OTHER_SPELLING],
    ['po4512', 'po 4512', OTHER_SPELLING],
    ['والمكتب في', 'في اثاث', undefined],
    ['المهندسون', 'مهندس', INFLECTED],
    ['عقد', 'العقود', INFLECTED],
    ['مراجهه', 'مراجعه', MISSPELLED],
    ['meetng', 'meeting', MISSPELLED],
    ['meetng', 'seating', undefined],
    ['12345', '12346', undefined],
  ])('%s in %s', (query, name, rank) => {
    expect(rankIn(query, name)).toBe(rank)
  })
})

/** A sample of a large company in which so many names have these words. */
function sampleWith(times: Record<string, number>) {
  const names = Object.entries(times).flatMap(([name, count]) => Array<string>(count).fill(` ${name} `))
  return { is_small: false, newest: [], spread: names, all: names.join() }
}
const crowdedFor = (query: string, times: Record<string, number>) =>
  matchesIn(sampleWith(times), widest(readQuery(query))).crowded

describe('An index is asked', () => {
  it('for the letters of a word with other forms together with those of one that has none', () => {
    const { all, either } = asked(INFLECTED, widest(readQuery('desk المكتبات')))
    expect(all).toEqual(['%desk%'])
    expect(either.length).toBeGreaterThan(1)
  })

  it('for the rarest of several words', () => {
    const samples = new Map<HitType, ReturnType<typeof sampleWith>>([
      ['task', sampleWith({ 'desk office': 40, desk: 40, عقود: 40 })],
    ])
    const rarest = (query: string) => asked(INFLECTED, rarestFirst(widest(readQuery(query)), samples))
    expect(rarest('desk office المكتبات').all).toEqual(['%office%'])
    expect(rarest('العقود المكتبات').either).toEqual(asked(INFLECTED, widest(readQuery('المكتبات'))).either)
    expect(rarest('المكتبات العقود').either).toEqual(rarest('العقود المكتبات').either)
  })

  it('for nothing that would bring far more names than match', () => {
    expect(crowdedFor('desk zq', { desk: 50 })).toEqual([INSIDE])
    expect(crowdedFor('desk zqx', { desk: 50 })).toEqual([])
    expect(crowdedFor('desk', { desk: 50 })).toEqual([])
    expect(crowdedFor('desk of', { 'desk office': 50 })).toEqual([])
    expect(crowdedFor('desk المكتبات', { desk: 50 })).toEqual([])
    expect(crowdedFor('desk المكتبات', { 'desk ظمكتبظ': 50 })).toContain(INFLECTED)
  })
})
