import { describe, expect, it } from 'vitest'
import { createBulkhead, NoRoom } from '../../src/db/bulkhead.ts'

const A = 1
const B = 2

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

const turn = () => new Promise(resolve => setTimeout(resolve, 5))

describe('A bulkhead', () => {
  it('runs no more at a time than it has places for, and of one company no more than its share', async () => {
    const bulkhead = createBulkhead({ slots: 4, perCompany: 3 })
    const running = { [A]: 0, [B]: 0 }
    const most = { [A]: 0, [B]: 0, both: 0 }
    const use = (company: 1 | 2) =>
      bulkhead.run(company, async () => {
        running[company]++
        most[company] = Math.max(most[company], running[company])
        most.both = Math.max(most.both, running[A] + running[B])
        await new Promise(resolve => setTimeout(resolve, 1))
        running[company]--
      })
    await Promise.all(Array.from({ length: 200 }, (_, n) => use(n % 4 === 0 ? B : A)))
    expect(most).toEqual({ [A]: 3, [B]: expect.any(Number), both: 4 })
    expect(running).toEqual({ [A]: 0, [B]: 0 })
  })

  it('lets the companies that wait in by turns, however many calls each of them has', async () => {
    const bulkhead = createBulkhead({ slots: 1, perCompany: 1 })
    const order: string[] = []
    const works = ['a1', 'a2', 'a3', 'b1', 'b2'].map(name => ({ name, ...work(order, name) }))
    const runs = works.map(({ name, run }) => bulkhead.run(name.startsWith('a') ? A : B, run))
    for (let n = 0; n < works.length; n++) {
      await turn()
      works.find(({ name }) => name === order.at(-1))?.end()
    }
    await Promise.all(runs)
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('sends away who has waited too long, and lets nobody in on their behalf', async () => {
    const bulkhead = createBulkhead({ slots: 1, perCompany: 1, waitAtMostMs: 20 })
    const order: string[] = []
    const first = work(order, 'first')
    const running = bulkhead.run(A, first.run)
    await expect(bulkhead.run(B, async () => order.push('late'))).rejects.toBeInstanceOf(NoRoom)
    first.end()
    await running
    await bulkhead.run(B, async () => order.push('next'))
    expect(order).toEqual(['first', 'next'])
  })

  it('keeps a bounded number waiting, and of one company fewer than of all', async () => {
    const bulkhead = createBulkhead({ slots: 1, perCompany: 1, mostWaitingPerCompany: 2, mostWaiting: 3 })
    const order: string[] = []
    const first = work(order, 'first')
    const runs = [bulkhead.run(A, first.run)]
    const wait = (company: number) => bulkhead.run(company, async () => {})
    runs.push(wait(A), wait(A))
    await expect(wait(A)).rejects.toBeInstanceOf(NoRoom)
    runs.push(wait(B))
    await expect(wait(3)).rejects.toBeInstanceOf(NoRoom)
    first.end()
    await Promise.all(runs)
  })

  it('goes on after work that fails', async () => {
    const bulkhead = createBulkhead({ slots: 1, perCompany: 1 })
    const failing = () => bulkhead.run(A, () => Promise.reject(new Error('lost')))
    for (let n = 0; n < 3; n++) await expect(failing()).rejects.toThrow('lost')
    expect(await bulkhead.run(B, async () => 'done')).toBe('done')
  })

  it('gives a company whose work is slow fewer places than one whose work is quick', async () => {
    const bulkhead = createBulkhead({ slots: 40, perCompany: 20 })
    const slow = () => new Promise(resolve => setTimeout(resolve, 500))
    let running = 0
    let most = 0
    const call = async () => {
      most = Math.max(most, ++running)
      await slow()
      running--
    }
    const keepOne = bulkhead.run(A, () => new Promise(resolve => setTimeout(resolve, 8_000)))
    await Promise.all(Array.from({ length: 20 }, () => bulkhead.run(A, call)))
    most = 0
    await Promise.all(Array.from({ length: 20 }, () => bulkhead.run(A, call)))
    expect(most).toBeLessThan(8)
    await keepOne
  })
})
