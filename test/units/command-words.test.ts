import { describe, expect, it } from 'vitest'
import { nearest } from '../../cli/src/frame/nearest.ts'

describe('The name that was probably meant', () => {
  const names = ['serve', 'schema', 'company', 'completion']

  it.each([
    ['sevre', 'serve'],
    ['servee', 'serve'],
    ['shema', 'schema'],
    ['compny', 'company'],
    ['fly', undefined],
    ['', undefined],
    ['s'.repeat(100_000), undefined],
  ])('for %.10s is %s', (word, expected) => {
    expect(nearest(word, names)).toBe(expected)
  })
})
