import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { createFeedWatch } from '../../src/domain/feed/watch.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import type { JobKind, JobPayloads, JobQueue, NotYet } from '../../src/domain/ports/job-queue.ts'
import type { Mailer } from '../../src/domain/ports/mailer.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { notifyPeople } from '../../src/jobs/notify-people.ts'
import { removeFolder } from '../../src/jobs/remove-folder.ts'
import { startWebhooks } from '../../src/jobs/webhooks/start.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { createRecordReader } from '../../src/record-reader.ts'
import { SERVER_SECRET, type TestApp } from './app.ts'

/** The real worker, with the database, queue and storage of a test's app. */
export function startTestWorker(
  { database: { db }, jobs, blobs }: TestApp,
  scanner: Scanner,
  { deadline, mailer }: { deadline?: Parameters<typeof startWorker>[1]; mailer?: Mailer } = {},
) {
  const parts = {
    db,
    jobs,
    feedWatch: createFeedWatch({ db }, () => {}),
    blobs,
    scanner,
    mailer,
    publicUrl: () => 'http://localhost',
    calendarServer: createCalDav({ allowPrivate: false }),
    encryption: createEncryption(SERVER_SECRET),
    webhookSender: createWebhookSender({ allowPrivate: false }),
    readRecord: createRecordReader(db),
    log: pino({ level: 'fatal' }),
  }
  return startWorker(parts, deadline)
}

/** The part of the worker that delivers webhooks, with pauses short enough for a test. */
export function startTestWebhooks({ database: { db }, jobs }: TestApp, pausesMs: readonly number[]) {
  const parts = {
    db,
    jobs,
    feedWatch: createFeedWatch({ db }, () => {}),
    encryption: createEncryption(SERVER_SECRET),
    webhookSender: createWebhookSender({ allowPrivate: true }),
    readRecord: createRecordReader(db),
    log: pino({ level: 'fatal' }),
  }
  return startWebhooks(parts, pausesMs)
}

type Working = Pick<TestApp, 'database' | 'jobs'>

/** Tells people of everything that has happened so far, as the worker does a moment after the write. */
export function tellPeople({ database: { db }, jobs }: Working): Promise<void> {
  return doAll(jobs, 'notify-people', payload => notifyPeople({ db, jobs }, payload))
}

/** Removes the folders that have been deleted so far, likewise. */
export function removeFolders({ database: { db }, jobs }: Working): Promise<void> {
  return doAll(jobs, 'remove-folder', payload => removeFolder({ db, jobs }, payload, new AbortController().signal))
}

async function doAll<K extends JobKind>(
  jobs: JobQueue,
  kind: K,
  run: (payload: JobPayloads[K]) => Promise<NotYet | undefined>,
): Promise<void> {
  while ((await jobs.waiting())[kind]) {
    const job = await jobs.take(kind, 0, [])
    const outcome = job && (await run(job.payload))
    if (outcome) await jobs.putOff(kind, job.id, outcome)
    else if (job) await jobs.complete(kind, job.id)
    // What waits for another is due again a moment later.
    else await sleep(100)
  }
}
