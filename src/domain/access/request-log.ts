import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isUnavailable } from '../../db/failures.ts'
import { writeInBulk } from '../../lib/bulk-writes.ts'
import { FairBuffer } from '../../lib/fair-buffer.ts'
import { REMOVED_AT_ONCE } from '../upkeep/retention.ts'

/** A call of a key, as the log of its company shows it. It has nothing of the body, the headers or the query. */
export interface LoggedRequest {
  company_id: number
  key_id: number
  request_id: string
  /** The trace of the request, where traces are recorded. */
  trace_id: string | null
  /** When it was answered, in milliseconds since 1970. */
  at: number
  method: string
  path: string
  /** Null for the address of agents, whose calls are logged with their own. */
  operation: string | null
  status: number
  /** Why it was refused; the flat answer of the burst throttle has no code. */
  code: string | null
  message: string | null
  ms: number
}

export interface RequestLog {
  add(request: LoggedRequest): void
  /** How many entries were lost because they came faster than they could be written. */
  dropped(): number
  close(): Promise<void>
}

/** A company's older entries are removed. */
export const MOST_LOGGED = 20_000

const WRITE_EVERY_MS = 1_000
const WRITTEN_AT_ONCE = 2_000
/** In characters: about ten thousand entries. */
const MOST_COLLECTED = 4_000_000
/** A company with more entries in one write does not wait for the upkeep: its log would have grown far too long by then. */
const MANY_AT_ONCE = 100

/**
 * Collects entries in memory and writes them every second, so that no call waits for it. While the database is out of reach they
 * are kept for the next attempt: what is refused then is what people will look for. An entry may then be there twice, when a write
 * succeeded whose answer was lost.
 */
export function createRequestLog(db: Db, onError: (error: unknown) => void): RequestLog {
  const collected = new FairBuffer<number, LoggedRequest>(MOST_COLLECTED, charactersOf)
  const add = (request: LoggedRequest) => collected.add(request.company_id, request)

  async function write(requests: LoggedRequest[]): Promise<void> {
    try {
      await insert(db, requests)
    } catch (error) {
      if (isUnavailable(error)) for (const request of requests) add(request)
      throw error
    }
    for (const company of withMany(requests)) await settled(removeBeyondMost(db, company))
  }

  const take = () => collected.take()
  const { close } = writeInBulk({ everyMs: WRITE_EVERY_MS, atOnce: WRITTEN_AT_ONCE, take, write, onError })
  return { add, dropped: () => collected.dropped, close }
}

/** An entry takes about as much memory as these characters. */
function charactersOf({ request_id, path, message }: LoggedRequest): number {
  return 200 + request_id.length + path.length + (message?.length ?? 0)
}

/** Keys are gone only together with their company, and nothing is logged for a company that is gone. */
async function insert(db: Db, requests: LoggedRequest[]): Promise<void> {
  const column = <K extends keyof LoggedRequest>(name: K) => requests.map(each => each[name])
  await db.run(sql`
    insert into requests (company_id, key_id, request_id, trace_id, at, method, path, operation, status, code, message, ms)
    select r.company_id, r.key_id, r.request_id, r.trace_id, to_timestamp(r.at / 1000), r.method, r.path, r.operation, r.status, r.code,
      r.message, r.ms
    from unnest(${column('company_id')}::bigint[], ${column('key_id')}::bigint[], ${column('request_id')}::text[],
      ${column('trace_id')}::text[], ${column('at')}::float[], ${column('method')}::text[], ${column('path')}::text[], ${column('operation')}::text[],
      ${column('status')}::smallint[], ${column('code')}::text[], ${column('message')}::text[], ${column('ms')}::float[])
      r (company_id, key_id, request_id, trace_id, at, method, path, operation, status, code, message, ms)
    join api_keys k on k.company_id = r.company_id and k.id = r.key_id`)
}

function withMany(requests: LoggedRequest[]): number[] {
  const counts = new Map<number, number>()
  for (const { company_id } of requests) counts.set(company_id, (counts.get(company_id) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MANY_AT_ONCE).map(([company]) => company)
}

async function settled(steps: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of steps);
}

/** Shortens the logs of all companies, a thousand entries at a time. */
export async function* shortenRequestLogs(db: Db): AsyncGenerator<number> {
  for (let company = 0; ; ) {
    const next = await db.maybe<{ company_id: number }>(
      sql`select company_id from requests where company_id > ${company} order by company_id limit 1`,
    )
    if (!next) return
    company = next.company_id
    yield* removeBeyondMost(db, company)
  }
}

async function* removeBeyondMost(db: Db, companyId: number): AsyncGenerator<number> {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    removed = await db.run(sql`
      delete from requests where company_id = ${companyId} and ctid = any (array(
        select ctid from requests where company_id = ${companyId} and (at, id) <= (
          select at, id from requests where company_id = ${companyId} order by at desc, id desc offset ${MOST_LOGGED} limit 1)
        order by at, id limit ${REMOVED_AT_ONCE}))`)
    yield removed
  }
}
