import { describe, expect, it } from 'vitest'
import { isPreferred } from '../../src/lib/accept.ts'

describe('An Accept header', () => {
  it.each<[accept: string | undefined, isPreferred: boolean]>([
    ['text/csv', true],
    ['Text/CSV', true],
    ['text/csv; charset=utf-8', true],
    ['text/csv;q=0.5', true],
    ['text/csv, */*', true],
    ['text/*', true],
    ['text/csv, application/json', true],
    ['application/json;q=0.2, text/csv;Q=0.3', true],
    ['*/*;q=0.1, text/csv;q=0.2', true],
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/csv', false],
    ['text/csv;q=0', false],
    ['text/csv;q=0, */*', false],
    ['text/csv;q=0.5, application/json', false],
    ['text/csv;q=0.5, */*;q=0.8', false],
    ['text/csvx', false],
    ['application/json; profile="text/csv"', false],
    [`text/csv${' '.repeat(5_000)}`, false],
  ])('%j', (accept, expected) => {
    expect(isPreferred('text/csv', accept)).toBe(expected)
  })
})
