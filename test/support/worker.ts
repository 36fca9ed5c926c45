import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { createFeedWatch } from '../../src/domain/feed/watch.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
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

/**
 * Tells people of everything that has happened so far, as the worker does a moment after the write. The earliest comes first:
 * the worker puts off what comes too early, and a second is long for a test.
 */
export async function tellPeople({ database: { db }, jobs }: Working): Promise<void> {
  const untold = await db.many<{ company_id: number; notice_id: number; job_id: string }>(sql`
    select w.company_id, w.id as notice_id, j.id as job_id
    from notices w join pgboss.job j on j.name = 'notify-people' and j.id = w.job_id order by w.id`)
  for (const { job_id, ...notice } of untold) {
    while (await notifyPeople({ db, jobs }, notice));
    await jobs.complete('notify-people', job_id)
  }
}

/** Removes the folders that have been deleted so far, likewise. */
export async function removeFolders({ database: { db }, jobs }: Working): Promise<void> {
  while ((await jobs.waiting())['remove-folder']) {
    const job = await jobs.take('remove-folder', 0, [])
    const outcome = job && (await removeFolder({ db, jobs }, job.payload, new AbortController().signal))
    if (outcome) await jobs.putOff('remove-folder', job.id, outcome)
    else if (job) await jobs.complete('remove-folder', job.id)
    else await sleep(100)
  }
}
