import sql from 'sql-template-tag'
import Type from 'typebox'
import { notFound, orNotFound } from '../domain/errors.ts'
import { ascending, descending } from '../http/order.ts'
import { page } from '../http/pagination.ts'
import { Collection, Instant, Nullable, Paging, Single } from '../http/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

const FailedJob = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    payload: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    attempts: Type.Integer(),
    error: Nullable(Type.String({ description: 'The error of the last attempt' })),
    created_at: Instant(),
    failed_at: Instant(),
  },
  {
    title: 'FailedJob',
    examples: [
      {
        id: '2f0c1f6e-8a3c-4c5f-9a52-6f3f0f1f7c11',
        kind: 'mail-notification',
        payload: { company_id: 1, notification_id: 8 },
        attempts: 15,
        error: 'connect ECONNREFUSED 127.0.0.1:25',
        created_at: '2026-11-15T08:30:00.000Z',
        failed_at: '2026-11-15T17:42:00.000Z',
      },
    ],
  },
)

export const listFailedJobs = adminEndpoint({
  name: 'list_failed_jobs',
  since: '1.3.0',
  operation: 'jobs:read',
  who: 'operator',
  summary: 'List failed jobs',
  description: 'Jobs whose every attempt failed, newest first. They are kept for 30 days.',
  method: 'GET',
  at: ['/jobs/failed'],
  query: Type.Object(Paging),
  returns: Collection(FailedJob),
  run: ({ db, failedJobs, query }) =>
    page(db, query, {
      columns: sql`j.*`,
      from: sql`${failedJobs.table} j where true`,
      order: [descending(sql`j.failed_at`, 'timestamptz'), ascending(sql`j.id`, 'uuid')],
    }),
})

async function findFailedJob({ db, failedJobs, params }: AdminCall): Promise<Type.Static<typeof FailedJob>> {
  const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(params.job ?? '') ? params.job : undefined
  if (!id) throw notFound()
  return orNotFound(
    db.maybe<Type.Static<typeof FailedJob>>(sql`select j.* from ${failedJobs.table} j where j.id = ${id} for update`),
  )
}

export const retryJob = adminEndpoint({
  name: 'retry_job',
  since: '1.3.0',
  operation: 'jobs:write',
  who: 'operator',
  summary: 'Run a failed job again',
  method: 'POST',
  at: ['/jobs/failed/:job/retry'],
  find: findFailedJob,
  returns: Single(FailedJob),
  async run({ db, failedJobs }, job) {
    await failedJobs.retry(db, job.id)
    return { data: job }
  },
})
