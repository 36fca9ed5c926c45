import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { JOB_SIGNALS } from '../../db/signals.ts'
import type { JobKind } from '../ports/job-queue.ts'

// Jobs are stored in the database of the records that they belong to (decision 7), in the table of pg-boss. What other statements
// ask about them is here; adapters/job-queue.ts does everything else.

/** The state of a job that is waiting, running or waiting for another attempt. */
export const TO_BE_DONE = `state in ('created', 'retry', 'active')`

/** The company of a job. */
export const COMPANY_OF_JOB = `((data ->> 'company_id')::bigint)`

/** The kind is a literal in the statement, so that the planner sees which part of the table is meant. */
function toBeDone(kind: JobKind): Sql {
  return raw(`pgboss.job j where j.name = '${kind}' and j.${TO_BE_DONE}`)
}

/** The payload of a job `j`, without the trace that it belongs to. */
const PAYLOAD = raw(`(j.data - 'traceparent')`)

/** A condition: a job with this payload (a jsonb expression) is still to be done. */
export const isToBeDone = (kind: JobKind, payload: Sql): Sql =>
  sql`exists (select from ${toBeDone(kind)} and ${PAYLOAD} = ${payload})`

/**
 * A statement that makes those jobs of a company due now that wait with one of these payloads (jsonb, the column `payload` of
 * `wanted`), for `with`. It returns the payloads of those jobs.
 */
export const hurryWaiting = (kind: JobKind, companyId: number, wanted: Sql): Sql => sql`
  update pgboss.job j set start_after = least(j.start_after, now()) from ${wanted}
  where j.name = ${raw(`'${kind}'`)} and j.state < 'active' and ${raw(COMPANY_OF_JOB)} = ${companyId} and ${PAYLOAD} = wanted.payload
  returning wanted.payload`

/** An expression: the seconds until the job with this id is due, or null when there is no such job to do. */
export const secondsUntilDue = (kind: JobKind, id: Sql): Sql =>
  sql`(select extract(epoch from j.start_after - now())::float8 from ${toBeDone(kind)} and j.id = ${id})`

/** A table of the jobs that have used up their attempts. */
export const FAILED_JOBS = sql`(
  select id, name as kind, ${PAYLOAD} as payload, least(retry_count, retry_limit) + 1 as attempts,
    coalesce(output ->> 'message', output -> 'value' ->> 'message') as error,
    created_on as created_at, completed_on as failed_at
  from pgboss.job j where state = 'failed')`

/** Puts a failed job back into the queue, with all its attempts and as much time as a new one. */
export async function retryFailed(tx: Db, id: string): Promise<void> {
  await tx.run(sql`
    with retried as (
      update pgboss.job set state = 'retry', retry_count = 0, start_after = now(), completed_on = null,
        keep_until = now() + (keep_until - created_on)
      where id = ${id} and state = 'failed' returning name)
    select pg_notify(${JOB_SIGNALS}, name) from retried`)
}

/** Gives up a failed job for good. */
export async function removeFailed(tx: Db, id: string): Promise<void> {
  await tx.run(sql`delete from pgboss.job where id = ${id} and state = 'failed'`)
}

/** True when a worker is doing a job of one of these companies, or was killed while it did. */
export async function areJobsRunning(db: Db, companies: number[]): Promise<boolean> {
  const running = await db.maybe(sql`
    select 1 from pgboss.job where state = 'active' and ${raw(COMPANY_OF_JOB)} = any(${companies}) limit 1`)
  return running !== undefined
}

/** Wakes the workers for jobs that came into the database with these companies. */
export async function signalJobsOf(db: Db, companies: number[]): Promise<void> {
  await db.run(sql`
    select pg_notify(${JOB_SIGNALS}, name) from (
      select distinct name from pgboss.job where state < 'active' and ${raw(COMPANY_OF_JOB)} = any(${companies})) waiting`)
}
