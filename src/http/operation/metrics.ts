import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import sql from 'sql-template-tag'
import type { Database } from '../../db/postgres.ts'
import { preparedStatements } from '../../db/prepared-statements.ts'
import type { Replica } from '../../db/replica.ts'
import type { RequestLog } from '../../domain/access/request-log.ts'
import { feedLagSeconds } from '../../domain/feed/lag.ts'
import type { Health } from '../../domain/installation/health.ts'
import type { JobQueue } from '../../domain/ports/job-queue.ts'
import { FAILED_JOBS } from '../../domain/upkeep/stored-jobs.ts'
import { readUpkeep, type StepState } from '../../domain/upkeep/upkeep.ts'
import { tracer } from '../../lib/tracing.ts'

export const REQUESTS_TOTAL = 'diwan_requests_total'
export const REQUEST_SECONDS = 'diwan_request_seconds'
/** A timer runs this often to measure the delay of the event loop: more often would show in the load of an idle server. */
export const DELAY_RESOLUTION_MS = 100

const STATES = { ok: 0, off: 0, degraded: 1, down: 2 }

/** Metrics for Prometheus: requests and their duration by operation, the database pool, and those of Node.js itself. */
export function createMetrics(
  app: FastifyInstance,
  { connections, db, replica }: Pick<Database, 'connections' | 'db' | 'replica'>,
  jobs: JobQueue,
  requestLog: Pick<RequestLog, 'dropped'>,
  health: Health,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DELAY_RESOLUTION_MS })
  const requests = new Counter({
    name: REQUESTS_TOTAL,
    help: 'Requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: REQUEST_SECONDS,
    help: 'Time from the first byte in to the last byte out, by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  gauge('diwan_database_connections', 'Connections that are open', () => connections().open)
  gauge('diwan_database_connections_idle', 'Connections that are open and free', () => connections().idle)
  gauge('diwan_database_queue', 'Calls that wait for a connection', () => connections().waiting)
  countReads(registry, replica)
  const prepared = 'diwan_database_prepared_statements'
  gauge(prepared, 'Statements that connections keep prepared', () => preparedStatements().count)
  gauge(`${prepared}_bytes`, 'Estimated memory of the database for them', () => preparedStatements().bytes)
  counter(
    `${prepared}_evicted_total`,
    'Prepared statements that were forgotten to make room for others',
    () => preparedStatements().evicted,
  )
  counter(
    'diwan_requests_turned_away_total',
    'Requests that were refused at the entrance because more came than could be answered',
    app.entrance.refused,
  )
  counter(
    'diwan_request_log_dropped_total',
    'Requests that are missing in the logs of companies because they came too fast',
    requestLog.dropped,
  )
  counter(
    'diwan_spans_dropped_total',
    'Spans that are missing in traces because the collector did not take them',
    () => tracer?.dropped() ?? 0,
  )

  const parts = new Gauge({
    name: 'diwan_part_state',
    help: 'The health of each part that this process depends on: 0 when it works or is not set up, 1 degraded, 2 down',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      for (const { name, state } of await health.seen()) parts.set({ part: name }, STATES[state])
    },
  })

  const failing = new Gauge({
    name: 'diwan_webhooks_failing',
    help: 'Webhooks to which every delivery has failed for more than an hour',
    registers: [registry],
    async collect() {
      const { webhooks } = await db.one<{ webhooks: number }>(
        sql`select count(*) as webhooks from webhooks where active and failing_since < now() - interval '1 hour'`,
      )
      failing.set(webhooks)
    },
  })

  const waiting = new Gauge({
    name: 'diwan_jobs_waiting',
    help: 'Jobs that are due, running or waiting for another attempt, by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      waiting.reset()
      for (const [kind, count] of Object.entries(await jobs.waiting())) waiting.set({ kind }, count)
    },
  })

  const failed = new Gauge({
    name: 'diwan_jobs_failed',
    help: 'Jobs that have failed on every attempt and wait for the operator, by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      failed.reset()
      const rows = await db.many<{ kind: string; jobs: number }>(
        sql`select kind, count(*) as jobs from ${FAILED_JOBS} failed group by kind`,
      )
      for (const { kind, jobs } of rows) failed.set({ kind }, jobs)
    },
  })

  const late = new Gauge({
    name: 'diwan_jobs_late_seconds',
    help: 'For how long the oldest job that nobody has taken has been due: 0 when there is none',
    registers: [registry],
    async collect() {
      late.set(await jobs.lateSeconds())
    },
  })

  const lag = new Gauge({
    name: 'diwan_feed_lag_seconds',
    help: 'For how long the oldest change that is committed has not been shown in the feed: 0 when all are',
    registers: [registry],
    async collect() {
      lag.set(await feedLagSeconds(db))
    },
  })

  ofStep(
    'done_timestamp_seconds',
    'When a step of the upkeep last ran to its end',
    ({ done_at }) => Date.parse(done_at) / 1000,
  )
  ofStep('overdue', '1 when a step of the upkeep has not run to its end for two of its periods', step =>
    Number(step.is_overdue),
  )
  ofStep('failures', 'How often a step of the upkeep has failed since it last ran to its end', step => step.failures)
  ofStep('removed', 'How many rows or files a step of the upkeep has removed in all', step => step.removed)

  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.operation || 'none'
    requests.inc({ operation, status: String(reply.statusCode) })
    seconds.observe({ operation }, reply.elapsedTime / 1000)
    done()
  })
  return registry

  function ofStep(name: string, help: string, read: (step: StepState) => number): void {
    new Gauge({
      name: `diwan_upkeep_${name}`,
      help,
      labelNames: ['step'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const step of await readUpkeep(db)) this.set({ step: step.step }, read(step))
      },
    })
  }

  /** What is counted elsewhere. */
  function counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
}

/** Of the reads that the replica may answer, how many it did. */
function countReads(registry: Registry, replica: Replica | undefined): void {
  new Counter({
    name: 'diwan_reads_total',
    help: 'Reads that the replica may answer, by the server that did: replica or primary',
    labelNames: ['from'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [from, count] of Object.entries(replica?.reads() ?? {})) this.inc({ from }, count)
    },
  })
}

/** Counts what OAuth refuses, by reason. Those that have not happened yet are shown as 0, so that the first one is noticed. */
export function countRefusals<Reason extends string>(registry: Registry, reasons: readonly Reason[]) {
  const refusals = new Counter({
    name: 'diwan_oauth_refusals_total',
    help: 'Requests of apps that OAuth refused, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of reasons) refusals.inc({ reason }, 0)
  return (reason: Reason) => refusals.inc({ reason })
}
