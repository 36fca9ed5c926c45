import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAdmission } from './admin/admission.ts'
import { createLookups } from './admin/callers.ts'
import { adminEndpoints } from './admin/endpoints.ts'
import { createAdminGate } from './admin/gate.ts'
import { mountSignInPages } from './admin/sign-in-pages.ts'
import { workEndpoints } from './admin/work.ts'
import { createWorkGate } from './admin/work-gate.ts'
import { apiEndpoints } from './api/endpoints.ts'
import { callerReader, createGate, rememberedCallers } from './api/gate.ts'
import type { TrustProxy } from './config.ts'
import { CONTRACT_VERSION } from './contract-version.ts'
import { createDb, type Db } from './db/db.ts'
import type { Database } from './db/postgres.ts'
import { describeAdmin, describeApi } from './descriptions.ts'
import { createCallCounts } from './domain/access/call-counts.ts'
import { createMint } from './domain/access/credentials.ts'
import { createKeyring } from './domain/access/keyring.ts'
import { createQuota } from './domain/access/quota.ts'
import { createRequestLog } from './domain/access/request-log.ts'
import { createElsewhere, NOWHERE_ELSE } from './domain/cells/elsewhere.ts'
import type { CellProof } from './domain/cells/proof.ts'
import { checkFeed, feedLagSeconds } from './domain/feed/lag.ts'
import type { Feed } from './domain/feed/streams.ts'
import { createEncryption } from './domain/installation/encryption.ts'
import { type Checks, createHealth } from './domain/installation/health.ts'
import { checkReplica } from './domain/installation/replica.ts'
import type { Blobs } from './domain/ports/blob-store.ts'
import type { BurstThrottle, Throttle } from './domain/ports/burst-throttle.ts'
import type { CalendarServer } from './domain/ports/calendar-server.ts'
import type { OtherCells } from './domain/ports/cells.ts'
import type { ClientDocuments } from './domain/ports/client-documents.ts'
import { type IdentityProvider, NO_PROVIDER } from './domain/ports/identity-provider.ts'
import type { JobQueue } from './domain/ports/job-queue.ts'
import { type Mailer, NO_MAILER } from './domain/ports/mailer.ts'
import type { PdfRenderer } from './domain/ports/pdf-renderer.ts'
import { NO_SCANNER, type Scanner } from './domain/ports/virus-scanner.ts'
import type { WebhookSender } from './domain/ports/webhook-sender.ts'
import type { SampledKinds } from './domain/records/search-samples.ts'
import { checkUpkeep } from './domain/upkeep/upkeep.ts'
import { mount } from './http/endpoints/mount.ts'
import { createFigures } from './http/operation/figures.ts'
import { mountInternal } from './http/operation/internal.ts'
import { countRefusals, createMetrics } from './http/operation/metrics.ts'
import { mountProbes } from './http/operation/probes.ts'
import { mountConsole } from './http/pages/console.ts'
import { mountPages } from './http/pages/html-pages.ts'
import { createCursors } from './http/requests/cursor.ts'
import { createPassOn } from './http/requests/pass-on.ts'
import { createSignIn } from './http/requests/sign-in.ts'
import { createHttp } from './http/server.ts'
import { inTime } from './lib/in-time.ts'
import { Kept } from './lib/kept.ts'
import { mountMcp } from './mcp/mount.ts'
import { mountOAuth } from './oauth/mount.ts'
import { REFUSALS } from './oauth/parts.ts'

const FEED_LAG_WITHIN_MS = 2_000
/** Samples are kept for the companies that were searched last. A sample holds a few hundred names. */
const SAMPLED_COMPANIES = 100
const SAMPLE_KEPT_MS = 60_000

export interface Parts {
  database: Database
  jobs: JobQueue
  blobs: Blobs
  pdf: PdfRenderer
  calendarServer: CalendarServer
  webhookSender: WebhookSender
  clientDocuments: ClientDocuments
  feed: Feed
  log: Logger
  /** Per key and per address on the API, per person on the administration surface. */
  burst: BurstThrottle
  /** Counts failed sign-ins per address, wherever a token is accepted. */
  signInFailures: Throttle
  serverSecret: string
  operatorToken: string
  trustProxy: TrustProxy
  /** Whether answers are compressed here, and not by a proxy. */
  compression: boolean
  /** Without one, notifications are stored but not mailed. */
  mailer?: Mailer | undefined
  /** Absent where only other processes scan files. */
  scanner?: Promise<Scanner> | undefined
  publicUrl?: string | undefined
  /** Without one, people sign in to the console with tokens only. It needs `publicUrl`. */
  identityProvider?: IdentityProvider | undefined
  /** Where companies live in cells. */
  cells?: CellParts | undefined
}

export interface CellParts {
  /** Our own. */
  cell: number
  others: OtherCells
  proof: CellProof
}

