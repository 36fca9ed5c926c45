import { describe, expect, it } from 'vitest'
import { createLanes } from '../../src/jobs/webhooks/lanes.ts'

const work = (company_id: number, id: number, due = 2, is_failing = false) => ({
  company_id,
  id,
  due,
  is_failing,
})
type Work = ReturnType<typeof work>

/** Begins what there is room for, and gives the webhooks that got a lane; lanes end when they are told to. */
function begin(lanes: ReturnType<typeof createLanes>, found: Work[]) {
  const ends: (() => void)[] = []
  const begun: number[] = []
  for (const webhook of lanes.inTurn(found)) {
    begun.push(webhook.id)
    lanes.begin(webhook, () => new Promise<void>(resolve => ends.push(resolve)))
  }
  const end = async () => {
    for (const each of ends) each()
    await lanes.end()
  }
  return { begun, end }
}

const several = (count: number, make: (n: number) => Work) => Array.from({ length: count }, (_, n) => make(n + 1))

describe('The lanes of a process', () => {
  it('are as many as a webhook has deliveries due, and two at most', () => {
    const lanes = createLanes()
    expect(begin(lanes, [work(1, 1, 1), work(1, 2, 2)]).begun).toEqual([1, 2, 2])
    expect(begin(lanes, [work(1, 1, 2), work(1, 2, 2)]).begun).toEqual([1])
  })

  it('are at most eight for a company and forty in all', () => {
    const lanes = createLanes()
    expect(
      begin(
        lanes,
        several(10, id => work(1, id)),
      ).begun,
    ).toHaveLength(8)
    expect(
      begin(
        lanes,
        several(50, n => work(1 + n, 100 + n)),
      ).begun,
    ).toHaveLength(32)
  })

  it('are never all held by webhooks that are failing, of a company or in all', () => {
    const lanes = createLanes()
    expect(
      begin(
        lanes,
        several(10, id => work(1, id, 2, true)),
      ).begun,
    ).toHaveLength(4)
    expect(begin(lanes, [work(1, 99)]).begun).toEqual([99, 99])
    expect(
      begin(
        lanes,
        several(50, n => work(1 + n, 100 + n, 2, true)),
      ).begun,
    ).toHaveLength(16)
    expect(begin(lanes, [work(500, 500)]).begun).toEqual([500, 500])
  })

  it('go first to those whose turn is longest past', async () => {
    const lanes = createLanes()
    const dead = several(6, id => work(1, id))
    const first = begin(lanes, dead)
    expect(new Set(first.begun)).toEqual(new Set([1, 2, 3, 4]))
    await first.end()
    expect(begin(lanes, dead).begun.slice(0, 4)).toEqual([5, 5, 6, 6])
  })
})
