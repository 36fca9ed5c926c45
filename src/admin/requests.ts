import sql, { join, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { MOST_LOGGED } from '../domain/access/request-log.ts'
import { KEPT } from '../domain/upkeep/retention.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Id, Instant, mustBe, Nullable, OneOf, Paging, Sentence } from '../http/answers/schema.ts'
import { descending, orderBy } from '../http/requests/order.ts'
import { plainNumber } from '../lib/digits.ts'
import { isWithin, readSpan, SpanFilters } from './filters.ts'
import { adminEndpoint } from './gate.ts'
import { KeyKind, Operation } from './vocabulary.ts'

const LoggedRequest = Type.Object(
  {
    request_id: Type.String({ description: 'The `X-Request-Id` of the answer' }),
    trace_id: Nullable(Type.String({ description: 'Its trace; null where traces are not recorded' })),
    at: Instant({ description: 'When it was answered' }),
    key: Type.Object({ id: Id(), name: Type.String(), kind: KeyKind() }, { description: 'The key that called' }),
    method: Type.String(),
    path: Type.String({ description: 'Without the query' }),
    operation: Nullable(Operation({ description: 'Null for a request to `/mcp` that was refused itself' })),
    status: Type.Integer({ description: 'Status 499: the client left before it was answered' }),
    code: Nullable(
      Type.String({ description: 'The code of the error; null for a success and for the burst throttle' }),
    ),
    message: Nullable(
      Sentence({ description: 'What the caller was told; values that it quotes are cut at 100 characters' }),
    ),
    ms: Type.Number({ description: 'How long it took, in milliseconds' }),
  },
  {
    title: 'LoggedRequest',
    examples: [
      {
        request_id: '0f4c3f0e-5a0e-4f51-9c7e-3d2a5f0f8a11',
        trace_id: null,
        at: '2026-11-15T08:30:00.000Z',
        key: { id: 5, name: 'Reporting', kind: 'key' },
        method: 'POST',
        path: '/api/v1/lists/lst-7m2kq90xcd/tasks',
        operation: 'tasks:write',
        status: 422,
        code: 'unprocessable_entity',
        message: "title can't be blank",
        ms: 4.2,
      },
    ],
  },
)

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const Filters = {
  key_id: Type.Optional(Id({ description: 'The id of the key that called' })),
  status: Type.Optional(
    Type.String({
      notBlank: true,
      maxLength: 3,
      pattern: '^[1-5](xx|[0-9]{2})$',
      ...mustBe('2xx, 3xx, 4xx, 5xx or a status such as 422'),
      description: 'For example `4xx` or `422`',
    }),
  ),
  method: Type.Optional(OneOf(METHODS, { notBlank: true })),
  operation: Type.Optional(Operation({ notBlank: true })),
  request_id: Type.Optional(
    Type.String({
      notBlank: true,
      maxLength: 128,
      ...mustBe('a request id'),
      description: 'The `X-Request-Id` of the answer',
    }),
  ),
  ...SpanFilters,
}

const NEWEST_FIRST = [descending(sql`r.at`, 'timestamptz'), descending(sql`r.id`)]

const columns = sql`r.request_id, r.trace_id, r.at, r.method, r.path, r.operation, r.status, r.code, r.message, r.ms,
  (select json_build_object('id', k.id, 'name', k.name, 'kind', k.kind) from api_keys k
   where k.company_id = r.company_id and k.id = r.key_id) as key`

export const listRequests = adminEndpoint({
  name: 'list_requests',
  since: '1.7.0',
  operation: 'requests:read',
  who: 'key administrators',
  summary: 'See what went wrong with the calls of the API keys',
  description:
    'The log of requests: every call of a key that was refused or failed, and every write, newest first. Kept for 7 days, and at most 20,000 for a company. A call appears a second or two after it was answered; when a server is killed, those of its last seconds are lost. Nothing of a body, a header or a query is kept. A filter that cannot be read is 422.',
  method: 'GET',
  at: ['/companies/:company/requests'],
  query: Type.Object({ ...Filters, ...Paging }),
  refusesQuery: true,
  returns: Collection(LoggedRequest),
  async run(call) {
    const { db, companyId, query } = call
    const conditions = [sql`true`, ...narrowedBy(query), ...isWithin(await readSpan(call), sql`r.at`)]
    return page<Type.Static<typeof LoggedRequest>>(db, query, {
      columns,
      from: sql`(${latest(companyId)}) r where ${join(conditions, ' and ')}`,
      order: NEWEST_FIRST,
    })
  },
})

/** Older entries may still be there until the upkeep removes them. They are not shown, so that the bounds always hold. */
function latest(companyId: number): Sql {
  return sql`
    select * from requests r
    where r.company_id = ${companyId} and r.at > now() - make_interval(days => ${KEPT.forDays.requests.days})
    order by ${orderBy(NEWEST_FIRST)} limit ${MOST_LOGGED}`
}

/** A filter is checked entry by entry: there are so few entries that no filter needs an index. */
function narrowedBy({
  key_id,
  status,
  method,
  operation,
  request_id,
}: Type.Static<Type.TObject<typeof Filters>>): Sql[] {
  const conditions: Sql[] = []
  if (key_id !== undefined) conditions.push(sql`r.key_id = ${key_id}`)
  if (status !== undefined) conditions.push(hasStatus(plainNumber(status)))
  if (method !== undefined) conditions.push(sql`r.method = ${method}`)
  if (operation !== undefined) conditions.push(sql`r.operation = ${operation}`)
  if (request_id !== undefined) conditions.push(sql`r.request_id = ${request_id}`)
  return conditions
}

function hasStatus(status: string): Sql {
  const [lowest, highest] = ['00', '99'].map(end => Number(status.replace('xx', end)))
  return sql`r.status between ${lowest} and ${highest}`
}
