import sql from 'sql-template-tag'
import Type from 'typebox'
import type { Company } from '../domain/caller.ts'
import { dailyAllowance } from '../domain/plans.ts'
import { page } from '../http/page.ts'
import { Collection, Id, Instant, Nullable, OneOf, Paging } from '../http/schema.ts'
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
  operation: 'usage:read',
  who: 'leaders',
  summary: 'Calls a day',
  description: 'The last `days` days in the company zone, oldest first, days without a call included.',
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
      left join daily_calls d on d.company_id = ${companyId} and d.local_date = day::date
      order by day`)
    return { data }
  },
})

const AuditEntry = Type.Object(
  {
    id: Id(),
    created_at: Instant(),
    outcome: OneOf(['denied', 'allowed']),
    operation: Type.String(),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    reason: Type.String(),
    actor: Type.String({ description: 'Who signed: the creator of the key, the person, or the operator' }),
    key: Nullable(Type.Object({ id: Id(), name: Type.String() })),
    request_id: Type.String(),
    count: Type.Integer({
      description:
        'How many it stands for: 1, but for the entry that counts what one key or person was denied beyond 100 times in an hour',
    }),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 9,
        created_at: '2026-11-15T08:30:00.000Z',
        outcome: 'denied',
        operation: 'projects:write',
        method: 'POST',
        path: '/api/v1/projects',
        status: 403,
        reason: 'The key has read access, which does not permit projects:write.',
        actor: 'Layla Haddad',
        key: { id: 5, name: 'Reporting' },
        request_id: '0f4c3f0e-5a0e-4f51-9c7e-3d2a5f0f8a11',
        count: 1,
      },
    ],
  },
)

export const listAudit = adminEndpoint({
  operation: 'audit:read',
  who: 'leaders',
  summary: 'Read the audit',
  description:
    'Newest first: denials, and what was destroyed or done to keys and tokens. Denials of one key or person are kept one by one up to 100 an hour; those beyond are counted in one entry.',
  method: 'GET',
  at: ['/companies/:company/audit'],
  query: Type.Object(Paging),
  returns: Collection(AuditEntry),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns: sql`a.id, a.created_at, a.outcome, a.operation, a.method, a.path, a.status, a.reason, a.actor, a.request_id, a.count,
        (select json_build_object('id', k.id, 'name', k.name) from api_keys k
         where k.company_id = a.company_id and k.id = a.key_id) as key`,
      from: sql`audit_entries a where a.company_id = ${companyId}`,
      order: sql`a.id desc`,
    }),
})
