import { setTimeout } from 'node:timers/promises'
import sql, { empty } from 'sql-template-tag'
import { POSITION } from '../../db/positions.ts'
import type { Database } from '../../db/postgres.ts'
import { tracer } from '../../lib/tracing.ts'
import { localDay } from '../../lib/zoned-time.ts'
import type { Company } from './caller.ts'
import { dailyAllowance } from './plans.ts'

/** The state of the company's daily allowance, as reported to a call that was spent or refused. */
export interface Allowance {
  limit: number | null
  /** Null means no limit. */
  remaining: number | null
  resetsAt: number
  spentOn: SpentOn
}

/** When a call was spent in the company's time zone: the date, and the hours since the day began. */
export interface SpentOn {
  date: string
  hour: number
}

type Spend = Spent | { outcome: 'stale' }

interface Spent {
  outcome: 'spent' | 'refused'
  allowance: Allowance
  /** How far the database had written when the call was spent, where there is a replica to compare it with. */
  position: string | undefined
}

/**
 * Takes one call from the company's day, or several, all or none. `stale` when the company, or one of its keys, has changed
 * since it was read.
 */
export type SpendCalls = (company: Company, calls?: number) => Promise<Spend>

interface WaitingCall {
  /** The first of a batch spends for all. */
  spend: (company: Company, wanted: number, portion: number) => Promise<(upTo: number) => Spend>
  resolve: (spend: Spend) => void
  reject: (error: unknown) => void
}

/** How long after a statement calls of the same company are gathered for the next one. */
const GATHER_MS = 1
const HOUR_MS = 3_600_000

/**
 * The allowance is spent in the database, so it is exact across nodes and restarts. Calls of one company that arrive while a
 * statement is in flight, or just after it, share the next one: a busy company costs a small statement now and then instead of
 * one per call, and a single call does not wait.
 */
export function createQuota({ db, engine, replica }: Pick<Database, 'db' | 'engine' | 'replica'>): SpendCalls {
  const queues = new Map<string, WaitingCall[]>()
  // A PostgreSQL server flushes by itself within a second; the embedded engine would not, so there a spend waits for the disk.
  const synchronousCommit = engine === 'postgres' ? 'off' : 'on'
  const position = replica ? POSITION : empty

  async function drain(name: string, company: Company, queue: WaitingCall[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0) as [WaitingCall, ...WaitingCall[]]
      try {
        const spent = await batch[0].spend(company, batch.length, 1)
        for (const [n, waiting] of batch.entries()) waiting.resolve(spent(n + 1))
      } catch (error) {
        for (const waiting of batch) waiting.reject(error)
      }
      await setTimeout(GATHER_MS)
    }
    queues.delete(name)
  }

  /** Grants as much of what is wanted as is left, in whole portions. Returns the outcome for each of the calls, by its number. */
  async function spend(company: Company, wanted: number, portion: number): Promise<(upTo: number) => Spend> {
    const limit = dailyAllowance(company)
    const now = Date.now()
    const day = localDay(company.time_zone, now)
    const row = await db.maybe<{ calls: number; last_granted: number; position?: string }>(sql`
      insert into calls_by_day as d (company_id, local_date, calls, last_granted, allowance)
      select c.id, ${day.date}, least(${wanted}::bigint, ${limit}::bigint) / ${portion}::bigint * ${portion}::bigint,
        least(${wanted}::bigint, ${limit}::bigint) / ${portion}::bigint * ${portion}::bigint, ${limit}::bigint
      from companies c, set_config('synchronous_commit', ${synchronousCommit}, true)
      where c.id = ${company.id} and c.version = ${company.version}
      on conflict (company_id, local_date) do update set
        calls = d.calls + greatest(least(${wanted}::bigint, excluded.allowance - d.calls), 0) / ${portion}::bigint * ${portion}::bigint,
        last_granted = greatest(least(${wanted}::bigint, excluded.allowance - d.calls), 0) / ${portion}::bigint * ${portion}::bigint,
        allowance = excluded.allowance
      returning calls, last_granted${position}`)
    const resetsAt = Math.ceil(day.endsAt / 1000)
    const spentOn = { date: day.date, hour: Math.floor((now - day.startsAt) / HOUR_MS) }
    return upTo => {
      if (!row) return { outcome: 'stale' }
      const isGranted = upTo <= row.last_granted
      const used = isGranted ? row.calls - row.last_granted + upTo : row.calls
      const remaining = limit === null ? null : Math.max(limit - used, 0)
      const allowance = { limit, remaining, resetsAt, spentOn }
      return { outcome: isGranted ? 'spent' : 'refused', allowance, position: row.position }
    }
  }

  function spendOne(company: Company): Promise<Spend> {
    return new Promise((resolve, reject) => {
      const name = `${company.id} ${company.version}`
      const waiting = { resolve, reject, spend: tracer ? tracer.bound(spend) : spend }
      const queue = queues.get(name)
      if (queue) return queue.push(waiting)
      const first = [waiting]
      queues.set(name, first)
      drain(name, company, first)
    })
  }

  return async (company, calls = 1) => (calls === 1 ? spendOne(company) : (await spend(company, calls, calls))(calls))
}
