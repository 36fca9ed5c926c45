import { describe, expect, it } from 'vitest'
import { BEGINNING, INSIDE, OTHER_SPELLING, rankerOf, readQuery, WHOLE, WORDS } from '../../src/api/search/ranks.ts'

const rankIn = (query: string, name: string) => rankerOf(readQuery(query))(` ${name}`)

describe('How well a name matches', () => {
  it.each([
    ['plan', 'plan', WHOLE],
    ['plan', 'planning', BEGINNING],
    ['plan', 'our planet', WORDS],
    ['plan', 'airplane', INSIDE],
    ['plan', 'place', undefined],
    ['plan our', 'our plan', WORDS],
    ['plan our', 'our place', undefined],
    ['والمكتب', 'اثاث المكتب', OTHER_SPELLING],
    ['عبدالله', 'عبد الله', OTHER_SPELLING],
    ['والمكتب في', 'اثاث المكتب', undefined],
  ])('%s in %s', (query, name, rank) => {
    expect(rankIn(query, name)).toBe(rank)
  })
})
