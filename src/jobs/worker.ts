import { setTimeout as sleep } from 'node:timers/promises'
import { isClosed } from '../domain/closed-companies.ts'
import { JOB_KINDS, type Job, type JobKind, type JobPayloads, NotYet } from '../domain/ports/job-queue.ts'
import { removeUnneeded } from '../domain/unneeded-blobs.ts'
import { mailNotification } from './mail-notification.ts'
import { notifyPeople } from './notify-people.ts'
import type { WorkerParts } from './parts.ts'
import { removeFolder } from './remove-folder.ts'
import { removeList } from './remove-list.ts'
import { giveUpScan, scanFile } from './scan-file.ts'
import { syncCalendar } from './sync-calendar.ts'
import { takeTurns } from './turns.ts'
import { startUpkeep } from './upkeep/start.ts'
import { startWebhooks } from './webhooks/start.ts'

interface Handler<K extends JobKind> {
  /** How many run at a time. */
  atOnce: number
  /** Returns `NotYet` for a job that has to wait for another. */
  run(payload: JobPayloads[K]): Promise<unknown>
  /** At most one per company at a time, and companies take turns: for jobs that may be slow. */
  inTurn?: true
  /** Called after the last attempt has failed too. */
  giveUp?(payload: JobPayloads[K]): Promise<void>
}

const POLL_EVERY_MS = 500
const STOP_WITHIN_MS = 5_000
/** Nothing is done for a closed company. It may be reopened; once it has been removed, its jobs find nothing to do. */
const CLOSED = new NotYet(3_600)

/** Runs jobs as they fall due, until it is stopped. Any number of workers may run, in any number of processes. */
export function startWorker(parts: WorkerParts): { stop(): Promise<void> } {
  const { db, jobs, blobs, log } = parts
  const stopping = new AbortController()
  const handlers: { [K in JobKind]: Handler<K> } = {
    'notify-people': { atOnce: 4, inTurn: true, run: payload => notifyPeople(parts, payload) },
    'mail-notification': { atOnce: 10, run: payload => mailNotification(parts, payload) },
    'scan-file': {
      atOnce: 2,
      inTurn: true,
      run: payload => scanFile(parts, payload),
      giveUp: payload => giveUpScan(parts, payload),
    },
    'remove-bytes': { atOnce: 5, run: ({ company_id, digest }) => removeUnneeded(db, blobs, company_id, digest) },
    'remove-list': { atOnce: 2, run: payload => removeList(parts, payload) },
    'remove-folder': { atOnce: 2, run: payload => removeFolder(parts, payload) },
    'sync-calendar': { atOnce: 10, run: payload => syncCalendar(parts, payload) },
  }
  const loops = JOB_KINDS.map(kind => {
    const handler = handlers[kind] as Handler<JobKind>
    return handler.inTurn ? loopInTurn(kind, handler) : loop(kind, handler)
  })
  const upkeep = startUpkeep(parts)
  const webhooks = startWebhooks(parts)

  return {
    async stop() {
      stopping.abort()
      // A job that hangs is given to another worker after a while; it does not keep this process from ending.
      const ended = Promise.all([...loops, upkeep.stop(), webhooks.stop()])
      await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }

  async function loop(kind: JobKind, handler: Handler<JobKind>): Promise<void> {
    while (!stopping.signal.aborted) {
      const taken = await takeSome(kind, handler).catch(error => {
        log.warn({ err: error, kind }, 'Jobs could not be taken')
        return 0
      })
      if (taken === 0) await sleep(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function loopInTurn(kind: JobKind, handler: Handler<JobKind>): Promise<void> {
    const turns = takeTurns(handler.atOnce)
    while (!stopping.signal.aborted) {
      const job = await turns
        .next((running, served) => jobs.takeInTurn(kind, running, served))
        .catch(error => log.warn({ err: error, kind }, 'Jobs could not be taken'))
      if (job) turns.begin(job.payload.company_id, attempt(kind, handler, job))
      else await turns.change(POLL_EVERY_MS, stopping.signal)
    }
    await turns.end()
  }

  async function takeSome(kind: JobKind, handler: Handler<JobKind>): Promise<number> {
    const taken = await jobs.take(kind, handler.atOnce)
    await Promise.all(taken.map(job => attempt(kind, handler, job)))
    return taken.length
  }

  /** A job that cannot even be marked as failed is given to another worker after a while. */
  async function attempt(kind: JobKind, handler: Handler<JobKind>, { id, payload, isLastAttempt }: Job): Promise<void> {
    try {
      const outcome = (await isClosed(db, payload.company_id)) ? CLOSED : await handler.run(payload)
      if (outcome instanceof NotYet) await jobs.putOff(kind, id, outcome)
      else await jobs.complete(kind, id)
    } catch (error) {
      log.warn({ err: error, kind, job: id }, 'A job failed')
      await fail(kind, handler, { id, payload, isLastAttempt }, error as Error).catch(failure =>
        log.warn({ err: failure, kind, job: id }, 'A failed job was not noted'),
      )
    }
  }

  async function fail(kind: JobKind, handler: Handler<JobKind>, job: Job, error: Error): Promise<void> {
    if (job.isLastAttempt) await handler.giveUp?.(job.payload)
    await jobs.fail(kind, job.id, error)
  }
}
