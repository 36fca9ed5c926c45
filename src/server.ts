import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { createMemoryBurst } from './adapters/burst-memory.ts'
import { createCalDav } from './adapters/caldav/client.ts'
import { createClientDocuments } from './adapters/client-documents.ts'
import { openJobQueue } from './adapters/job-queue.ts'
import { createTypstRenderer } from './adapters/pdf/renderer.ts'
import { createClamdScanner } from './adapters/scanner/clamd.ts'
import { createYaraScanner } from './adapters/scanner/yara/scanner.ts'
import { createWebhookSender } from './adapters/webhook-sender.ts'
import { buildApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { openEmbedded } from './db/embedded.ts'
import { errorCode } from './db/failures.ts'
import { migrate } from './db/migrate.ts'
import { type Database, openPostgres } from './db/postgres.ts'
import { seedDemo } from './demo.ts'
import { createFeed } from './domain/feed/streams.ts'
import { createFeedWatch, type FeedWatch } from './domain/feed/watch.ts'
import { closeToOthers, requireWritable } from './domain/installation/data-folder.ts'
import { createEncryption } from './domain/installation/encryption.ts'
import { makeFirstLink } from './domain/installation/first-link.ts'
import { requireSameSecret } from './domain/installation/secret-mark.ts'
import { loadSecrets } from './domain/installation/secrets.ts'
import type { Blobs } from './domain/ports/blob-store.ts'
import { type BurstThrottle, type Throttle, UNTHROTTLED } from './domain/ports/burst-throttle.ts'
import type { CalendarServer } from './domain/ports/calendar-server.ts'
import { CALLBACK_PATH, type IdentityProvider } from './domain/ports/identity-provider.ts'
import type { JobQueue } from './domain/ports/job-queue.ts'
import type { Mailer } from './domain/ports/mailer.ts'
import type { Scanner } from './domain/ports/virus-scanner.ts'
import type { WebhookSender } from './domain/ports/webhook-sender.ts'
import { registerSteps } from './domain/upkeep/upkeep.ts'
import { drain } from './http/operation/drain.ts'
import type { WorkerParts } from './jobs/parts.ts'
import { STEPS } from './jobs/upkeep/steps.ts'
import { startWorker } from './jobs/worker.ts'
import { tracer, traceWith } from './lib/tracing.ts'
import { createRecordReader } from './record-reader.ts'
import { openBlobs } from './storage.ts'

const SIGN_IN_FAILURES_PER_MINUTE = 20
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

type Close = () => Promise<unknown> | unknown

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
    const files = { blobs: common.blobs, enqueue: common.jobs.enqueue }
    const demoKey = await seedDemo(database.db, isDemo, secrets.serverSecret, files)
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
async function opening<T>(
  config: Config,
  open: (log: Logger, onStop: (close: Close) => void) => Promise<T>,
): Promise<T & Running> {
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

/** First, so that it is closed last: what the other parts do until then is told too. */
async function openTraces({ traces }: Config, log: Logger, onStop: (close: Close) => void): Promise<void> {
  if (!traces) return
  const { createTracer } = await import('./adapters/traces/tracer.ts')
  const { serviceName, ...collector } = traces
  const opened = createTracer({
    ...collector,
    resource: {
      'service.name': serviceName,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'host.name': hostname(),
      'process.pid': process.pid,
    },
    onStateChange: problem =>
      problem === undefined
        ? log.info('The collector takes traces again')
        : log.warn({ reason: problem }, 'The collector takes no traces: those that do not fit into memory are lost'),
  })
  traceWith(opened)
  onStop(async () => {
    traceWith(undefined)
    await opened.close()
  })
}

/** A part that does not close in time, such as a database that no longer answers, does not keep the process from ending. */
async function closeAll(closes: Close[]): Promise<void> {
  const deadline = performance.now() + STOP_WITHIN_MS
  let isLate = false
  for (const close of closes) {
    const ms = Math.max(PART_STOPS_WITHIN_MS, deadline - performance.now())
    const late = sleep(ms, 'late', { ref: false })
    isLate = (await Promise.race([close(), late])) === 'late' || isLate
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
  onStop: (close: Close) => void,
): Promise<CommonParts> {
  const database = await openDatabase(config, log)
  onStop(database.close)
  const applied = await migrate(database)
  if (applied.length > 0) log.debug({ applied }, 'migrated')
  await requireSameSecret(database.db, serverSecret)
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
  onStop: (close: Close) => void,
): Promise<void> {
  const calendars = { calendarServer: openCalendarServer(config), encryption: createEncryption(serverSecret) }
  const webhooks = { webhookSender: openWebhookSender(config), readRecord: createRecordReader(database.db) }
  const { db, commits } = database
  onStop(
    startWorker({ db, commits, jobs, blobs, feedWatch, scanner, mailer, publicUrl, ...calendars, ...webhooks, log })
      .stop,
  )
}

/** Structured, on standard error: standard output is for the greeting. */
export function createLog({ logLevel, traces }: Config): Logger {
  const mixin = () => ({ trace_id: tracer?.traceId() })
  return pino(
    { level: logLevel, serializers: { err: describeError }, ...(traces && { mixin }) },
    pino.destination({ dest: 2, sync: false }),
  )
}

/** What an error says and where it comes from, without its other properties. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, stack } = error
  return { type: name, message: wordsOf(error), code: errorCode(error), stack }
}

function wordsOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${wordsOf(cause)}` : message
}

export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const { databaseUrl, databaseDirectUrl: directUrl, databasePoolSize: poolSize, dataDir } = config
  // Only the message: the error of a lost connection contains the connection and so its secrets.
  const onError = (error: Error) => log.error({ reason: error.message }, 'The database connection failed')
  if (databaseUrl) return openPostgres(databaseUrl, { poolSize, onError, directUrl })
  await requireWritable(dataDir)
  const existing = join(dataDir, 'database')
  if (existsSync(existing)) await requireWritable(existing)
  return openEmbedded(dataDir, onError, () => log.info('The embedded database is open again'))
}

/**
 * Without clamd, files are scanned here, with our rules and those that the operator puts into the data folder. The operator's
 * rules are compiled in a thread, while this one prepares the rest.
 */
function openScanner({ clamdUrl, dataDir }: Config, onStop: (close: Close) => void): Promise<Scanner> {
  const opening = clamdUrl ? Promise.resolve(createClamdScanner(clamdUrl)) : createYaraScanner(rulesOf(dataDir))
  // Whoever awaits it gets the failure; until then it must not be an unhandled rejection.
  const opened = opening.catch(() => undefined)
  onStop(async () => (await opened)?.close())
  return opening
}

function rulesOf(dataDir: string): { rulesFolder?: string } {
  const rulesFolder = join(dataDir, 'yara-rules')
  return existsSync(rulesFolder) ? { rulesFolder } : {}
}

async function openMailer({ smtpUrl, mailFrom }: Config, onStop: (close: Close) => void): Promise<Mailer | undefined> {
  if (!smtpUrl || !mailFrom) return undefined
  const { createSmtpMailer } = await import('./adapters/mail-smtp.ts')
  const mailer = createSmtpMailer(smtpUrl, mailFrom)
  onStop(mailer.close)
  return mailer
}

export async function openIdentityProvider({ oidc, publicUrl }: Config): Promise<IdentityProvider | undefined> {
  if (!oidc || !publicUrl) return undefined
  const { createOidc } = await import('./adapters/oidc.ts')
  return createOidc(oidc, publicUrl + CALLBACK_PATH)
}

function openCalendarServer({ allowPrivateCalendars }: Config): CalendarServer {
  return createCalDav({ allowPrivate: allowPrivateCalendars })
}

function openWebhookSender({ allowPrivateWebhooks }: Config): WebhookSender {
  return createWebhookSender({ allowPrivate: allowPrivateWebhooks })
}

/** What is not configured is not loaded. */
async function openThrottles(
  { burstPerMinute, redisUrl }: Config,
  log: Logger,
): Promise<{ burst: BurstThrottle; signInFailures: Throttle }> {
  if (!redisUrl)
    return {
      burst: burstPerMinute === 0 ? UNTHROTTLED : createMemoryBurst(burstPerMinute),
      signInFailures: createMemoryBurst(SIGN_IN_FAILURES_PER_MINUTE),
    }
  const { createRedisBurst } = await import('./adapters/burst-redis.ts')
  const { beside, ...shared } = createRedisBurst(redisUrl, {
    perMinute: burstPerMinute,
    onStateChange: (state, reason) =>
      state === 'shared'
        ? log.info('Redis answers: the burst throttle is shared by all nodes')
        : log.warn({ reason }, 'Redis does not answer: this node throttles bursts by its own count'),
  })
  const { admit, admitMany } = burstPerMinute === 0 ? UNTHROTTLED : shared
  return { burst: { ...shared, admit, admitMany }, signInFailures: beside(SIGN_IN_FAILURES_PER_MINUTE) }
}

function urlOf(host: string, { port }: { port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
