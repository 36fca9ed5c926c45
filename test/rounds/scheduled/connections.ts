import fc from 'fast-check'
import { raw } from 'sql-template-tag'
import { expect } from 'vitest'
import { createDb } from '../../../src/db/db.ts'
import { shareOneConnection } from '../../../src/db/one-connection.ts'
import { createSharedConnections } from '../../../src/db/shared-connections.ts'
import { seed } from '../../support/random.ts'
import { scheduledPool } from './scheduled-pool.ts'

const MOST = 3

/** A statement by itself, or several in a transaction; one of them may fail. */
const work = fc.record({ statements: fc.integer({ min: 1, max: 4 }), fails: fc.boolean(), isTransaction: fc.boolean() })

/**
 * Some send statements and others transactions, over the one connection of the embedded engine or the few of a server. In
 * whatever order connections are lent and statements answered: nothing stands between a BEGIN and its end but its own
 * statements, everyone gets their own answers, and every connection is given back, once.
 */
export async function expectConnectionsInOneHand(runs: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(work, { minLength: 1, maxLength: 8 }),
    fc.boolean(),
    async (scheduler, all, isEmbedded) => {
      const { pool, clients, faults, areAllBack } = scheduledPool(scheduler, isEmbedded ? 1 : MOST)
      const one = isEmbedded ? shareOneConnection(pool) : undefined
      const db = one ? createDb(one) : createDb(pool as never, createSharedConnections(pool, MOST - 1).send)
      const outcomes = await scheduler.waitFor(
        Promise.all(
          all.map(async ({ statements, fails, isTransaction }, n) => {
            await scheduler.schedule(Promise.resolve(), `work ${n}`)
            const texts = Array.from(
              { length: statements },
              (_, m) => `${n}.${m}${fails && m === statements - 1 ? ' fails' : ''}`,
            )
            const got: string[] = []
            const send = async (on: Pick<typeof db, 'one'>) => {
              for (const text of texts) got.push((await on.one<{ text: string }>(raw(text))).text)
            }
            const isDone = await (isTransaction ? db.transaction(send) : send(db)).then(
              () => true,
              () => false,
            )
            return { isDone, fails, got, texts }
          }),
        ),
      )
      for (const { isDone, fails, got, texts } of outcomes) {
        expect(isDone).toBe(!fails)
        expect(got).toEqual(fails ? texts.slice(0, -1) : texts)
      }
      expect(faults).toEqual([])
      expect(areAllBack()).toBe(true)
      for (const { sent } of clients) expectWholeTransactions(sent, all)
    },
  )
  await fc.assert(property, { numRuns: runs, seed })
}

/** Between a BEGIN and its end there are all statements of one transaction, in order, and no others. */
function expectWholeTransactions(sent: string[], all: { isTransaction: boolean }[]): void {
  let within: string[] | undefined
  for (const text of sent) {
    if (text === 'begin') {
      expect(within).toBeUndefined()
      within = []
    } else if (text === 'commit' || text === 'rollback') {
      expect(within).toBeDefined()
      expect(new Set(within?.map(each => each.split('.')[0])).size).toBeLessThanOrEqual(1)
      expect(within?.some(each => each.includes('fails')) ?? false).toBe(text === 'rollback')
      within = undefined
    } else {
      const n = Number(text.split('.')[0])
      expect([text, within !== undefined]).toEqual([text, all[n]?.isTransaction])
      within?.push(text)
    }
  }
  expect(within).toBeUndefined()
}
