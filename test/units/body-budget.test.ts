import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBodyBudget } from '../../src/http/requests/body-budget.ts'
import { NoRoom } from '../../src/lib/fair-queue.ts'

const A = 1
const B = 2
const limits = { total: 100, perKey: 60, waiting: 100, waitingPerKey: 100, waitMs: 30 }
const turn = () => new Promise(resolve => setTimeout(resolve, 1))

describe('The budget of request bodies', () => {
  it('leaves one company room, however much another sends', () => {
    const budget = createBodyBudget(limits)
    expect(budget.open(A).take(60)).toBeUndefined()
    expect(budget.open(B).take(40)).toBeUndefined()
  })

  it('lets the body that has waited longest go on, so that no two wait for each other', async () => {
    const budget = createBodyBudget(limits)
    const [first, second, third] = [budget.open(A), budget.open(A), budget.open(A)]
    for (const account of [first, second, third]) expect(account?.take(20)).toBeUndefined()
    const order: string[] = []
    const waits = [second?.take(20)?.then(() => order.push('second')), third?.take(20)?.then(() => order.push('third'))]
    await turn()
    expect(order).toEqual(['second'])
    second?.close()
    await Promise.all(waits)
    expect(order).toEqual(['second', 'third'])
  })

  it('sends away who finds no room in time', async () => {
    const budget = createBodyBudget(limits)
    budget.open(A).take(60)
    const favoured = budget.open(A)
    await favoured.take(10)
    await expect(budget.open(A).take(10)).rejects.toBeInstanceOf(NoRoom)
  })

  it('has all its room again when every body is gone, whenever each of them left', async () => {
    const step = fc.record({
      body: fc.nat(9),
      company: fc.constantFrom(A, B, 3),
      bytes: fc.integer({ min: 1, max: 50 }),
      leaves: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const budget = createBodyBudget({ ...limits, waitMs: 5 })
        const open = new Map<number, ReturnType<typeof budget.open>>()
        for (const { body, company, bytes, leaves } of steps) {
          const account = open.get(body) ?? budget.open(company)
          open.set(body, account)
          if (leaves) {
            account.close()
            open.delete(body)
          } else account.take(bytes)?.catch(() => {})
        }
        for (const account of open.values()) account.close()
        await turn()
        expect(budget.open(A).take(60)).toBeUndefined()
        expect(budget.open(B).take(40)).toBeUndefined()
      }),
    )
  })
})
