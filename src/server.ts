import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { createMemoryBurst } from './adapters/burst-memory.ts'
import { createRedisBurst } from './adapters/burst-redis.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { type Database, openPostgres } from './db/postgres.ts'
import { seedDemo } from './demo.ts'
import type { BurstThrottle } from './domain/burst.ts'
import { loadSecrets } from './domain/secrets.ts'

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
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }))
  const secrets = await loadSecrets(config.dataDir, config)
  const database = await openDatabase(config, log)
  try {
    const applied = await migrate(database.pool)
    if (applied.length > 0) log.debug({ applied }, 'migrated')
    const demoKey = await seedDemo(database.db, config.demo ?? database.engine === 'embedded', secrets.serverSecret)
    const burst = openBurst(config, log)
    const signInFailures = createMemoryBurst(SIGN_IN_FAILURES_PER_MINUTE)
    const app = await buildApp({ database, log, burst, signInFailures, ...secrets, trustProxy: config.trustProxy })
    // The greeting says where it listens.
    log.level = 'warn'
    await app.listen({ host: config.host, port: config.port })
    log.level = config.logLevel
    const stop = once(async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), STOP_WITHIN_MS)
      await app.close()
      clearTimeout(force)
      await Promise.all([burst.close(), signInFailures.close()])
      await database.close()
    })
    return { url: urlOf(config.host, app.server.address() as AddressInfo), log, demoKey, stop }
  } catch (error) {
    await database.close()
    throw error
  }
}

export function openDatabase({ databaseUrl, databasePoolSize, dataDir }: Config, log: Logger): Promise<Database> {
  const onError = (error: Error) => log.error({ err: error }, 'The database connection failed')
  return databaseUrl
    ? openPostgres(databaseUrl, { poolSize: databasePoolSize, onError })
    : openEmbedded(dataDir, onError)
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
