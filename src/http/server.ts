import { randomUUID } from 'node:crypto'
import { IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { CellProof } from '../domain/cells/proof.ts'
import { type ApiError, BurstExceeded, unavailable, unprocessable } from '../domain/errors.ts'
import type { BurstThrottle } from '../domain/ports/burst-throttle.ts'
import { tracer } from '../lib/tracing.ts'
import { envelope, errorHandler, notFoundHandler } from './answers/errors.ts'
import { serializeWhenAsked } from './answers/serializers.ts'
import { closeWhileDraining } from './operation/drain.ts'
import { type LoggingParts, logRequests } from './operation/request-log.ts'
import { traceRequests } from './operation/traces.ts'
import { guardEntrance } from './requests/entrance.ts'
import { keepPace } from './requests/pace.ts'
import type { PassOn } from './requests/pass-on.ts'
import { readPassedOn } from './requests/passed-on.ts'
import { isMadeHere, pathOf, throttledAddress } from './requests/request.ts'
import { acceptBodies } from './requests/request-body.ts'

export interface HttpParts {
  db: Db
  log: Logger
  burst: BurstThrottle
  requestLog: LoggingParts
  trustProxy: false | string | ((address: string, hop: number) => boolean)
  compression: boolean
  /** Where companies live in cells. */
  cells: { proof: CellProof; passOn: PassOn } | undefined
}

/** From the first byte on, or on a new connection from its beginning; an idle one that has been used is kept for longer. */
const HEADERS_WITHIN_MS = 10_000
const LOOK_FOR_LATE_EVERY_MS = 1_000
/** A client that was told why it is refused has this long to close the connection. */
const CLOSED_WITHIN_MS = 1_000

/** The bare HTTP server: everything that applies to every request, whatever it asks for. */
export function createHttp({ db, log, burst, requestLog, trustProxy, compression, cells }: HttpParts): FastifyInstance {
  const handleError = errorHandler(db, cells?.passOn)
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    // We log one line per request below, with what an operator needs.
    logController: new LogController({ disableRequestLogging: true }),
    // Every line names its request itself; a child logger for each request would cost more than most requests log.
    childLoggerFactory: logger => logger,
    trustProxy,
    genReqId: requestId,
    // Long enough for the largest upload over a slow line; whether it still comes is watched in requests/pace.ts.
    requestTimeout: 300_000,
    // A client that neither sends nor takes anything for this long is gone, whatever is waiting for it.
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      ignoreTrailingSlash: true,
      // The database limits the length of a handle; the size of the headers limits the URL.
      maxParamLength: Number.MAX_SAFE_INTEGER,
    },
    // Fastify runs no hook for a path that cannot be decoded, and takes a proxy for the caller there.
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : NO_ENDPOINT),
    http: {
      // We check it ourselves, to answer in our own words.
      requireHostHeader: false,
      headersTimeout: HEADERS_WITHIN_MS,
      connectionsCheckingInterval: LOOK_FOR_LATE_EVERY_MS,
    },
    clientErrorHandler: answerUnparsable,
  })

  app.decorate('compresses', compression)
  app.decorateRequest('operation', '')
  app.decorateRequest('who', null)
  app.decorateRequest('admitted', null)
  app.decorateRequest('position', undefined)
  app.decorateRequest('refusal', null)
  app.decorateRequest('isPassedOn', false)
  app.decorateRequest('isAskedOfAll', false)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(notFoundHandler)
  // An unknown `Expect` header is ignored: Node.js would answer it with its own message.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response),
  )
  if (tracer) traceRequests(app, tracer)
  acceptBodies(app)
  guardEntrance(app, log, requestId)
  keepPace(app.server)
  serializeWhenAsked(app)
  closeWhileDraining(app)
  logRequests(app, requestLog)

  app.addHook('onRequest', async (request, reply) => {
    if (cells) readPassedOn(cells.proof, request)
    reply.headers(headersOf(request))
    await throttleAddress(request)
    requireOneHost(request)
  })
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        request_id: request.id,
        trace_id: request.span?.traceId,
        method: request.method,
        path: pathOf(request),
        operation: request.operation || undefined,
        company: request.who?.company_id ?? undefined,
        key: request.who?.by.kind === 'key' ? request.who.by.id : undefined,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
  return app

  /** The first of all checks, before anything is looked up. */
  async function throttleAddress(request: FastifyRequest): Promise<void> {
    // A call that the server makes for an agent was throttled when the agent's request came in, and one that another cell has
    // passed on when it came in there.
    if (!isThrottled(request) || isMadeHere(request) || request.isPassedOn) return
    const wait = await burst.admit(throttledAddress(request))
    if (wait > 0) throw new BurstExceeded(wait)
  }
}

/** Nothing has this address. The answer names the one that was sent. */
const NO_ENDPOINT = '/%25'

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split(/[?#]/, 1)[0] as string)
    return true
  } catch {
    return false
  }
}

/** HTTP/1.0 knows no Host. Node.js keeps the first of several, so they are counted as they arrived. */
function requireOneHost({ raw }: FastifyRequest): void {
  if (!(raw instanceof IncomingMessage)) return
  const hosts = raw.rawHeaders.filter((name, n) => n % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0'))
    throw unprocessable('Host', 'must be sent, and only once')
}

/** The headers of every answer; a route may set another `cache-control`. */
function headersOf(request: FastifyRequest): Record<string, string> {
  return { 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' }
}

/** The caller's own id when it is well-formed, so that one request can be followed across systems. */
function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:+/=-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Matches the route where there is one: a path can be spelled in many ways. */
function isThrottled(request: FastifyRequest): boolean {
  return /^\/(?:api\/v1|mcp|oauth)(?:\/|$)/.test(request.routeOptions.url ?? decoded(pathOf(request)))
}

/** Decodes every escaped ASCII character separately, because other escapes may not be decodable. */
function decoded(path: string): string {
  return path.replace(/%[0-7][\da-f]/gi, character => decodeURIComponent(character))
}

/** What the parser refuses never becomes a request, but it is answered all the same. */
function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  // Browsers connect before they need to, and take what comes on such a connection for the answer to their first request there.
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const { status, code, message } = refusalOf(error)
  const body = JSON.stringify(envelope(code, message))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), CLOSED_WITHIN_MS).unref()
}

function refusalOf({ code }: { code?: string }): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return unavailable('The request took too long to arrive.')
  const problem = code === 'HPE_HEADER_OVERFLOW' ? 'headers are too large.' : 'is not valid HTTP.'
  return unprocessable('The request', problem)
}
