import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Blobs } from '../domain/blobs.ts'
import type { CalendarServer } from '../domain/calendar-server.ts'
import type { Encryption } from '../domain/encryption.ts'
import type { JobQueue } from '../domain/jobs.ts'
import type { Mailer } from '../domain/mail.ts'
import type { Scanner } from '../domain/scanner.ts'

/** What jobs are done with. */
export interface WorkerParts {
  db: Db
  jobs: JobQueue
  blobs: Blobs
  scanner: Scanner
  /** Without one, notifications are stored and not mailed. */
  mailer: Mailer | undefined
  /** Where people reach Diwan, for links. */
  publicUrl: () => string
  calendarServer: CalendarServer
  encryption: Encryption
  log: Logger
}
