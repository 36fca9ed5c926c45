import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { adminEndpoints } from './admin/endpoints.ts'
import { createAdminGate } from './admin/gate.ts'
import { windowEndpoints } from './admin/window.ts'
import { apiEndpoints } from './api/endpoints.ts'
import { createGate } from './api/gate.ts'
import type { TrustProxy } from './config.ts'
import type { Database } from './db/postgres.ts'
import { adminDescription, apiDescription } from './descriptions.ts'
import { createKeyring } from './domain/access/keyring.ts'
import { createQuota } from './domain/access/quota.ts'
import { createEncryption } from './domain/encryption.ts'
import type { Feed } from './domain/feed-streams.ts'
import type { Blobs } from './domain/ports/blob-store.ts'
import type { BurstThrottle, LocalThrottle } from './domain/ports/burst-throttle.ts'
import type { CalendarServer } from './domain/ports/calendar-server.ts'
import type { JobQueue } from './domain/ports/job-queue.ts'
import type { PdfRenderer } from './domain/ports/pdf-renderer.ts'
import type { WebhookSender } from './domain/ports/webhook-sender.ts'
import { mountConsole } from './http/console.ts'
import { createCursors } from './http/cursor.ts'
import { mountPages } from './http/html-pages.ts'
import { createMetrics } from './http/metrics.ts'
import { mount } from './http/mount.ts'
import { mountProbes } from './http/probes.ts'
import { createHttp } from './http/server.ts'
import { createSignIn } from './http/sign-in.ts'

export interface Parts {
  database: Database
  jobs: JobQueue
  blobs: Blobs
  pdf: PdfRenderer
  calendarServer: CalendarServer
  webhookSender: WebhookSender
  feed: Feed
  log: Logger
  /** Per key and per address, on the API. */
  burst: BurstThrottle
  /** Failed sign-ins per address, wherever a token is taken. */
  signInFailures: LocalThrottle
  serverSecret: string
  operatorToken: string
  trustProxy: TrustProxy
  sendsMail: boolean
  publicUrl?: string | undefined
}

/** The whole service, put together from its parts. The only file that knows every feature. */
export function buildApp(parts: Parts): FastifyInstance {
  const { database, jobs, blobs, pdf, log, burst, signInFailures, serverSecret, operatorToken, trustProxy } = parts
  const { db, check } = database
  const app = createHttp({ db, log, burst, trustProxy })
  const metrics = createMetrics(app, database, jobs)
  const keyring = createKeyring(db, error => log.warn({ err: error }, 'The use of a key was not noted'))
  const gate = createGate({ keyring, spend: createQuota(database), burst, serverSecret })
  const signIn = createSignIn({ failures: signInFailures, serverSecret, operatorToken })
  const adminGate = createAdminGate({
    db,
    signIn,
    serverSecret,
    publicUrl: parts.publicUrl,
    endpoints: adminEndpoints,
    onError: error => log.warn({ err: error }, 'The use of a session was not noted'),
  })

  const services = {
    enqueue: jobs.enqueue,
    failedJobs: jobs.failed,
    blobs,
    pdf,
    calendarServer: parts.calendarServer,
    webhookSender: parts.webhookSender,
    feed: parts.feed,
    encryption: createEncryption(serverSecret),
    readCursor: createCursors(serverSecret),
    sendsMail: parts.sendsMail,
  }
  const { publicUrl } = parts

  mount(app, { db, services, publicUrl }, gate, apiEndpoints)
  mount(app, { db, services, publicUrl }, adminGate, [...adminEndpoints, ...windowEndpoints])
  mountProbes(app, { check, metrics, signIn })
  mountPages(app, { api: apiDescription, admin: adminDescription })
  mountConsole(app)
  return app
}
