import { describe, expect, it } from 'vitest'
import {
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
