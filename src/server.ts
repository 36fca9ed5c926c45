import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { createMemoryBurst } from './adapters/burst-memory.ts'
import { createRedisBurst } from './adapters/burst-redis.ts'
import { openJobQueue } from './adapters/job-queue.ts'
import { createSmtpMailer } from './adapters/mail-smtp.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { type Database, openPostgres } from './db/postgres.ts'
import { seedDemo } from './demo.ts'
import type { BurstThrottle } from './domain/burst.ts'
import type { JobQueue } from './domain/jobs.ts'
import type { Mailer } from './domain/mail.ts'
import { loadSecrets } from './domain/secrets.ts'
import { startWorker } from './jobs/worker.ts'

const SIGN_IN_FAILURES_PER_MINUTE = 20
const STOP_WITHIN_MS = 8_000

export interface RunningServer {
  url: string
  log: Logger
  /** The key of the demo company, on the start that made it. */
  demoKey: string | undefined
  /** Stops accepting, finishes what runs, closes the parts. */
  stop(): Promise<void>
}

/** Opens the parts in the order in which they need each other, and listens. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLog(config)
  const secrets = await loadSecrets(config.dataDir, config)
  const database = await openDatabase(config, log)
  try {
    const applied = await migrate(database.pool)
    if (applied.length > 0) log.debug({ applied }, 'migrated')
    const demoKey = await seedDemo(database.db, config.demo ?? database.engine === 'embedded', secrets.serverSecret)
    const jobs = await openJobs(database, log)
    const worker = config.worker ? startWorker({ db: database.db, jobs, mailer: openMailer(config), log }) : undefined
    const burst = openBurst(config, log)
    const signInFailures = createMemoryBurst(SIGN_IN_FAILURES_PER_MINUTE)
    const app = await buildApp({
      database,
      jobs,
      log,
      burst,
      signInFailures,
      ...secrets,
      trustProxy: config.trustProxy,
    })
    // The greeting says where it listens.
    log.level = 'warn'
    await app.listen({ host: config.host, port: config.port })
    log.level = config.logLevel
    const stop = once(async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), STOP_WITHIN_MS)
      await app.close()
      clearTimeout(force)
      await Promise.all([burst.close(), signInFailures.close(), worker?.stop()])
      await jobs.close()
      await database.close()
    })
    return { url: urlOf(config.host, app.server.address() as AddressInfo), log, demoKey, stop }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A process that works on jobs and serves nothing. */
export async function startWorkerAlone(config: Config): Promise<Pick<RunningServer, 'log' | 'stop'>> {
  const log = createLog(config)
  const database = await openDatabase(config, log)
  await migrate(database.pool)
  const jobs = await openJobs(database, log)
  const worker = startWorker({ db: database.db, jobs, mailer: openMailer(config), log })
  const stop = once(async () => {
    await worker.stop()
    await jobs.close()
    await database.close()
  })
  return { log, stop }
}

/** Structured, on standard error: standard output is for the greeting. */
export function createLog({ logLevel }: Config): Logger {
  return pino({ level: logLevel }, pino.destination({ dest: 2, sync: false }))
}

function openJobs({ pool }: Database, log: Logger): Promise<JobQueue> {
  return openJobQueue(pool, error => log.warn({ err: error }, 'The job queue failed'))
}

export function openDatabase({ databaseUrl, databasePoolSize, dataDir }: Config, log: Logger): Promise<Database> {
  const onError = (error: Error) => log.error({ err: error }, 'The database connection failed')
  return databaseUrl
    ? openPostgres(databaseUrl, { poolSize: databasePoolSize, onError })
    : openEmbedded(dataDir, onError)
}

function openMailer({ smtpUrl, mailFrom }: Config): Mailer | undefined {
  return smtpUrl && mailFrom ? createSmtpMailer(smtpUrl, mailFrom) : undefined
}

const UNTHROTTLED: BurstThrottle = { admit: () => 0, close: async () => {} }

function openBurst({ burstPerMinute, redisUrl }: Config, log: Logger): BurstThrottle {
  if (burstPerMinute === 0) return UNTHROTTLED
  if (!redisUrl) return createMemoryBurst(burstPerMinute)
  return createRedisBurst(redisUrl, {
    perMinute: burstPerMinute,
    onStateChange: (state, reason) =>
      state === 'shared'
        ? log.info('Redis answers: the burst throttle is shared by all nodes')
        : log.warn({ reason }, 'Redis does not answer: this node throttles bursts by its own count'),
  })
}

function urlOf(host: string, { port }: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
