import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryBurst } from '../../src/adapters/burst-memory.ts'

afterEach(() => {
  vi.useRealTimers()
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

describe('The throttle in memory', () => {
  it('is a sliding log, exactly: as a list of all admitted times would decide', () => {
    const step = fc.record({
      names: fc.constantFrom<string[][]>(['ip:a'], ['ip:b'], ['key:1'], ['ip:a', 'key:1'], ['key:1', 'ip:b']),
      count: fc.integer({ min: 1, max: 6 }),
      isTakenBack: fc.boolean(),
      afterMs: fc.integer({ min: 0, max: 30_000 }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 100 }), (perMinute, steps) => {
        vi.useFakeTimers({ toFake: ['performance'] })
        const throttle = createMemoryBurst(perMinute)
        const admitted: Record<string, number[]> = {}
        for (const { names, count, isTakenBack, afterMs } of steps) {
          vi.advanceTimersByTime(afterMs)
          const now = performance.now()
          const recent = (name: string) => (admitted[name] ?? []).filter(time => time > now - 60_000)
          const waitFor = (name: string) => {
            const lacking = recent(name).length + count - perMinute
            if (lacking <= 0) return 0
            return Math.ceil(((recent(name)[lacking - 1] ?? now) + 60_000 - now) / 1000)
          }
          const wait = Math.max(...names.map(waitFor))
          const isAlone = names.length === 1 && count === 1
          const admission = isAlone ? undefined : throttle.admitMany(names, count)
          expect(admission ? (admission.refused?.wait ?? 0) : throttle.admit(names[0] as string)).toBe(wait)
          if (admission?.refused) expect(waitFor(admission.refused.name)).toBe(wait)
          if (wait > 0) continue
          if (admission && isTakenBack) admission.takeBack()
          else for (const name of names) admitted[name] = [...recent(name), ...Array(count).fill(now)]
        }
      }),
    )
  })

  it('takes back what it admitted last', () => {
    const throttle = createMemoryBurst(2)
    expect(throttle.admit('ip:a')).toBe(0)
    throttle.admitMany(['ip:a'], 1).takeBack()
    expect([throttle.admit('ip:a'), throttle.admit('ip:a')]).toEqual([0, 60])
  })

  it.each([1, 300, 1_000_000])('stays small with %i a minute, however many addresses or calls come', perMinute => {
    const throttle = createMemoryBurst(perMinute)
    const used = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    }
    const before = used()
    for (let n = 0; n < 70_000; n++) throttle.admit(`ip:2001:db8:${n}::/64`)
    // One that admits a million of one address keeps a time for each.
    for (let n = 0; n < perMinute; n++) throttle.admit(`ip:192.0.2.${n % 8}`)
    expect((used() - before) / 1e6).toBeLessThan(60)
    // Until here it is needed, and not garbage itself.
    throttle.admit('ip:2001:db8:0::/64')
  })

  it('forgets an address rather than a key when addresses flood it, and the longest silent of them', () => {
    const throttle = createMemoryBurst(1)
    throttle.admit('key:1')
    throttle.admit('ip:early')
    throttle.admit('ip:busy')
    for (let n = 0; n < 60_000; n++) {
      throttle.admit(`ip:${n}`)
      if (n % 1_000 === 0) expect(throttle.admit('ip:busy')).toBeGreaterThan(0)
    }
    expect([throttle.admit('key:1') > 0, throttle.admit('ip:early')]).toEqual([true, 0])
  })
})
