import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Company } from '../../../src/domain/access/caller.ts'
import { createQuota } from '../../../src/domain/access/quota.ts'
import type { TestApp } from '../../support/app.ts'
import { noonZone } from '../../support/noon-zone.ts'
import { seed } from '../../support/random.ts'
import { scheduleStatements } from './scheduled-db.ts'

const NODES = 2

/**
 * Two nodes spend one allowance while the company changes. In whatever order statements are sent and answered, as many calls
 * are granted as the allowance has, or all; each is told another number of calls that are left; and the day has as many.
 */
export async function expectExactSpending(app: TestApp, runs: number): Promise<void> {
  const { db, engine } = app.database
  const sizes = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  const property = fc.asyncProperty(fc.scheduler(), sizes, async (scheduler, [allowance, calls]) => {
    const { id } = await app.diwan.company({ daily_calls: allowance, time_zone: noonZone() })
    const own = scheduleStatements(db, scheduler)
    const nodes = Array.from({ length: NODES }, () =>
      createQuota({ db: own, engine, replica: undefined } as Parameters<typeof createQuota>[0]),
    )
    const read = () =>
      own.one<Company>(sql`select id, version, plan, time_zone, daily_calls from companies where id = ${id}`)
    const known = await db.one<Company>(
      sql`select id, version, plan, time_zone, daily_calls from companies where id = ${id}`,
    )
    const call = async (n: number) => {
      await scheduler.schedule(Promise.resolve(), `call ${n}`)
      // As the gate does: whoever has an old version reads the company again.
      for (let company = known; ; company = await read()) {
        const spent = await (nodes[n % NODES] as (typeof nodes)[number])(company)
        if (spent.outcome !== 'stale') return spent
      }
    }
    const change = () => own.run(sql`update companies set daily_calls = daily_calls, language = 'ar' where id = ${id}`)
    const [, ...spends] = await scheduler.waitFor(
      Promise.all([change(), ...Array.from({ length: calls }, (_, n) => call(n))] as const),
    )
    const granted = spends.filter(({ outcome }) => outcome === 'spent')
    const expected = Math.min(allowance, calls)
    expect(granted).toHaveLength(expected)
    const left = granted.map(spend => spend.allowance.remaining as number).sort((a, b) => b - a)
    expect(left).toEqual(Array.from({ length: expected }, (_, n) => allowance - 1 - n))
    expect(await db.one(sql`select calls from calls_by_day where company_id = ${id}`)).toEqual({ calls: expected })
  })
  await fc.assert(property, { numRuns: runs, seed })
}
