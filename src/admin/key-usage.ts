import sql from 'sql-template-tag'
import Type from 'typebox'
import { orNotFound } from '../domain/errors.ts'
import { Day, Id, Instant, Sentence, Single } from '../http/answers/schema.ts'
import { requirePathId } from '../http/requests/query.ts'
import { localDay } from '../lib/zoned-time.ts'
import { adminEndpoint } from './gate.ts'
import { KeyKind, Operation } from './vocabulary.ts'

const MOST_DENIALS = 20

const KeyUsage = Type.Object(
  {
    key: Type.Object({ id: Id(), name: Type.String(), kind: KeyKind() }),
    from: Day({ description: 'The first day, in the company zone' }),
    to: Day({ description: 'Today' }),
    calls: Type.Integer(),
    days: Type.Array(Type.Object({ date: Day(), calls: Type.Integer() }), { description: 'Every day, oldest first' }),
    operations: Type.Array(Type.Object({ operation: Operation(), status: Type.Integer(), calls: Type.Integer() }), {
      description:
        'The calls by operation and status, most calls first. Status 499: the client left before it was answered',
    }),
    denials: Type.Array(
      Type.Object({
        id: Id({ description: 'The id of the entry in the audit' }),
        created_at: Instant(),
        operation: Type.String(),
        method: Type.String(),
        path: Type.String(),
        reason: Sentence(),
        count: Type.Integer(),
      }),
      { description: `The last ${MOST_DENIALS} denials in these days, newest first; all of them are in the audit` },
    ),
  },
  {
    title: 'KeyUsage',
    examples: [
      {
        key: { id: 5, name: 'Reporting', kind: 'key' },
        from: '2026-11-14',
        to: '2026-11-15',
        calls: 412,
        days: [
          { date: '2026-11-14', calls: 0 },
          { date: '2026-11-15', calls: 412 },
        ],
        operations: [
          { operation: 'tasks:read', status: 200, calls: 410 },
          { operation: 'tasks:write', status: 403, calls: 2 },
        ],
        denials: [
          {
            id: 7,
            created_at: '2026-11-15T08:30:00.000Z',
            operation: 'tasks:write',
            method: 'POST',
            path: '/api/v1/lists/lst-7m2kq90xcd/tasks',
            reason: 'The key has read access, which does not permit tasks:write.',
            count: 1,
          },
        ],
      },
    ],
  },
)
type Answer = Type.Static<typeof KeyUsage>

export const getKeyUsage = adminEndpoint({
  name: 'get_key_usage',
  since: '1.6.0',
  operation: 'keys:read',
  who: 'key administrators',
  summary: 'Get what an API key did lately',
  description:
    'Its calls of the last `days` days by operation and status, and its latest denials. A call is counted here a few seconds after it was answered.',
  method: 'GET',
  at: ['/companies/:company/keys/:key/usage'],
  query: Type.Object({ days: Type.Integer({ default: 7, minimum: 1, maximum: 90 }) }),
  returns: Single(KeyUsage),
  async run({ db, companyId, params, query }) {
    const key = await orNotFound(
      db.maybe<Answer['key'] & { time_zone: string }>(sql`
        select k.id, k.name, k.kind, c.time_zone from api_keys k join companies c on c.id = k.company_id
        where k.company_id = ${companyId} and k.id = ${requirePathId(params.key)}`),
    )
    const today = localDay(key.time_zone, Date.now()).date
    const used = await db.one<Pick<Answer, 'from' | 'days' | 'operations' | 'denials'>>(sql`
      with days as (
        select day::date as date from generate_series(${today}::date - (${query.days}::int - 1), ${today}::date, interval '1 day') day
      ), used as (
        select d.date, c.operation, c.status, c.calls from days d
        join calls_by_key c on c.company_id = ${companyId} and c.local_date = d.date and c.key_id = ${key.id}
      ), denied as (
        select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at, operation, method, path, reason, count
        from audit_entries a
        where a.company_id = ${companyId} and by_kind = 'key' and by_id = ${key.id} and outcome = 'denied'
          and a.created_at > now() - make_interval(days => ${query.days}::int)
        order by a.created_at desc, id desc limit ${MOST_DENIALS}
      )
      select (select min(date) from days) as from,
        (select json_agg(json_build_object('date', d.date, 'calls', coalesce(
           (select sum(calls) from used u where u.date = d.date), 0)) order by d.date) from days d) as days,
        (select coalesce(json_agg(o order by o.calls desc, o.operation, o.status), '[]') from (
           select operation, status, sum(calls) as calls from used group by operation, status) o) as operations,
        (select coalesce(json_agg(denied), '[]') from denied) as denials`)
    const calls = used.operations.reduce((sum, each) => sum + each.calls, 0)
    return { data: { key: { id: key.id, name: key.name, kind: key.kind }, ...used, to: today, calls } }
  },
})
