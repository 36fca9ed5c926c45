import { expect, it } from 'vitest'
import { FairBuffer } from '../../src/lib/fair-buffer.ts'

const bufferFor = <Entry extends object>(most: number) => new FairBuffer<string, Entry>(most, weigh)
/** One for each entry, and one for each character of its text. */
const weigh = (entry: { text?: string }) => 1 + (entry.text?.length ?? 0)

it('A buffer hands over what was collected, once, by owner and from the oldest to the newest', () => {
  const buffer = bufferFor<{ n: number }>(10)
  buffer.add('a', { n: 1 })
  buffer.add('b', { n: 2 })
  buffer.add('a', { n: 3 })
  expect(buffer.take()).toEqual([{ n: 1 }, { n: 3 }, { n: 2 }])
  expect([buffer.take(), buffer.dropped]).toEqual([[], 0])
})

it('A full buffer loses the oldest of the owner who has the most, and counts them', () => {
  const buffer = bufferFor<{ owner: string; n: number }>(100)
  for (let n = 0; n < 10; n++) buffer.add('quiet', { owner: 'quiet', n })
  for (let n = 0; n < 10_000; n++) buffer.add('loud', { owner: 'loud', n })
  for (let n = 10; n < 20; n++) buffer.add('quiet', { owner: 'quiet', n })
  const taken = buffer.take()
  const of = (name: string) => taken.filter(({ owner }) => owner === name).map(({ n }) => n)
  expect(of('quiet')).toEqual(Array.from({ length: 20 }, (_, n) => n))
  expect(of('loud').length).toBeGreaterThan(30)
  expect(of('loud').at(-1)).toBe(9_999)
  expect(taken.length + buffer.dropped).toBe(10_020)
})

it('A buffer is full of a few long texts as well', () => {
  const buffer = bufferFor<{ text: string }>(10_000)
  for (let n = 0; n < 100; n++) {
    buffer.add('a', { text: 'x'.repeat(3_000) })
    buffer.add('b', { text: 'y' })
  }
  const taken = buffer.take()
  expect(taken.map(weigh).reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(10_000)
  expect(taken.length + buffer.dropped).toBe(200)
})

it('A text that is too long for a buffer does not stay in it', () => {
  const buffer = bufferFor<{ text: string }>(1_000)
  buffer.add('a', { text: 'x'.repeat(2_000) })
  expect([buffer.take(), buffer.dropped]).toEqual([[], 1])
})
