import { expect, it } from 'vitest'
import { quantile } from '../../src/lib/quantile.ts'

const BOUNDS = [1, 2, 5]

it('A quantile of nothing is null', () => {
  expect(quantile(BOUNDS, [0, 0, 0, 0], 0.5)).toBeNull()
})

it.each([
  [0.5, [10, 0, 0, 0], 0.5],
  [0.5, [5, 5, 0, 0], 1],
  [0.75, [5, 5, 0, 0], 1.5],
  [0.99, [0, 0, 100, 0], 4.97],
  [0.5, [0, 10, 0, 0], 1.5],
])('The quantile %f of the counts %j is %f', (share, counts, expected) => {
  expect(quantile(BOUNDS, counts, share)).toBeCloseTo(expected, 6)
})

it('A quantile that lies beyond the last bound is that bound', () => {
  expect(quantile(BOUNDS, [1, 0, 0, 99], 0.5)).toBe(5)
})
