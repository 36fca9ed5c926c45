import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { createMemoryBurst } from './adapters/burst-memory.ts'
import { createCalDav } from './adapters/caldav/client.ts'
import { createOtherCells } from './adapters/other-cells.ts'
import { createClamdScanner } from './adapters/scanner/clamd.ts'
import { createYaraScanner } from './adapters/scanner/yara/scanner.ts'
import { createWebhookSender } from './adapters/webhook-sender.ts'
import type { CellParts } from './app.ts'
import type { Config } from './config.ts'
import { openEmbedded } from './db/embedded.ts'
import { errorCode } from './db/failures.ts'
import { type Database, openPostgres } from './db/postgres.ts'
import { createCellProof } from './domain/cells/proof.ts'
import { requireWritable } from './domain/installation/data-folder.ts'
import { type BurstThrottle, type Throttle, UNTHROTTLED } from './domain/ports/burst-throttle.ts'
import type { CalendarServer } from './domain/ports/calendar-server.ts'
import { CALLBACK_PATH, type IdentityProvider } from './domain/ports/identity-provider.ts'
import type { Mailer } from './domain/ports/mailer.ts'
import type { Scanner } from './domain/ports/virus-scanner.ts'
import type { WebhookSender } from './domain/ports/webhook-sender.ts'
import { tracer, traceWith } from './lib/tracing.ts'

// Opens each part as the settings want it. What is not configured is not loaded.

const SIGN_IN_FAILURES_PER_MINUTE = 20

export type Close = (withinMs: number) => Promise<unknown> | unknown
/** Takes what closes a part again. */
export type OnStop = (close: Close) => void

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
  const { databaseUrl, databaseDirectUrl: directUrl, databaseReplicaUrl, databasePoolSize: poolSize, dataDir } = config
  // Only the message: the error of a lost connection contains the connection and so its secrets.
  const onError = (error: Error) => log.error({ reason: error.message }, 'The database connection failed')
  const onStateChange = (problem: string | undefined) =>
    problem === undefined
      ? log.info('The replica answers reads')
      : log.warn({ reason: problem }, 'The replica answers no reads: the primary does')
  const replica = databaseReplicaUrl ? { url: databaseReplicaUrl, onStateChange } : undefined
  if (databaseUrl) return openPostgres(databaseUrl, { poolSize, onError, directUrl, replica })
  await requireWritable(dataDir)
  const existing = join(dataDir, 'database')
  if (existsSync(existing)) await requireWritable(existing)
  return openEmbedded(dataDir, onError, () => log.info('The embedded database is open again'))
}

/** First, so that it is closed last: what the other parts do until then is told too. */
export async function openTraces({ traces }: Config, log: Logger, onStop: OnStop): Promise<void> {
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

/**
 * Without clamd, files are scanned here, with our rules and those that the operator puts into the data folder. The operator's
 * rules are compiled in a thread, while this one prepares the rest.
 */
export function openScanner({ clamdUrl, dataDir }: Config, onStop: OnStop): Promise<Scanner> {
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

/** A cell that is alone asks nobody. */
export function openCells({ cell, cells }: Config, serverSecret: string, onStop: OnStop): CellParts | undefined {
  if (cell === undefined) return undefined
  const proof = createCellProof(serverSecret)
  const addresses = new Map([...cells].filter(([number]) => number !== cell))
  const others = createOtherCells({ addresses, bearer: proof.bearer })
  onStop(others.close)
  return { cell, proof, others }
}

export async function openMailer({ smtpUrl, mailFrom }: Config, onStop: OnStop): Promise<Mailer | undefined> {
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

export function openCalendarServer({ allowPrivateCalendars }: Config): CalendarServer {
  return createCalDav({ allowPrivate: allowPrivateCalendars })
}

export function openWebhookSender({ allowPrivateWebhooks }: Config): WebhookSender {
  return createWebhookSender({ allowPrivate: allowPrivateWebhooks })
}

export async function openThrottles(
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
