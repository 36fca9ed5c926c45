import { pino } from 'pino'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { createFeedWatch } from '../../src/domain/feed/watch.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import type { Blobs } from '../../src/domain/ports/blob-store.ts'
import { NO_SCANNER } from '../../src/domain/ports/virus-scanner.ts'
import type { WorkerParts } from '../../src/jobs/parts.ts'
import { STEPS, type Step } from '../../src/jobs/upkeep/steps.ts'
import { createRecordReader } from '../../src/record-reader.ts'
import { SERVER_SECRET, type TestApp } from './app.ts'

/** What the upkeep of a test's app works with. It scans nothing and sends nothing. */
export function upkeepParts({ database: { db }, jobs, blobs }: TestApp): WorkerParts {
  return {
    db,
    jobs,
    feedWatch: createFeedWatch({ db }, () => {}),
    blobs,
    scanner: { check: async () => NO_SCANNER } as WorkerParts['scanner'],
    mailer: undefined,
    publicUrl: () => 'http://localhost',
    calendarServer: createCalDav({ allowPrivate: false }),
    encryption: createEncryption(SERVER_SECRET),
    webhookSender: createWebhookSender({ allowPrivate: false }),
    readRecord: createRecordReader(db),
    log: pino({ level: 'silent' }),
  }
}

/** Does one step of the upkeep from beginning to end. Returns what each of its pieces has removed. */
export async function doStep(app: TestApp, name: string, blobs: Blobs = app.blobs): Promise<number[]> {
  const pieces: number[] = []
  const step = STEPS.find(known => known.name === name) as Step
  for await (const removed of step.run({ ...upkeepParts(app), blobs })) pieces.push(removed)
  return pieces
}
