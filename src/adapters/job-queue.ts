import { EventEmitter } from 'node:events'
import type { Client } from 'pg'
import PgBoss from 'pg-boss'
import { LOCKS, TAKE_UNTIL_CLOSED } from '../db/advisory-locks.ts'
import { watchCommits } from '../db/commits.ts'
import type { Database } from '../db/postgres.ts'
import type { Table } from '../db/rows.ts'
import type { Condition } from '../domain/ports/condition.ts'
import { JOB_KINDS, type Job, type JobKind, type JobPayloads, type JobQueue } from '../domain/ports/job-queue.ts'
import { say } from '../domain/sentences/sentences.ts'
import { TO_BE_DONE } from '../domain/upkeep/stored-jobs.ts'
import { tracer } from '../lib/tracing.ts'
import { INDEX_OF_TURNS, takeInTurn } from './job-turns.ts'
import { shareLooks } from './shared-looks.ts'

/** A worker that died holds its jobs for this long; one that is alive must be done by then. */
const JOB_EXPIRES_AFTER_SECONDS = 60
const QUEUE = {
  retryLimit: 14,
  retryDelay: 2,
  retryBackoff: true,
  expireInSeconds: JOB_EXPIRES_AFTER_SECONDS,
  retentionDays: 30,
}
const KEPT_FAILED_DAYS = 30
/** How often the jobs of workers that died are looked for. */
const EXPIRE_EVERY_MS = 15_000

interface Taken<K extends JobKind> {
  id: string
  data: JobPayloads[K]
  traceparent: string | null
  retryCount: number
  retryLimit: number
}

function asJob<K extends JobKind>({ id, data, retryCount, retryLimit, traceparent }: Taken<K>): Job<K> {
  const attempts = { isLastAttempt: retryCount >= retryLimit, isOver: retryCount > retryLimit }
  return { id, payload: data, ...attempts, traceparent }
}

/** Jobs in the same database as the records they belong to, kept by pg-boss in a schema of its own. */
export async function openJobQueue(
  {
    pool,
    withoutDeadline,
    engine,
    commits,
    signals,
  }: Pick<Database, 'pool' | 'withoutDeadline' | 'engine' | 'commits' | 'signals'>,
  onError: (error: Error) => void,
): Promise<JobQueue> {
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values)
  const boss = new PgBoss({
    db: { executeSql },
    // Its own maintenance would run all the time, and remove whatever there is in one statement.
    supervise: false,
    schedule: false,
  })
  boss.on('error', onError)
  const start = async () => {
    await boss.start()
    const { rows } = await pool.query<{ name: string }>('select name from pgboss.queue')
    const missing = JOB_KINDS.filter(kind => !rows.some(({ name }) => name === kind))
    for (const kind of missing) await boss.createQueue(kind, { name: kind, ...QUEUE })
    // Creating an index waits for writers, also when it exists.
    const index = await pool.query<{ name: string | null }>(`select to_regclass('pgboss.job_turns') as name`)
    if (index.rows[0]?.name === null) await pool.query(INDEX_OF_TURNS)
  }
  if (engine === 'embedded') await start()
  else await withoutDeadline(client => alone(client, start))

  const news = new EventEmitter()
  let heard = 0
  // Whoever cannot hear whether there is news looks as if there were some.
  const mayHaveNews = watchCommits(commits ?? (() => (signals?.isHearing() ? heard : ++heard)))
  let isListening = false
  let areWaiting = true
  let expiredAt = performance.now()
  const due = shareLooks(async () => {
    if (performance.now() - expiredAt > EXPIRE_EVERY_MS) {
      expiredAt = performance.now()
      await pool.query(HAND_OVER_SPENT)
      await boss.expire()
      heard++
    }
    if (!mayHaveNews() && !areWaiting) return new Set<JobKind>()
    const { rows } = await pool.query<{ kind: JobKind | null }>({ name: 'due-kinds', text: DUE_KINDS })
    areWaiting = rows.length > 0
    return new Set(rows.flatMap(({ kind }) => kind ?? []))
  })

  /** A look that is under way may have come too early. */
  function hear(kind: string): void {
    heard++
    due.renew()
    news.emit(kind)
  }

  return {
    async enqueue(tx, kind, payloads, ids) {
      if (payloads.length === 0) return
      const traceparent = tracer?.traceparent()
      const db = { executeSql: async (text: string, values: unknown[]) => ({ rows: await tx.raw(text, values) }) }
      await boss.insert(
        payloads.map((payload, index) => ({
          name: kind,
          data: traceparent ? { ...payload, traceparent } : payload,
          id: ids?.[index],
        })),
        { db },
      )
      tx.onCommit(() => {
        hear(kind)
        signals?.send(kind)
      })
    },

    onNews(kind, wake) {
      if (!isListening) signals?.listen(hear)
      isListening = true
      news.on(kind, wake)
      return () => news.off(kind, wake)
    },

    async take<K extends JobKind>(kind: K, after: number, having: number[]) {
      if (!(await due.isThereFor(kind))) return undefined
      const takeAfter = async (companyId: number) =>
        (await pool.query<Taken<K>>(takeInTurn(kind), [companyId, having])).rows[0]
      const taken = (await takeAfter(after)) ?? (after > 0 ? await takeAfter(0) : undefined)
      return taken && asJob(taken)
    },

    complete: (kind, id) => boss.deleteJob(kind, id),
    async putOff(kind, id, { afterSeconds }) {
      // A job that was never started does not use up an attempt.
      await pool.query(
        `update pgboss.job set state = 'retry', started_on = null, start_after = now() + $3 * interval '1 second'
         where name = $1 and id = $2 and state = 'active'`,
        [kind, id, afterSeconds],
      )
      heard++
    },
    async fail(kind, id, error) {
      await boss.fail(kind, id, { message: error.message })
      heard++
    },

    async waiting() {
      const { rows } = await pool.query<{ name: string; jobs: number }>(
        `select name, count(*) as jobs from pgboss.job where ${TO_BE_DONE} group by name`,
      )
      return Object.fromEntries(rows.map(({ name, jobs }) => [name, jobs]))
    },

    async lateSeconds() {
      const { rows } = await pool.query<{ late_seconds: number }>(
        `select ${LATE_SECONDS} as late_seconds from pgboss.job where state < 'active'`,
      )
      return rows[0]?.late_seconds ?? 0
    },

    async check() {
      const { rows } = await pool.query<QueueState>(QUEUE_STATE)
      return conditionOf(rows[0] as QueueState)
    },

    async removeOld(limit) {
      const { rowCount } = await pool.query(REMOVE_OLD, [limit])
      return rowCount ?? 0
    },

    close: () => boss.stop({ graceful: false, close: false }),
  }
}

