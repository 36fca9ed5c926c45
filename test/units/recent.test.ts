import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Kept } from '../../src/lib/kept.ts'
import { Recent } from '../../src/lib/recent.ts'

it('Recent values are the latest that were set or got, and never more than their number', () => {
  const recent = new Recent<number, string>(3, 60_000)
  for (let key = 1; key <= 3; key++) recent.set(key, `value ${key}`)
  expect([recent.get(1), recent.peek(2)]).toEqual(['value 1', 'value 2'])
  recent.set(4, 'value 4')
  expect([1, 2, 3, 4].map(key => recent.peek(key))).toEqual(['value 1', undefined, 'value 3', 'value 4'])
  for (let key = 0; key < 10_000; key++) recent.set(key, 'another')
  expect(recent.size).toBe(3)
})

it('A recent value is forgotten when it has not been used for a while, though nobody asks again', async () => {
  const recent = new Recent<string, number>(10, 40)
  const kept = new Kept<string, number>(10, 40)
  recent.set('a', 1)
  await kept.get('a', async () => 1)
  expect([recent.size, kept.size]).toEqual([1, 1])
  await sleep(200)
  expect([recent.size, kept.size, recent.get('a')]).toEqual([0, 0, undefined])
})

it('A value that is used stays, and one that is only looked at does not', async () => {
  const recent = new Recent<string, number>(10, 300)
  recent.set('used', 1)
  recent.set('seen', 1)
  for (let n = 0; n < 10; n++) {
    recent.get('used')
    recent.peek('seen')
    await sleep(50)
  }
  expect([recent.peek('used'), recent.peek('seen')]).toEqual([1, undefined])
})
