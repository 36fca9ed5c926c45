import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { untilAborted, withDeadline } from '../../src/lib/deadline.ts'
import { Places } from '../../src/lib/places.ts'

const never = () => new Promise<never>(() => {})

describe('Work with a deadline', () => {
  it('gives its result, or its error', async () => {
    expect(await withDeadline(10_000, async () => 1)).toBe(1)
    await expect(withDeadline(10_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })

  it('is left behind when it does not end, and may end by itself before that', async () => {
    await expect(withDeadline(5, never)).rejects.toThrow('Not done within')
    const ending = withDeadline(5, ended => untilAborted(ended, never()).catch(() => 'ended'), { graceMs: 10_000 })
    expect(await ending).toBe('ended')
  })

  it('is told to end when somebody else wants that, before or after it has begun', async () => {
    const outer = new AbortController()
    const told = (ended: AbortSignal) => untilAborted(ended, never()).catch(() => 'told')
    const later = withDeadline(60_000, told, { outer: outer.signal, graceMs: 60_000 })
    outer.abort()
    expect(await later).toBe('told')
    expect(await withDeadline(60_000, told, { outer: outer.signal, graceMs: 60_000 })).toBe('told')
  })
})

it('There is work for so many places at a time, so many wait, and more is refused', async () => {
  const places = new Places(2, 2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const run = (n: number) =>
    places.run(() => {
      begun.push(n)
      return new Promise<void>(resolve => ends.push(resolve))
    })
  const all = [1, 2, 3, 4].map(run)
  await expect(run(5)).rejects.toThrow('Too much is waiting already')
  expect(begun).toEqual([1, 2])
  ends[1]?.()
  await sleep(0)
  expect(begun).toEqual([1, 2, 3])
  for (let n = 0; n < 4; n++) {
    for (const end of ends) end()
    await sleep(0)
  }
  await Promise.all(all)
  expect([begun, places.isIdle]).toEqual([[1, 2, 3, 4], true])
})
