import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createClientDocuments } from './adapters/client-documents.ts'
import { openJobQueue } from './adapters/job-queue.ts'
import { createTypstRenderer } from './adapters/pdf/renderer.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import type { Database } from './db/postgres.ts'
import { seedDemo } from './demo.ts'
import { createMint } from './domain/access/credentials.ts'
import { requireOwnCell } from './domain/cells/numbers.ts'
import { createFeed } from './domain/feed/streams.ts'
import { createFeedWatch, type FeedWatch } from './domain/feed/watch.ts'
import { closeToOthers } from './domain/installation/data-folder.ts'
import { createEncryption } from './domain/installation/encryption.ts'
import { makeFirstLink } from './domain/installation/first-link.ts'
import { requireSameSecret } from './domain/installation/secret-mark.ts'
import { loadSecrets } from './domain/installation/secrets.ts'
import type { Blobs } from './domain/ports/blob-store.ts'
import type { JobQueue } from './domain/ports/job-queue.ts'
import { registerSteps } from './domain/upkeep/upkeep.ts'
import { drain } from './http/operation/drain.ts'
import type { WorkerParts } from './jobs/parts.ts'
import { STEPS } from './jobs/upkeep/steps.ts'
import { startWorker } from './jobs/worker.ts'
import { ConfigError } from './lib/settings.ts'
import {
  type Close,
  createLog,
  type OnStop,
  openCalendarServer,
  openCells,
  openDatabase,
  openIdentityProvider,
  openMailer,
  openScanner,
  openThrottles,
  openTraces,
  openWebhookSender,
} from './parts.ts'
import { createRecordReader } from './record-reader.ts'
import { openBlobs } from './storage.ts'

/** The backlog of connections. The kernel resets those beyond; its own limit, `somaxconn`, is usually the same. */
const MOST_WAITING_CONNECTIONS = 4_096
/** How long running requests have to finish; all parts together have a little longer to close. */
const DRAIN_WITHIN_MS = 6_000
const STOP_WITHIN_MS = 8_000
const PART_STOPS_WITHIN_MS = 1_000

/** Something that runs until it is stopped. */
export interface Running {
  log: Logger
  /** Finishes what is running, then closes the parts in the reverse order of opening. */
  stop(): Promise<void>
}

export interface RunningServer extends Running {
  url: string
  /** The URL at which people reach the console. */
  consoleUrl: string
  /** The code of the link that signs the operator in once, on the first start. */
  consoleCode: string | undefined
  /** The key of the demo company, on the start that created it. */
  demoKey: string | undefined
}

/** Opens the parts in the order of their dependencies, and listens. */
export function startServer(config: Config): Promise<RunningServer> {
  return opening(config, async (log, onStop) => {
    const secrets = await loadSecrets(config.dataDir, config)
    const common = await openCommonParts(config, secrets.serverSecret, log, onStop)
    // The health of clamd is checked even if this process scans nothing.
    const scanner = config.worker || config.clamdUrl ? openScanner(config, onStop) : undefined
    const mailer = await openMailer(config, onStop)
    const { database } = common
    const { burst, signInFailures } = await openThrottles(config, log)
    onStop(burst.close)
    const pdf = createTypstRenderer()
    onStop(pdf.close)

    const feed = createFeed(database.db, common.feedWatch, burst.places, error =>
      log.warn({ err: error }, 'The feed could not be sent'),
    )
    const app = buildApp({
      ...common,
      ...secrets,
      pdf,
      calendarServer: openCalendarServer(config),
      webhookSender: openWebhookSender(config),
      clientDocuments: createClientDocuments({ allowPrivate: config.allowPrivateWebhooks }),
      feed,
      log,
      burst,
      signInFailures,
      trustProxy: config.trustProxy,
      compression: config.compression,
      mailer,
      scanner,
      publicUrl: config.publicUrl,
      identityProvider: await openIdentityProvider(config),
      cells: openCells(config, secrets.serverSecret, onStop),
    })
    const publicUrl = () => config.publicUrl ?? urlOf(config.host, (app.server.address() as AddressInfo) ?? config)
    if (config.worker && scanner) {
      const tools = { scanner: await scanner, mailer }
      await openWorker(config, secrets.serverSecret, publicUrl, common, tools, log, onStop)
    }
    onStop(() => drain(app, DRAIN_WITHIN_MS))
    onStop(feed.close)
    // Fastify must not log the address, because the greeting shows it.
    log.level = 'warn'
    await app.listen({ host: config.host, port: config.port, backlog: MOST_WAITING_CONNECTIONS }).catch(error => {
      throw new ConfigError(`HOST and PORT: ${error.message}`)
    })
    log.level = config.logLevel
    // Only now: they are shown once, and must not be lost on a start that finds the port taken.
    const consoleCode = await makeFirstLink(database.db, secrets.serverSecret)
    const isDemo = config.demo ?? database.engine === 'embedded'
    const mint = createMint(secrets.serverSecret, config.cell !== undefined)
    const files = { blobs: common.blobs, enqueue: common.jobs.enqueue }
    const demoKey = await seedDemo(database.db, isDemo, mint, files)
    const url = urlOf(config.host, app.server.address() as AddressInfo)
    return { url, consoleUrl: `${config.publicUrl ?? url}/console`, consoleCode, demoKey }
  })
}

