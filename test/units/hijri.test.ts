import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromHijri, toHijri } from '../../src/lib/hijri.ts'

// Days that are known from the calendar as it is published.
it.each([
  ['1318-01-01', '1900-04-30'],
  ['1445-09-01', '2024-03-11'],
  ['1446-10-01', '2025-03-30'],
  ['1448-06-05', '2026-11-15'],
  ['1600-12-30', '2174-11-25'],
])('%s is %s', (hijri, gregorian) => {
  expect(fromHijri(hijri)).toBe(gregorian)
  expect(toHijri(gregorian)).toBe(hijri)
})

it.each([
  '1448-13-01',
  '1448-00-10',
  '1448-06-31',
  '1448-06-00',
  '1317-12-29',
  '1601-01-01',
  '2026-11-15',
  '1448-6-5',
  '',
])('there is no %s', text => {
  expect(fromHijri(text)).toBe(undefined)
})

it('every day from 1318 to 1600 comes back as itself, and the next one follows it', () => {
  const first = Date.parse('1900-04-30T00:00:00Z')
  const days = Math.round((Date.parse('2174-11-25T00:00:00Z') - first) / 86_400_000)
  const dayAt = (n: number) => new Date(first + n * 86_400_000).toISOString().slice(0, 10)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: days }), n => {
      const hijri = toHijri(dayAt(n)) as string
      expect([fromHijri(hijri), hijri < (toHijri(dayAt(n + 1)) ?? '9')]).toEqual([dayAt(n), true])
    }),
    { numRuns: 2_000 },
  )
})

it('has no day before 1318 or after 1600', () => {
  expect([toHijri('1900-04-29'), toHijri('1900-01-01'), toHijri('2174-11-26'), toHijri('9999-12-31')]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