/** The whole service, put together from its parts. The only file that knows every feature. */
export function buildApp(parts: Parts): FastifyInstance {
  const { database, jobs, blobs, pdf, log, burst, signInFailures, serverSecret, operatorToken, cells } = parts
  const { db, replica, check } = database
  // Work that nobody waits for must not take a connection from a call.
  const background = createDb(database.pool)
  const keyring = createKeyring(db, error => log.warn({ err: error }, 'The use of a key was not noted'))
  const requests = createRequestLog(background, error => log.warn({ err: error }, 'Requests were not logged'))
  const requestLog = { add: requests.add, rememberedCaller: rememberedCallers({ keyring, serverSecret }) }
  const passOn = cells && createPassOn(cells.others, cells.proof)
  const app = createHttp({
    db,
    log,
    burst,
    requestLog,
    trustProxy: parts.trustProxy,
    compression: parts.compression,
    cells: cells && passOn && { proof: cells.proof, passOn },
  })
  const health = createHealth(checksOf(parts, background))
  const metrics = createMetrics(app, database, jobs, requests, health)
  const calls = createCallCounts(background, error => log.warn({ err: error }, 'Calls were not attributed'))
  const about = {
    version: CONTRACT_VERSION,
    node: hostname(),
    engine: database.engine,
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    feedLag: () => inTime(feedLagSeconds(background), FEED_LAG_WITHIN_MS),
  }
  const figures = createFigures(app, metrics, about.feedLag)
  const signIn = createSignIn({ failures: signInFailures, serverSecret, operatorToken })
  const { operatorDigest } = signIn
  const elsewhere = cells ? createElsewhere({ db, operatorDigest, ...cells }) : NOWHERE_ELSE
  const mint = createMint(serverSecret, cells !== undefined)
  const spend = createQuota(database)
  const gate = createGate({ keyring, spend, burst, countCalls: calls.count, serverSecret, elsewhere })
  const lookups = createLookups(db, signIn, error => log.warn({ err: error }, 'The use of a session was not noted'))
  const admission = createAdmission({ db, signIn, burst, lookups, elsewhere })
  const adminGate = createAdminGate({
    admission,
    signIn,
    lookups,
    mint,
    elsewhere,
    passOn,
    publicUrl: parts.publicUrl,
    endpoints: [...adminEndpoints, ...workEndpoints],
  })

  const encryption = createEncryption(serverSecret)
  const { publicUrl, identityProvider } = parts
  const services = {
    enqueue: jobs.enqueue,
    blobs,
    pdf,
    calendarServer: parts.calendarServer,
    webhookSender: parts.webhookSender,
    feed: parts.feed,
    encryption,
    readCursor: createCursors(serverSecret),
    samples: new Kept<number, SampledKinds>(SAMPLED_COMPANIES, SAMPLE_KEPT_MS),
    about,
    health,
    figures,
    sendsMail: parts.mailer !== undefined,
    identityProvider,
    cell: cells?.cell ?? null,
  }

  const callParts = { db, replica, services, publicUrl }
  mount(app, callParts, gate, apiEndpoints)
  mount(app, callParts, adminGate, adminEndpoints)
  mount(app, callParts, createWorkGate(database, admission), workEndpoints)
  mountMcp(app, {
    version: CONTRACT_VERSION,
    publicUrl,
    readCaller: callerReader({ keyring, serverSecret, elsewhere }),
    onError: error => log.debug({ err: error }, 'An agent was refused'),
  })
  mountOAuth(app, {
    db,
    mint,
    elsewhere,
    publicUrl,
    signIn,
    slowed: signInFailures,
    documents: parts.clientDocuments,
    countRefusal: countRefusals(metrics, REFUSALS),
  })
  if (cells) mountInternal(app, { db: background, operatorDigest, ...cells })
  mountProbes(app, { check, metrics, signIn })
  mountPages(app, { api: describeApi, admin: describeAdmin, publicUrl })
  mountConsole(app)
  if (identityProvider && publicUrl) {
    const provider = identityProvider
    mountSignInPages(app, { db: background, provider, signIn, encryption, serverSecret, publicUrl, log })
  }
  app.addHook('onClose', async () => {
    health.close()
    await Promise.all([calls.close(), requests.close()])
  })
  return app
}

function checksOf(parts: Parts, background: Db): Checks {
  const { database, burst, scanner, mailer, identityProvider, jobs, blobs } = parts
  return {
    database: async () => {
      await database.check()
      return { state: 'ok', message: 'Reads and writes.' }
    },
    replica: () => checkReplica(database.replica),
    redis: burst.check,
    scanner: async () => (scanner ? (await scanner).check() : NO_SCANNER),
    mail: async () => (mailer ? mailer.check() : NO_MAILER),
    identity_provider: async () => (identityProvider ? identityProvider.check() : NO_PROVIDER),
    jobs: jobs.check,
    upkeep: () => checkUpkeep(background),
    feed: () => checkFeed(background),
    storage: blobs.check,
  }
}
