import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/postgres.ts'
import type { FeedWatch } from '../domain/feed/watch.ts'
import type { Encryption } from '../domain/installation/encryption.ts'
import type { Blobs } from '../domain/ports/blob-store.ts'
import type { CalendarServer } from '../domain/ports/calendar-server.ts'
import type { JobQueue } from '../domain/ports/job-queue.ts'
import type { Mailer } from '../domain/ports/mailer.ts'
import type { ReadRecord } from '../domain/ports/record-reader.ts'
import type { Scanner } from '../domain/ports/virus-scanner.ts'
import type { WebhookSender } from '../domain/ports/webhook-sender.ts'

/** What jobs work with. */
export interface WorkerParts {
  db: Db
  jobs: JobQueue
  feedWatch: FeedWatch
  /** See `Database`. */
  commits?: Database['commits'] | undefined
  blobs: Blobs
  scanner: Scanner
  /** Without a mailer, notifications are stored but not mailed. */
  mailer: Mailer | undefined
  /** The URL at which people reach Diwan, for links. */
  publicUrl: () => string
  calendarServer: CalendarServer
  encryption: Encryption
  webhookSender: WebhookSender
  readRecord: ReadRecord
  log: Logger
}
