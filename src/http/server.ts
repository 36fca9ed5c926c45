import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { BurstThrottle } from '../domain/burst.ts'
import { BurstExceeded, unknownEndpoint } from '../domain/errors.ts'
import type { RawBody } from './body.ts'
import { envelope, errorHandler, notFoundHandler } from './errors.ts'
import { pathOf } from './request.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

export interface HttpParts {
  db: Db
  log: Logger
  burst: BurstThrottle
  trustProxy: boolean | string
}

/** The bare HTTP server: everything that is true of every request, whatever it asks for. */
export function createHttp({ db, log, burst, trustProxy }: HttpParts): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as never,
    // One line a request, written below, with what an operator looks for.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy,
    genReqId: requestId,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      ignoreTrailingSlash: true,
      // The length of a handle is the database's business; the size of a URL is bounded by the size of a header.
      maxParamLength: 16_384,
    },
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => errorHandler(db)(notRoutable(error, request), request, reply),
    clientErrorHandler(error, socket) {
      // What the parser refuses never becomes a request; it is answered all the same.
      if (!socket.writable) return socket.destroy()
      const message =
        error.code === 'HPE_HEADER_OVERFLOW' ? 'The request headers are too large.' : 'The request is not valid HTTP.'
      const body = JSON.stringify(envelope('unprocessable_entity', message))
      socket.end(
        `HTTP/1.1 422 Unprocessable Entity\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  }) as unknown as FastifyInstance

  app.decorateRequest('operation', '')
  app.decorateRequest('who', null)
  app.decorateRequest('admitted', null)
  app.setErrorHandler(errorHandler(db))
  app.setNotFoundHandler(notFoundHandler)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => readBody(request, payload, done))

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!isApi(request)) return
    const wait = await burst.admit(`ip:${request.ip}`)
    if (wait > 0) throw new BurstExceeded(wait)
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request),
        operation: request.operation || undefined,
        company: request.who?.company_id ?? undefined,
        key: request.who?.key_id ?? undefined,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
  return app
}

/** The caller's own id when it is sane, so that one request can be followed across systems. */
function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:+/=-]{1,128}$/.test(sent) ? sent : randomUUID()
}

function isApi(request: FastifyRequest): boolean {
  return /^\/api\/v1(?:[/?]|$)/.test(request.url)
}

/** A path that cannot be decoded is a path that no endpoint answers. */
function notRoutable(error: { code: string }, request: FastifyRequest): unknown {
  return error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? unknownEndpoint(pathOf(request))
    : error
}

/** Takes in the bytes and no more. A body past the limit is read to its end and forgotten, so that the answer arrives. */
function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: RawBody) => void,
): void {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  payload.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes <= BODY_LIMIT_BYTES) chunks.push(chunk)
    else chunks.length = 0
  })
  payload.on('error', done)
  payload.on('end', () => {
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers
    done(null, { contentType, contentEncoding, bytes: Buffer.concat(chunks), tooLarge: sizeBytes > BODY_LIMIT_BYTES })
  })
}
