import sql from 'sql-template-tag'
import Type from 'typebox'
import type { Company } from '../domain/access/caller.ts'
import { dailyAllowance } from '../domain/access/plans.ts'
import { Nullable } from '../http/schema.ts'
import { localDay } from '../lib/zoned-time.ts'
import { adminEndpoint } from './gate.ts'

const Usage = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'A day in the company zone' }),
    calls: Type.Integer(),
    limit: Nullable(
      Type.Integer({ description: 'The allowance of that day, today’s for a day without calls; null is unlimited' }),
    ),
  },
  { title: 'Usage', examples: [{ date: '2026-11-15', calls: 412, limit: 10_000 }] },
)

export const getUsage = adminEndpoint({
  name: 'get_usage',
  since: '1.3.0',
  operation: 'usage:read',
  who: 'leaders',
  summary: 'List the calls of each day',
  description: 'The last `days` days in the company’s time zone, oldest first, including days without calls.',
  method: 'GET',
  at: ['/companies/:company/usage'],
  query: Type.Object({ days: Type.Integer({ default: 30, minimum: 1, maximum: 366 }) }),
  returns: Type.Object({ data: Type.Array(Usage) }),
  async run({ db, companyId, query }) {
    const company = await db.one<Pick<Company, 'time_zone' | 'plan' | 'daily_calls'>>(sql`
      select time_zone, plan, daily_calls from companies where id = ${companyId}`)
    const today = localDay(company.time_zone, Date.now()).date
    const data = await db.many<Type.Static<typeof Usage>>(sql`
      select day::date as date, coalesce(d.calls, 0) as calls, case when d.company_id is null then ${dailyAllowance(company)}::bigint else d.allowance end as limit
      from generate_series(${today}::date - (${query.days}::int - 1), ${today}::date, interval '1 day') day
      left join calls_by_day d on d.company_id = ${companyId} and d.local_date = day::date
      order by day`)
    return { data }
  },
})
