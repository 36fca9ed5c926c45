import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { FairQueue, NoRoom, type QueueBounds } from '../../src/lib/fair-queue.ts'

const A = 1
const B = 2

const queueOf = (bounds: Partial<QueueBounds>) =>
  new FairQueue<number>('test', { total: 1, perKey: 1, waiting: 100, waitingPerKey: 100, waitMs: 5_000, ...bounds })

/** Work that ends when it is told to, and says when it began. */
function work(order: string[], name: string) {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const run = async () => {
    order.push(name)
    await ended
  }
  return { run, end: () => end() }
}

const turn = () => sleep(5)

describe('A fair queue', () => {
  it('runs no more at a time than it has room for, and of one key no more than its share', async () => {
    const queue = queueOf({ total: 4, perKey: 3, waiting: 200, waitingPerKey: 200 })
    const running = { [A]: 0, [B]: 0 }
    const most = { [A]: 0, [B]: 0, both: 0 }
    const use = (key: 1 | 2) =>
      queue.run(key, async () => {
        running[key]++
        most[key] = Math.max(most[key], running[key])
        most.both = Math.max(most.both, running[A] + running[B])
        await sleep(1)
        running[key]--
      })
    await Promise.all(Array.from({ length: 200 }, (_, n) => use(n % 4 === 0 ? B : A)))
    expect(most).toEqual({ [A]: 3, [B]: expect.any(Number), both: 4 })
    expect(running).toEqual({ [A]: 0, [B]: 0 })
  })

  it('lets the keys that wait in by turns, however much each of them has to do', async () => {
    const queue = queueOf({})
    const order: string[] = []
    const works = ['a1', 'a2', 'a3', 'b1', 'b2'].map(name => ({ name, ...work(order, name) }))
    const runs = works.map(({ name, run }) => queue.run(name.startsWith('a') ? A : B, run))
    for (let n = 0; n < works.length; n++) {
      await turn()
      works.find(({ name }) => name === order.at(-1))?.end()
    }
    await Promise.all(runs)
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('refuses who has waited too long, and lets nobody in on their behalf', async () => {
    const queue = queueOf({ waitMs: 20 })
    const order: string[] = []
    const first = work(order, 'first')
    const running = queue.run(A, first.run)
    const late = queue.run(B, async () => order.push('late'))
    await expect(late).rejects.toMatchObject({ name: 'NoRoom (test)', message: 'There was no room within 20 ms' })
    first.end()
    await running
    await queue.run(B, async () => order.push('next'))
    expect(order).toEqual(['first', 'next'])
  })

  it('keeps a bounded number waiting, and of one key fewer than of all', async () => {
    const queue = queueOf({ waitingPerKey: 2, waiting: 3 })
    const first = work([], 'first')
    const runs = [queue.run(A, first.run)]
    const wait = (key: number) => queue.run(key, async () => {})
    runs.push(wait(A), wait(A))
    await expect(wait(A)).rejects.toThrow('Too much is waiting already')
    runs.push(wait(B))
    await expect(wait(3)).rejects.toBeInstanceOf(NoRoom)
    first.end()
    await Promise.all(runs)
  })

  it('lets who leaves go at once, and does nothing for who has left before', async () => {
    const queue = queueOf({ waiting: 1 })
    const first = work([], 'first')
    const running = queue.run(A, first.run)
    const leaving = new AbortController()
    const left = queue.run(B, async () => 'done', leaving.signal)
    leaving.abort()
    await expect(left).rejects.toBeInstanceOf(NoRoom)
    const next = queue.run(B, async () => 'done')
    first.end()
    await running
    expect(await next).toBe('done')
    await expect(queue.run(B, async () => 'done', AbortSignal.abort())).rejects.toBeInstanceOf(NoRoom)
    expect(await queue.run(B, async () => 'done')).toBe('done')
  })

  it('lets a light one in when a heavy one before it has left', async () => {
    const queue = queueOf({ total: 10, perKey: 10 })
    const held = queue.tryEnter(A, 5)
    const leaving = new AbortController()
    const heavy = queue.enter(B, 6, leaving.signal)
    const light = queue.enter(B, 5)
    leaving.abort()
    await expect(heavy).rejects.toBeInstanceOf(NoRoom)
    const leave = await light
    expect(queue.tryEnter(A)).toBeUndefined()
    for (const each of [held, leave]) each?.()
    expect(queue.tryEnter(A, 10)).toBeDefined()
  })

  it('goes on after work that fails', async () => {
    const queue = queueOf({})
    const failing = () => queue.run(A, () => Promise.reject(new Error('lost')))
    for (let n = 0; n < 3; n++) await expect(failing()).rejects.toThrow('lost')
    expect(await queue.run(B, async () => 'done')).toBe('done')
  })

  it('refuses who waits and who comes later once it is closed, and lets the rest end', async () => {
    const queue = queueOf({})
    const first = work([], 'first')
    const running = queue.run(A, first.run)
    const waiting = queue.run(B, async () => {})
    queue.close()
    await expect(waiting).rejects.toBeInstanceOf(NoRoom)
    first.end()
    await running
    await expect(queue.run(A, async () => {})).rejects.toBeInstanceOf(NoRoom)
  })

  it('gives a key whose work is slow less room than one whose work is quick', async () => {
    const queue = queueOf({ total: 40, perKey: 20, quickMs: 10 })
    let running = 0
    let most = 0
    const call = async () => {
      most = Math.max(most, ++running)
      await sleep(50)
      running--
    }
    // What is known of a key is forgotten when it has nothing more to do.
    const keepOne = queue.run(A, () => sleep(1_000))
    await Promise.all(Array.from({ length: 20 }, () => queue.run(A, call)))
    most = 0
    await Promise.all(Array.from({ length: 20 }, () => queue.run(A, call)))
    expect(most).toBeLessThan(8)
    await keepOne
  })

  it('gives a key less room while others come, and all of its share again when they have stopped', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const queue = queueOf({ total: 8, perKey: 4, besideOthers: 2 })
    const enter = (key: number) => queue.tryEnter(key)
    const alone = [enter(A), enter(A), enter(A), enter(A)]
    expect(alone.map(Boolean)).toEqual([true, true, true, true])
    for (const leave of alone) leave?.()
    enter(B)?.()
    expect([enter(A), enter(A), enter(A)].map(Boolean)).toEqual([true, true, false])
    expect([enter(B), enter(B), enter(B)].map(Boolean)).toEqual([true, true, false])
    vi.advanceTimersByTime(1_500)
    expect([enter(A), enter(A), enter(A)].map(Boolean)).toEqual([true, true, false])
    vi.useRealTimers()
  })
})

describe('Whatever comes and leaves, a fair queue', () => {
  const bounds: QueueBounds = { total: 10, perKey: 6, waiting: 12, waitingPerKey: 5, waitMs: 60_000 }
  const step = fc.oneof(
    fc.record({ does: fc.constant('come' as const), key: fc.nat(3), weight: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ does: fc.constantFrom('leave' as const, 'give up' as const), which: fc.nat(30) }),
  )

  interface Guest {
    key: number
    weight: number
    state: 'waiting' | 'in' | 'gone'
    giveUp: AbortController
    leave?: () => void
  }

  /** Everyone who has come, as they stand after each step. */
  async function play(steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[], look: (all: Guest[]) => void) {
    const queue = new FairQueue<number>('test', bounds)
    const all: Guest[] = []
    const settled: Promise<void>[] = []
    for (const each of steps) {
      if (each.does === 'come') {
        const guest: Guest = { key: each.key, weight: each.weight, state: 'waiting', giveUp: new AbortController() }
        all.push(guest)
        const entered = queue.enter(guest.key, guest.weight, guest.giveUp.signal).then(
          leave => Object.assign(guest, { state: 'in', leave }),
          () => Object.assign(guest, { state: 'gone' }),
        )
        settled.push(entered.then(() => {}))
      } else {
        const wanted = each.does === 'leave' ? 'in' : 'waiting'
        const chosen = all.filter(({ state }) => state === wanted)
        const guest = chosen[each.which % Math.max(chosen.length, 1)]
        if (each.does === 'leave' && guest) {
          guest.leave?.()
          guest.state = 'gone'
        } else guest?.giveUp.abort()
      }
      await sleep(0)
      look(all)
    }
    for (const guest of all) if (guest.state === 'waiting') guest.giveUp.abort()
    await sleep(0)
    for (const guest of all) guest.leave?.()
    await Promise.all(settled)
    return queue
  }

  const weightOf = (guests: Guest[]) => guests.reduce((sum, { weight }) => sum + weight, 0)
  const heldBy = (all: Guest[], key?: number) =>
    weightOf(all.filter(guest => guest.state === 'in' && (key === undefined || guest.key === key)))

  it('keeps its bounds, leaves no room empty that somebody may have, and has all of it again in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const queue = await play(steps, all => {
          const waiting = all.filter(({ state }) => state === 'waiting')
          expect(heldBy(all)).toBeLessThanOrEqual(bounds.total)
          expect(waiting.length).toBeLessThanOrEqual(bounds.waiting)
          for (const key of new Set(all.map(guest => guest.key))) {
            const own = waiting.filter(guest => guest.key === key)
            expect(heldBy(all, key)).toBeLessThanOrEqual(bounds.perKey)
            expect(own.length).toBeLessThanOrEqual(bounds.waitingPerKey)
            const [first] = own
            if (!first) continue
            const fits = heldBy(all) + first.weight <= bounds.total && heldBy(all, key) + first.weight <= bounds.perKey
            expect(fits).toBe(false)
          }
        })
        expect(queue.tryEnter(A, bounds.perKey)).toBeDefined()
        expect(queue.tryEnter(B, bounds.total - bounds.perKey)).toBeDefined()
      }),
      { numRuns: 60 },
    )
  })

  it('lets a key wait for at most one turn of each other key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { minLength: 5, maxLength: 40 }), async keys => {
        const queue = queueOf({})
        const order: number[] = []
        const rest = new Map<number, number>()
        const first = work([], 'first')
        const running = queue.run(100, first.run)
        for (const key of keys) rest.set(key, (rest.get(key) ?? 0) + 1)
        const runs = keys.map(key => queue.run(key, async () => order.push(key)))
        first.end()
        await Promise.all([running, ...runs])
        // In each round, every key that still has something to do comes once.
        while (rest.size > 0) {
          const round = order.splice(0, rest.size)
          expect(new Set(round)).toEqual(new Set(rest.keys()))
          for (const key of round) {
            const left = (rest.get(key) as number) - 1
            if (left > 0) rest.set(key, left)
            else rest.delete(key)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})
