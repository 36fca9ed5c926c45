import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Kept } from '../../src/lib/kept.ts'

const counting = () => {
  let made = 0
  return async () => ++made
}

it('What is kept is made once for each key, also for those who ask while it is being made', async () => {
  const kept = new Kept<string, number>(10, 1_000)
  const make = counting()
  expect(await Promise.all([kept.get('a', make), kept.get('a', make)])).toEqual([1, 1])
  expect([await kept.get('a', make), await kept.get('b', make)]).toEqual([1, 2])
})

it('It is made anew when its time is over, when others have taken its place, and when it could not be made', async () => {
  const make = counting()
  const brief = new Kept<string, number>(10, 5)
  await brief.get('a', make)
  await sleep(20)
  expect(await brief.get('a', make)).toBe(2)

  const small = new Kept<string, number>(2, 1_000)
  for (const key of ['a', 'b', 'c']) await small.get(key, make)
  expect(await small.get('c', make)).toBe(5)
  expect(await small.get('a', make)).toBe(6)

  await expect(small.get('d', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await small.get('d', make)).toBe(7)
})
