import sql from 'sql-template-tag'
import Type from 'typebox'
import { notFound, orNotFound } from '../domain/errors.ts'
import { reasonOf } from '../domain/upkeep/job-failures.ts'
import { FAILED_JOBS, removeFailed, retryFailed } from '../domain/upkeep/stored-jobs.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Deleted, Id, Instant, Nullable, Paging, Sentence, Single } from '../http/answers/schema.ts'
import { ascending, descending } from '../http/requests/order.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { JobKind } from './vocabulary.ts'

const FailedJob = Type.Object(
  {
    id: Type.String(),
    kind: JobKind(),
    company: Nullable(Type.Object({ id: Id(), name: Type.String() })),
    payload: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    attempts: Type.Integer(),
    reason: Sentence({ description: 'What was to be done and why it failed, in a sentence for people' }),
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
        company: { id: 1, name: 'Najd Trading' },
        payload: { company_id: 1, notification_id: 8 },
        attempts: 15,
        reason: 'A notification could not be mailed: the connection was refused.',
        error: 'connect ECONNREFUSED 127.0.0.1:25',
        created_at: '2026-11-15T08:30:00.000Z',
        failed_at: '2026-11-15T17:42:00.000Z',
      },
    ],
  },
)
type FailedJobAnswer = Type.Static<typeof FailedJob>
type FailedJobRow = Omit<FailedJobAnswer, 'reason'>

const columns = sql`j.*, (select json_build_object('id', c.id, 'name', c.name) from companies c
  where c.id = (j.payload ->> 'company_id')::bigint) as company`

const toAnswer = (job: FailedJobRow): FailedJobAnswer => ({ ...job, reason: reasonOf(job.kind, job.error) })

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
  async run({ db, query }) {
    const { data, meta } = await page<FailedJobRow>(db, query, {
      columns,
      from: sql`${FAILED_JOBS} j where true`,
      order: [descending(sql`j.failed_at`, 'timestamptz'), ascending(sql`j.id`, 'uuid')],
    })
    return { data: data.map(toAnswer), meta }
  },
})

async function findFailedJob({ db, params }: AdminCall): Promise<FailedJobAnswer> {
  const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(params.job ?? '') ? params.job : undefined
  if (!id) throw notFound()
  const job = db.maybe<FailedJobRow>(sql`select ${columns} from ${FAILED_JOBS} j where j.id = ${id} for update`)
  return toAnswer(await orNotFound(job))
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
  async run({ db }, job) {
    await retryFailed(db, job.id)
    return { data: job }
  },
})

export const deleteFailedJob = adminEndpoint({
  name: 'delete_failed_job',
  since: '1.6.0',
  operation: 'jobs:destructive',
  who: 'operator',
  summary: 'Give up a failed job',
  description: 'It is gone from the list and will not be done.',
  method: 'DELETE',
  at: ['/jobs/failed/:job'],
  find: findFailedJob,
  returns: Deleted({ job: FailedJob }),
  async run({ db }, job) {
    await removeFailed(db, job.id)
    return { data: { deleted: true, job } }
  },
})
