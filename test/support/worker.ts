import { pino } from 'pino'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createEncryption } from '../../src/domain/ports/encryption.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { SERVER_SECRET, type TestApp } from './app.ts'

/** The real worker over the parts of a test's app. */
export function startTestWorker({ database: { db }, jobs, blobs }: TestApp, scanner: Scanner) {
  return startWorker({
    db,
    jobs,
    blobs,
    scanner,
    mailer: undefined,
    publicUrl: () => 'http://localhost',
    calendarServer: createCalDav({ allowPrivate: false }),
    encryption: createEncryption(SERVER_SECRET),
    log: pino({ level: 'fatal' }),
  })
}
