import { pino } from 'pino'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { createEncryption } from '../../src/domain/encryption.ts'
import { createFeedWatch } from '../../src/domain/feed-watch.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { startWebhooks } from '../../src/jobs/webhooks/start.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { createRecordReader } from '../../src/record-reader.ts'
import { SERVER_SECRET, type TestApp } from './app.ts'

/** The real worker, with the database, queue and storage of a test's app. */
export function startTestWorker({ database: { db }, jobs, blobs }: TestApp, scanner: Scanner) {
  return startWorker({
    db,
    jobs,
    feedWatch: createFeedWatch(db, () => {}),
    blobs,
    scanner,
    mailer: undefined,
    publicUrl: () => 'http://localhost',
    calendarServer: createCalDav({ allowPrivate: false }),
    encryption: createEncryption(SERVER_SECRET),
    webhookSender: createWebhookSender({ allowPrivate: false }),
    readRecord: createRecordReader(db),
    log: pino({ level: 'fatal' }),
  })
}

/** The part of the worker that delivers webhooks, with pauses short enough for a test. */
export function startTestWebhooks({ database: { db }, jobs }: TestApp, pausesMs: readonly number[]) {
  const parts = {
    db,
    jobs,
    feedWatch: createFeedWatch(db, () => {}),
    encryption: createEncryption(SERVER_SECRET),
    webhookSender: createWebhookSender({ allowPrivate: true }),
    readRecord: createRecordReader(db),
    log: pino({ level: 'fatal' }),
  }
  return startWebhooks(parts, pausesMs)
}
