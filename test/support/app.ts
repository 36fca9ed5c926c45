import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { openDiskBlobs } from '../../src/adapters/blobs-disk.ts'
import { createMemoryBurst } from '../../src/adapters/burst-memory.ts'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createClientDocuments } from '../../src/adapters/client-documents.ts'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { createOidc, type OidcSettings } from '../../src/adapters/oidc.ts'
import { createTypstRenderer, type PdfLimits } from '../../src/adapters/pdf/renderer.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { buildApp } from '../../src/app.ts'
import type { TrustProxy } from '../../src/config.ts'
import type { Database } from '../../src/db/postgres.ts'
import { createFeed } from '../../src/domain/feed/streams.ts'
import { createFeedWatch } from '../../src/domain/feed/watch.ts'
import type { Blobs } from '../../src/domain/ports/blob-store.ts'
import { UNTHROTTLED } from '../../src/domain/ports/burst-throttle.ts'
import { CALLBACK_PATH } from '../../src/domain/ports/identity-provider.ts'
import type { JobQueue } from '../../src/domain/ports/job-queue.ts'
import { ALONE } from '../../src/domain/ports/shared-places.ts'
import { type Engine, openTestDatabase } from './database.ts'
import { Diwan } from './diwan.ts'
import { type Faults, withFaults } from './faulty-database.ts'
import { recordStatements } from './recorded-statements.ts'
import { tellStatements, watchStatements } from './watched-statements.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-tests-which-nobody-guesses'
export const SERVER_SECRET = 'server-secret-of-the-tests-which-nobody-guesses'

export interface TestApp {
  diwan: Diwan
  database: Database
  jobs: JobQueue
  blobs: Blobs
  server: Server
  url: string
}

interface Options {
  /** By default the engine that this run tests; a trial can name another. */
  engine?: Engine | undefined
  /** Requests a minute; by default there is no burst throttle. */
  burstPerMinute?: number
  signInFailuresPerMinute?: number
  /** Off by default, as in production. Tests need it because their calendar servers are on this machine. */
  allowPrivateCalendars?: boolean
  /** Likewise, because the receivers of tests are on this machine. */
  allowPrivateWebhooks?: boolean
  trustProxy?: TrustProxy
  compression?: boolean
  publicUrl?: string
  /** The identity provider of the tests, with the `publicUrl` to which it sends people back. */
  oidc?: OidcSettings
  /** Whether mail is configured. Its server does not exist; nothing is sent here either way. */
  sendsMail?: boolean
  pdfLimits?: Partial<PdfLimits>
  /** Connections to PostgreSQL. */
  poolSize?: number
}

interface Watching {
  /** Called for every statement that an endpoint sends. */
  onStatement?: () => void
  /** Called with every statement that serves the streams of the feed. */
  onFeedStatement?: (text: string) => void
  /** How statements of calls fail. */
  faults?: Faults
}

/**
 * The real app on a real port. Files with the same options share one per worker: starting it takes longer than most files, and
 * companies keep their tests apart. So a test looks only at what its own companies have.
 */
export function useApp(options: Options = {}): TestApp {
  const running = {} as TestApp
  beforeAll(async () => {
    const key = JSON.stringify(options)
    const starting = shared.get(key) ?? start(options)
    shared.set(key, starting)
    const { app } = await starting
    // No worker runs here, and nobody will do the jobs of the files before.
    await app.database.pool.query('delete from pgboss.job')
    Object.assign(running, app)
  })
  return running
}

/** The apps that this worker shares. They end with its process, and their folders and databases with the run. */
const shared = new Map<string, Promise<{ app: TestApp }>>()

/** An app and a database of its own, for the tests of one file: for what concerns all companies or the database as a whole. */
export function useOwnApp(options: Options & Watching = {}): TestApp {
  const running = {} as TestApp
  let close = async () => {}
  beforeAll(async () => {
    const started = await start(options)
    close = started.close
    Object.assign(running, started.app)
  })
  afterAll(() => close())
  return running
}

async function start({
  engine,
  burstPerMinute,
  signInFailuresPerMinute = 1_000,
  allowPrivateCalendars = false,
  allowPrivateWebhooks = false,
  trustProxy = false,
  compression = true,
  publicUrl,
  oidc,
  sendsMail = false,
  pdfLimits = {},
  poolSize,
  onStatement,
  onFeedStatement = () => {},
  faults,
}: Options & Watching): Promise<{ app: TestApp; close: () => Promise<void> }> {
  const whole = await openTestDatabase(engine, poolSize)
  const opened = faults ? withFaults(whole, faults) : whole
  const database = { ...opened, db: recordStatements(opened.db) }
  const burst = burstPerMinute ? createMemoryBurst(burstPerMinute) : UNTHROTTLED
  const signInFailures = createMemoryBurst(signInFailuresPerMinute)
  const log = pino({ level: 'fatal' })
  const jobs = await openJobQueue(database, error => log.fatal(error))
  const filesFolder = mkdtempSync(join(tmpdir(), 'diwan-files-'))
  const blobs = await openDiskBlobs(filesFolder)
  const pdf = createTypstRenderer(pdfLimits)
  const mailer = sendsMail ? createSmtpMailer('smtp://127.0.0.1:1', 'Diwan <diwan@example.com>') : undefined
  const ofFeed = tellStatements(database.db, onFeedStatement)
  const feedWatch = createFeedWatch({ db: ofFeed }, error => log.fatal(error))
  const feed = createFeed(ofFeed, feedWatch, ALONE, error => log.fatal(error))
  const secrets = { serverSecret: SERVER_SECRET, operatorToken: OPERATOR_TOKEN }
  const app = buildApp({
    database: onStatement ? { ...database, db: watchStatements(database.db, onStatement) } : database,
    jobs,
    blobs,
    pdf,
    calendarServer: createCalDav({ allowPrivate: allowPrivateCalendars }),
    webhookSender: createWebhookSender({ allowPrivate: allowPrivateWebhooks }),
    clientDocuments: createClientDocuments({ allowPrivate: allowPrivateWebhooks }),
    feed,
    log,
    burst,
    signInFailures,
    ...secrets,
    trustProxy,
    compression,
    publicUrl,
    identityProvider: oidc && createOidc(oidc, publicUrl + CALLBACK_PATH),
    mailer,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const close = async () => {
    feed.close()
    await app.close()
    await pdf.close()
    mailer?.close()
    await Promise.all([burst.close(), signInFailures.close()])
    await jobs.close()
    await database.close()
    rmSync(filesFolder, { recursive: true, force: true })
  }
  return { app: { database, jobs, blobs, server: app.server, url, diwan: new Diwan(url, OPERATOR_TOKEN) }, close }
}
