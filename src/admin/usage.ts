import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import type { Db } from '../db/db.ts'
import type { Company } from '../domain/access/caller.ts'
import { forecast, type LastDays } from '../domain/access/forecast.ts'
import { dailyAllowance } from '../domain/access/plans.ts'
import { Id, Instant, Nullable, OneOf } from '../http/answers/schema.ts'
import { localDay } from '../lib/zoned-time.ts'
import { adminEndpoint } from './gate.ts'
import { KeyKind, Operation } from './vocabulary.ts'

const Share = Type.Object(
  {
    key: Type.Optional(Nullable(Type.Object({ id: Id(), name: Type.String(), kind: KeyKind() }))),
    operation: Type.Optional(Nullable(Operation())),
    status: Type.Optional(
      Nullable(Type.Integer({ description: 'HTTP status; 499 when the client left before it was answered' })),
    ),
    calls: Type.Integer(),
  },
  { title: 'UsageShare', examples: [{ key: { id: 5, name: 'Reporting', kind: 'key' }, calls: 400 }] },
)

const Usage = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'A day in the company zone' }),
    calls: Type.Integer(),
    limit: Nullable(
      Type.Integer({ description: 'The allowance of that day, today’s for a day without calls; null is unlimited' }),
    ),
    by: Type.Optional(
      Type.Array(Share, {
        description:
          'With `by` only: the calls of the day by key, operation or status, most calls first. They add up to `calls`; calls that are not attributed (yet) have null.',
      }),
    ),
  },
  { title: 'Usage', examples: [{ date: '2026-11-15', calls: 412, limit: 10_000 }] },
)

const Today = Type.Object(
  {
    left: Nullable(Type.Integer({ description: 'Calls left today; null is unlimited' })),
    resets_at: Instant({ description: 'When the next day begins in the company zone' }),
    forecast: Nullable(
      Type.Integer({
        description:
          'Calls expected by the end of today, which may be more than the allowance: the calls made so far, plus the average number of calls that the last seven days had from this time of day on, scaled by how today compares with those days so far. In the first days of a company it is today’s pace carried on; null while too little is known.',
      }),
    ),
  },
  { title: 'UsageToday', examples: [{ left: 9_588, resets_at: '2026-11-15T21:00:00.000Z', forecast: 730 }] },
)

const DIMENSIONS = ['key', 'operation', 'status'] as const
type Dimension = (typeof DIMENSIONS)[number]

export const getUsage = adminEndpoint({
  name: 'get_usage',
  since: '1.3.0',
  operation: 'usage:read',
  who: 'leaders',
  summary: 'List the calls of each day',
  description:
    'The last `days` days in the company’s time zone, oldest first, including days without calls. `by` shows who made them, for what, or how they were answered. That is known a few seconds after a call, and lost for the last calls of a process that was killed.',
  method: 'GET',
  at: ['/companies/:company/usage'],
  query: Type.Object({
    days: Type.Integer({ default: 30, minimum: 1, maximum: 366 }),
    by: Type.Optional(OneOf(DIMENSIONS, { description: 'How to divide the calls of each day' })),
  }),
  returns: Type.Object({ data: Type.Array(Usage), meta: Today }),
  async run({ db, companyId, query }) {
    const company = await db.one<Pick<Company, 'time_zone' | 'plan' | 'daily_calls'>>(sql`
      select time_zone, plan, daily_calls from companies where id = ${companyId}`)
    const now = Date.now()
    const today = localDay(company.time_zone, now)
    const limit = dailyAllowance(company)
    const by = DIMENSIONS.find(name => name === query.by)
    const { days, last } = await readDays(
      db,
      companyId,
      { today: today.date, days: query.days, limit, by },
      now - today.startsAt,
    )
    const calls = days.at(-1)?.calls ?? 0
    const shareOfDay = (now - today.startsAt) / (today.endsAt - today.startsAt)
    return {
      data: by ? days.map(day => withShares(day, by)) : days,
      meta: {
        left: limit === null ? null : Math.max(limit - calls, 0),
        resets_at: new Date(today.endsAt).toISOString(),
        forecast: forecast(calls, shareOfDay, last),
      },
    }
  },
})

type Day = Type.Static<typeof Usage> & { attributed?: number }

interface Wanted {
  today: string
  days: number
  limit: number | null
  by: Dimension | undefined
}

function readDays(
  db: Db,
  companyId: number,
  { today, days, limit, by }: Wanted,
  elapsedMs: number,
): Promise<{ days: Day[]; last: LastDays }> {
  const day = sql`
    select day::date as date, coalesce(d.calls, 0) as calls,
      case when d.company_id is null then ${limit}::bigint else d.allowance end as limit ${by ? sql`, shares.*` : empty}
    from generate_series(${today}::date - (${days}::int - 1), ${today}::date, interval '1 day') day
    left join calls_by_day d on d.company_id = ${companyId} and d.local_date = day::date
    ${by ? sql`cross join lateral (${sharesOf(companyId, by)}) shares` : empty}`
  const elapsedHours = elapsedMs / 3_600_000
  const lastDays = sql`
    select ${today}::date - min(local_date) as days, coalesce(sum(calls), 0)::float as total,
      coalesce(sum(calls * least(greatest(${elapsedHours}::float - hour, 0), 1)), 0)::float as by_now
    from calls_by_hour where company_id = ${companyId} and local_date >= ${today}::date - 7 and local_date < ${today}::date`
  return db.one(sql`
    select (select json_agg(day order by day.date) from (${day}) day) as days,
      (select row_to_json(last) from (${lastDays}) last) as last`)
}

const SHARES: Record<Dimension, { value: Sql; of: Sql; each: Sql }> = {
  key: {
    value: sql`json_build_object('id', k.id, 'name', k.name, 'kind', k.kind)`,
    of: sql`calls_by_key c join api_keys k on k.company_id = c.company_id and k.id = c.key_id`,
    each: sql`k.company_id, k.id`,
  },
  operation: { value: sql`to_json(c.operation)`, of: sql`calls_by_key c`, each: sql`c.operation` },
  status: { value: sql`to_json(c.status)`, of: sql`calls_by_key c`, each: sql`c.status` },
}

function sharesOf(companyId: number, by: Dimension): Sql {
  const { value, of, each } = SHARES[by]
  return sql`
    select coalesce(json_agg(json_build_object(${by}::text, s.value, 'calls', s.calls) order by s.calls desc, s.value::text), '[]') as by,
      coalesce(sum(s.calls), 0) as attributed
    from (select ${value} as value, sum(c.calls) as calls from ${of}
          where c.company_id = ${companyId} and c.local_date = day::date group by ${each}) s`
}

/** Calls that are counted but not attributed get a share of their own, so that the shares add up to the day. */
function withShares({ attributed = 0, by = [], ...day }: Day, dimension: Dimension): Type.Static<typeof Usage> {
  const rest = day.calls - attributed
  return { ...day, by: rest > 0 ? [...by, { [dimension]: null, calls: rest }] : by }
}
