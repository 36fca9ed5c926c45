import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Database } from '../../src/db/postgres.ts'
import type { Company } from '../../src/domain/access/caller.ts'
import { createQuota } from '../../src/domain/access/quota.ts'

const company = { id: 1, version: 1, plan: 'advanced', time_zone: 'Asia/Riyadh', daily_calls: null } as Company

/** An allowance on a database that grants everything, and the number of calls that each statement took. */
function quota(fails = false) {
  const statements: unknown[] = []
  let calls = 0
  const db = {
    async maybe({ values }: { values: unknown[] }) {
      if (fails) throw new Error('The database is gone.')
      const wanted = values[1] as number
      statements.push(wanted)
      await setTimeout(5)
      calls += wanted
      return { calls, last_granted: wanted }
    },
  }
  return { spend: createQuota({ db, engine: 'embedded' } as unknown as Database), statements }
}

describe('Calls of one company', () => {
  it('that arrive while a statement is on its way share the next one, and are told what is left one by one', async () => {
    const { spend, statements } = quota()
    const spent = await Promise.all(Array.from({ length: 5 }, () => spend(company)))
    expect(statements).toEqual([1, 4])
    expect(spent.map(each => 'allowance' in each && each.allowance.remaining)).toEqual([999, 998, 997, 996, 995])
  })

  it('that arrive just after a statement wait for each other', async () => {
    const { spend, statements } = quota()
    await spend(company)
    await Promise.all([spend(company), spend(company, 1)])
    expect(statements).toEqual([1, 2])
  })

  it('cost nothing when there are none', async () => {
    const { spend, statements } = quota()
    await spend(company)
    await setTimeout(50)
    expect(statements).toEqual([1])
  })

  it('fail when the database does', async () => {
    const { spend } = quota(true)
    await expect(Promise.all([spend(company), spend(company)])).rejects.toThrow('The database is gone.')
    await expect(spend(company)).rejects.toThrow('The database is gone.')
  })
})

it('A call is spent at the date and in the hour of the company', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-01-01T21:30:00Z'))
  const spent = await quota().spend(company)
  now.mockRestore()
  expect(spent).toMatchObject({ allowance: { spentOn: { date: '2027-01-02', hour: 0 } } })
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-01-01T12:30:00Z'))
  expect(await quota().spend(company)).toMatchObject({ allowance: { spentOn: { date: '2027-01-01', hour: 15 } } })
  later.mockRestore()
})
