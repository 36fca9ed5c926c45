import type { JobKind } from '../domain/ports/job-queue.ts'
import { COMPANY_OF_JOB as COMPANY } from '../domain/upkeep/stored-jobs.ts'

/** The jobs that wait, company by company: to find the next company, none of the others' jobs has to be read. */
export const INDEX_OF_TURNS = `
  create index job_turns on pgboss.job (name, ${COMPANY}, start_after, id) where state < 'active'`

/**
 * Takes a job of the next company behind $1 that has one due and is not in $2. As in pg-boss, it is locked and marked in one
 * statement, and no other worker waits for it or gets it. Reads one row for each company on the way, however many jobs it has.
 * The kind is a literal, so that the planner sees which part of the table is meant.
 */
export function takeInTurn(kind: JobKind): string {
  const waiting = `pgboss.job where name = '${kind}' and state < 'active'`
  const firstBehind = (company: string) => `
    select ${COMPANY} as company_id, id, start_after from ${waiting} and ${COMPANY} > ${company}
    order by name, ${COMPANY}, start_after, id limit 1`
  return `
    with recursive visited as (
      (${firstBehind('$1::bigint')})
      union all
      select following.* from visited cross join lateral (${firstBehind('visited.company_id')}) following
    ), next as (
      select job.id from visited
      cross join lateral (select id from ${waiting} and id = visited.id for update skip locked) job
      where visited.start_after < now() and visited.company_id <> all ($2::bigint[])
        and (select start_after from ${waiting} order by name, start_after limit 1) < now()
      limit 1
    )
    update pgboss.job j set state = 'active', started_on = now(),
      retry_count = case when started_on is not null then retry_count + 1 else retry_count end
    from next where j.name = '${kind}' and j.id = next.id
    returning j.id, j.data - 'traceparent' as data, j.data ->> 'traceparent' as traceparent,
      j.retry_count as "retryCount", j.retry_limit as "retryLimit"`
}
