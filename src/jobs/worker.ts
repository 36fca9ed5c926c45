import { setTimeout as sleep } from 'node:timers/promises'
import { JOB_KINDS, type Job, type JobKind, type JobPayloads, NotYet } from '../domain/ports/job-queue.ts'
import { removeUnneeded } from '../domain/records/unneeded-blobs.ts'
import { secondsOfRest } from '../domain/upkeep/closed-companies.ts'
import { withDeadline } from '../lib/deadline.ts'
import { type Span, tracer } from '../lib/tracing.ts'
import { JOBS_AT_ONCE } from '../queues.ts'
import { mailNotification } from './mail-notification.ts'
import { notifyPeople } from './notify-people.ts'
import type { WorkerParts } from './parts.ts'
import { removeFolder } from './remove-folder.ts'
import { removeList } from './remove-list.ts'
import { giveUpScan, scanFile } from './scan-file.ts'
import { syncCalendar } from './sync-calendar.ts'
import { type Bounds, takeTurns } from './turns.ts'
import { startUpkeep } from './upkeep/start.ts'
import { startWebhooks } from './webhooks/start.ts'

interface Handler<K extends JobKind> {
  /** Returns `NotYet` for a job that has to wait for another. The signal tells it that its time is up. */
  run(payload: JobPayloads[K], signal: AbortSignal): Promise<unknown>
  /** Called after the last attempt has failed too. */
  giveUp?(payload: JobPayloads[K]): Promise<void>
}

const AT_ONCE: Record<JobKind, Bounds> = JOBS_AT_ONCE
const POLL_EVERY_MS = 500
const STOP_WITHIN_MS = 5_000
/**
 * When the time of a job is up, it is told to end; a little later its place is free again, whether it has ended or not. Both
 * together are shorter than the minute after which the job would be given to another worker.
 */
const DEADLINE = { limitMs: 40_000, graceMs: 10_000 }

/** Runs jobs as they fall due, until it is stopped. Any number of workers may run, in any number of processes. */
export function startWorker(parts: WorkerParts, deadline = DEADLINE): { stop(withinMs?: number): Promise<void> } {
  const { db, jobs, blobs, log } = parts
  const stopping = new AbortController()
  const handlers: { [K in JobKind]: Handler<K> } = {
    'notify-people': { run: payload => notifyPeople(parts, payload) },
    'mail-notification': { run: payload => mailNotification(parts, payload) },
    'scan-file': {
      run: payload => scanFile(parts, payload),
      giveUp: payload => giveUpScan(parts, payload),
    },
    'remove-bytes': {
      run: ({ company_id, digest }) => removeUnneeded(db, blobs, company_id, digest),
    },
    'remove-list': { run: (payload, signal) => removeList(parts, payload, signal) },
    'remove-folder': { run: (payload, signal) => removeFolder(parts, payload, signal) },
    'sync-calendar': { run: (payload, signal) => syncCalendar(parts, payload, signal) },
  }
  const loops = JOB_KINDS.map(kind => loop(kind, handlers[kind] as Handler<JobKind>))
  const upkeep = startUpkeep(parts)
  const webhooks = startWebhooks(parts)

  return {
    async stop(withinMs = STOP_WITHIN_MS) {
      stopping.abort()
      // A job that hangs is given to another worker after a while; it does not keep this process from ending.
      const ended = Promise.all([...loops, upkeep.stop(), webhooks.stop()])
      await Promise.race([ended, sleep(Math.min(STOP_WITHIN_MS, withinMs * 0.9), undefined, { ref: false })])
    },
  }

  /** Companies take turns, and a turn that ends makes room for the next at once. */
  async function loop(kind: JobKind, handler: Handler<JobKind>): Promise<void> {
    const turns = takeTurns(AT_ONCE[kind], stopping.signal)
    const unfollow = jobs.onNews(kind, turns.wake)
    while (!stopping.signal.aborted) {
      const job = await turns
        .next((after, having) => jobs.take(kind, after, having))
        .catch(error => log.warn({ err: error, kind }, 'Jobs could not be taken'))
      if (job) turns.begin(job.payload.company_id, traced(kind, handler, job))
      else await turns.change(POLL_EVERY_MS)
    }
    unfollow()
    await turns.end()
  }

  function traced(kind: JobKind, handler: Handler<JobKind>, job: Job): Promise<void> {
    if (!tracer) return attempt(kind, handler, job)
    const attributes = { 'diwan.job.kind': kind, 'diwan.job.id': job.id, 'diwan.company_id': job.payload.company_id }
    const facts = { name: `job ${kind}`, kind: 'consumer', attributes } as const
    return tracer.following(job.traceparent, facts, span => attempt(kind, handler, job, span))
  }

  /**
   * A job that cannot even be marked as failed is given to another worker after a while. What becomes of one that was left
   * behind no longer matters: it has failed, and will be tried again.
   */
  async function attempt(kind: JobKind, handler: Handler<JobKind>, job: Job, span?: Span): Promise<void> {
    const { id, payload } = job
    // Nothing is done for a closed company. It may be reopened; once it has been removed, its jobs find nothing to do.
    const run = async (ended: AbortSignal) => {
      const rest = await secondsOfRest(db, payload.company_id)
      if (rest !== undefined) return new NotYet(rest)
      if (job.isOver) throw new Error('Its worker ended, or gave no answer')
      return handler.run(payload, ended)
    }
    try {
      const outcome = await withDeadline(deadline.limitMs, run, deadline)
      if (outcome instanceof NotYet) await jobs.putOff(kind, id, outcome)
      else await jobs.complete(kind, id)
    } catch (error) {
      span?.fail(error)
      log.warn({ err: error, kind, job: id }, 'A job failed')
      await fail(kind, handler, job, error as Error).catch(failure =>
        log.warn({ err: failure, kind, job: id }, 'A failed job was not noted'),
      )
    }
  }

  async function fail(kind: JobKind, handler: Handler<JobKind>, job: Job, error: Error): Promise<void> {
    if (job.isLastAttempt) await handler.giveUp?.(job.payload)
    await jobs.fail(kind, job.id, error)
  }
}