/** A process that works on jobs and serves nothing. */
export function startWorkerAlone(config: Config): Promise<Running> {
  return opening(config, async (log, onStop) => {
    const scanner = openScanner(config, onStop)
    // Without the embedded database the server secret is always set.
    const serverSecret = config.serverSecret as string
    const common = await openCommonParts(config, serverSecret, log, onStop)
    const publicUrl = () => config.publicUrl ?? urlOf(config.host, config)
    const tools = { mailer: await openMailer(config, onStop), scanner: await scanner }
    await openWorker(config, serverSecret, publicUrl, common, tools, log, onStop)
    return {}
  })
}

/** Everything that was opened is closed again: on stop, and when a later part fails to open. */
async function opening<T>(config: Config, open: (log: Logger, onStop: OnStop) => Promise<T>): Promise<T & Running> {
  const log = createLog(config)
  const closes: Close[] = []
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= closeAll(closes)
    return stopping
  }
  const onStop = (close: Close) => closes.unshift(close)
  try {
    await openTraces(config, log, onStop)
    return { ...(await open(log, onStop)), log, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A part that does not close in time, such as a database that no longer answers, does not keep the process from ending. */
async function closeAll(closes: Close[]): Promise<void> {
  const deadline = performance.now() + STOP_WITHIN_MS
  let isLate = false
  for (const close of closes) {
    const ms = Math.max(PART_STOPS_WITHIN_MS, deadline - performance.now())
    const late = sleep(ms, 'late', { ref: false })
    isLate = (await Promise.race([close(ms), late])) === 'late' || isLate
  }
  if (isLate) throw new Error('A part did not close in time')
}

interface CommonParts {
  database: Database
  jobs: JobQueue
  blobs: Blobs
  feedWatch: FeedWatch
}

/** What both server and worker depend on. */
async function openCommonParts(
  config: Config,
  serverSecret: string,
  log: Logger,
  onStop: OnStop,
): Promise<CommonParts> {
  const database = await openDatabase(config, log)
  onStop(database.close)
  const applied = await migrate(database, { onWait: message => log.warn(message) })
  if (applied.length > 0) log.debug({ applied }, 'migrated')
  await requireSameSecret(database.db, serverSecret)
  await requireOwnCell(database.db, config.cell)
  await registerSteps(database.db, STEPS)
  const jobs = await openJobQueue(database, error => log.warn({ err: error }, 'The job queue failed'))
  onStop(jobs.close)
  const feedWatch = createFeedWatch(database, error => log.warn({ err: error }, 'The feed could not be read'))
  const blobs = await openBlobs(config)
  if (await closeToOthers(config.dataDir))
    log.warn(`Others on this machine can look into DATA_DIR. Close it with: chmod 700 ${config.dataDir}`)
  return { database, jobs, feedWatch, blobs }
}

async function openWorker(
  config: Config,
  serverSecret: string,
  publicUrl: () => string,
  { database, jobs, blobs, feedWatch }: CommonParts,
  { scanner, mailer }: Pick<WorkerParts, 'scanner' | 'mailer'>,
  log: Logger,
  onStop: OnStop,
): Promise<void> {
  const calendars = { calendarServer: openCalendarServer(config), encryption: createEncryption(serverSecret) }
  const webhooks = { webhookSender: openWebhookSender(config), readRecord: createRecordReader(database.db) }
  const { db, commits } = database
  onStop(
    startWorker({ db, commits, jobs, blobs, feedWatch, scanner, mailer, publicUrl, ...calendars, ...webhooks, log })
      .stop,
  )
}

function urlOf(host: string, { port }: { port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
