import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { forgetOldAnswers } from '../domain/idempotency.ts'
import type { JobKind, JobPayloads, JobQueue } from '../domain/jobs.ts'
import type { Mailer } from '../domain/mail.ts'
import { mailNotification } from './mail-notification.ts'

export interface WorkerParts {
  db: Db
  jobs: JobQueue
  /** Without one, notifications are stored and not mailed. */
  mailer: Mailer | undefined
  log: Logger
}

type Handlers = { [K in JobKind]: (payload: JobPayloads[K]) => Promise<void> }

const POLL_EVERY_MS = 500
const AT_ONCE = 10
const SWEEP_EVERY_MS = 3_600_000

/** Takes jobs as they fall due, until it is told to stop. Any number of workers may run, in any number of processes. */
export function startWorker(parts: WorkerParts): { stop(): Promise<void> } {
  const { db, jobs, log } = parts
  const stopping = new AbortController()
  const handlers: Handlers = { 'mail-notification': payload => mailNotification(parts, payload) }
  const loops = (Object.keys(handlers) as JobKind[]).map(kind => run(kind))
  const sweep = setInterval(() => {
    forgetOldAnswers(db).catch(error => log.warn({ err: error }, 'Old answers were not swept'))
  }, SWEEP_EVERY_MS)
  sweep.unref()

  return {
    async stop() {
      clearInterval(sweep)
      stopping.abort()
      await Promise.all(loops)
    },
  }

  async function run(kind: JobKind): Promise<void> {
    while (!stopping.signal.aborted) {
      const taken = await takeAll(kind).catch(error => {
        log.warn({ err: error, kind }, 'Jobs could not be taken')
        return 0
      })
      if (taken === 0) await sleep(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function takeAll(kind: JobKind): Promise<number> {
    const taken = await jobs.take(kind, AT_ONCE)
    await Promise.all(taken.map(({ id, payload }) => attempt(kind, id, payload)))
    return taken.length
  }

  /** What cannot even be noted as failed is given to another worker after a while. */
  async function attempt(kind: JobKind, id: string, payload: JobPayloads[JobKind]): Promise<void> {
    try {
      await handlers[kind](payload)
      await jobs.complete(kind, id)
    } catch (error) {
      log.warn({ err: error, kind, job: id }, 'A job failed')
      await jobs
        .fail(kind, id, error as Error)
        .catch(failure => log.warn({ err: failure, kind, job: id }, 'A failed job was not noted'))
    }
  }
}