/** The kinds of which a job is due, and null if any job is waiting. Each is a look-up in an index. */
const DUE_KINDS = [
  ...JOB_KINDS.map(
    kind => `select '${kind}' as kind where exists (
      select from pgboss.job where name = '${kind}' and state < 'active' and start_after < now())`,
  ),
  `select null where exists (select from pgboss.job where state < 'active')`,
].join(' union all ')

/**
 * Jobs whose worker died in their last attempt are taken once more, beyond their attempts, so that a worker gives them up. pg-boss would
 * mark them as failed, and nobody would know.
 */
const HAND_OVER_SPENT = `
  update pgboss.job set state = 'retry', start_after = now()
  where state = 'active' and retry_count >= retry_limit and started_on + expire_in < now()`

const REMOVE_OLD = `
  delete from pgboss.job where (name, id) in (
    select name, id from pgboss.job
    where state = 'failed' and completed_on < now() - interval '${KEPT_FAILED_DAYS} days' or state < 'active' and keep_until < now()
    limit $1)`

interface QueueState {
  waiting: number
  late_seconds: number
  failed: number
  failed_lately: number
}

const LATE_SECONDS = `coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after < now())), 0)::float`
const QUEUE_STATE = `
  select count(*) filter (where state < 'active') as waiting,
    ${LATE_SECONDS} as late_seconds,
    count(*) filter (where state = 'failed') as failed,
    count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day') as failed_lately
  from pgboss.job where state < 'active' or state = 'failed'`
const LATE_AFTER_SECONDS = 300

function conditionOf({ waiting, late_seconds, failed, failed_lately }: QueueState): Condition {
  const counts = { waiting, failed }
  if (late_seconds > LATE_AFTER_SECONDS) {
    const minutes = Math.floor(late_seconds / 60)
    const advice = 'Check that a worker runs and keeps up: WORKER is not off, or `npm run worker` runs elsewhere.'
    return {
      state: 'degraded',
      message: say('{waiting} waiting, {failed} failed. The oldest has been due for {minutes} minutes.', {
        ...counts,
        minutes,
      }),
      advice,
    }
  }
  if (failed_lately === 0) return { state: 'ok', message: say('{waiting} waiting, {failed} failed.', counts) }
  const advice = 'Look at the failed jobs: put right what they say, then run them again.'
  return {
    state: 'degraded',
    message: say('{waiting} waiting, {failed} failed. In the last 24 hours {lately} failed.', {
      ...counts,
      lately: failed_lately,
    }),
    advice,
  }
}

/** The jobs in a backup: those still to be done, and those that failed, which somebody may want to retry. */
export const STORED_JOBS: Table = {
  name: 'jobs',
  at: 'pgboss.job',
  columns: [
    ...['id', 'name', 'priority', 'data', 'state', 'retry_limit', 'retry_count', 'retry_delay', 'retry_backoff'],
    ...['start_after', 'started_on', 'expire_in', 'created_on', 'completed_on', 'keep_until', 'output', 'policy'],
  ],
  where: `state in ('created', 'retry', 'active', 'failed')`,
}

/**
 * pg-boss creates its tables under a lock of its own, but checks for them before it takes it: if two nodes start at once on an
 * empty database, the second would fail. The embedded database has one process and one connection.
 */
async function alone(client: Pick<Client, 'query'>, work: () => Promise<void>): Promise<void> {
  await client.query(TAKE_UNTIL_CLOSED, [LOCKS.jobTables])
  // The lock is released with the connection.
  await work()
}
