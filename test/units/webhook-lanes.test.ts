import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLanes } from '../../src/jobs/webhooks/lanes.ts'

const work = (company_id: number, id: number, due = 2, is_failing = false) => ({
  company_id,
  id,
  due,
  is_failing,
})
type Work = ReturnType<typeof work>

/** Lanes that end when they are told to. `begun` are the webhooks that got one since it was last asked. */
function newLanes() {
  const ends: (() => void)[] = []
  let served: number[] = []
  const lanes = createLanes(({ id }) => {
    served.push(id)
    return new Promise<void>(resolve => ends.push(resolve))
  })
  const begun = async () => {
    await sleep(0)
    return served.splice(0)
  }
  return {
    begin: async (found: Work[]) => {
      lanes.begin(found)
      return begun()
    },
    /** Ends those that are being served. Those that wait are next. */
    endAll: async () => {
      for (const end of ends.splice(0)) end()
      return begun()
    },
    stop: async () => {
      const stopped = lanes.end()
      for (const end of ends.splice(0)) end()
      await stopped
      served = []
    },
    begun,
  }
}

const several = (count: number, make: (n: number) => Work) => Array.from({ length: count }, (_, n) => make(n + 1))

describe('The lanes of a process', () => {
  it('are as many as a webhook has deliveries due, and two at most', async () => {
    const lanes = newLanes()
    expect(await lanes.begin([work(1, 1, 1), work(1, 2, 2)])).toEqual([1, 2, 2])
    expect(await lanes.begin([work(1, 1, 2), work(1, 2, 2)])).toEqual([1])
    await lanes.stop()
  })

  it('are at most eight for a company and four hundred in all', async () => {
    const lanes = newLanes()
    expect(await lanes.begin(several(10, id => work(1, id)))).toHaveLength(8)
    expect(await lanes.begin(several(300, n => work(1 + n, 100 + n)))).toHaveLength(392)
    await lanes.stop()
  })

  it('are never all held by webhooks that are failing, of a company or in all', async () => {
    const lanes = newLanes()
    expect(await lanes.begin(several(10, id => work(1, id, 2, true)))).toHaveLength(4)
    expect(await lanes.begin([work(1, 99)])).toEqual([99, 99])
    expect(await lanes.begin(several(300, n => work(1 + n, 100 + n, 2, true)))).toHaveLength(196)
    expect(await lanes.begin([work(500, 500)])).toEqual([500, 500])
    await lanes.stop()
  })

  it('go to those that wait before those that had a turn', async () => {
    const lanes = newLanes()
    const dead = several(6, id => work(1, id))
    expect(await lanes.begin(dead)).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
    expect(await lanes.begin(dead)).toEqual([])
    expect(await lanes.endAll()).toEqual([5, 5, 6, 6])
    expect(await lanes.begin(dead)).toEqual([1, 1, 2, 2])
    await lanes.stop()
  })

  it('are given to nobody once they are ended', async () => {
    const lanes = newLanes()
    await lanes.begin(several(6, id => work(1, id)))
    await lanes.stop()
    expect(await lanes.begun()).toEqual([])
    expect(await lanes.begin([work(2, 1)])).toEqual([])
  })
})
