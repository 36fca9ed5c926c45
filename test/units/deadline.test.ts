import { describe, expect, it } from 'vitest'
import { untilAborted, withDeadline } from '../../src/lib/deadline.ts'

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
