import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unprocessable } from '../domain/errors.ts'
import type { RawBody } from './body.ts'
import { type BodyBudget, createBodyBudget } from './body-budget.ts'

const ORDINARY_BYTES = 1024 * 1024
/** Each byte of a body costs about three while it is parsed and decoded. */
const LARGE_BODIES_BYTES = 32 * 1024 * 1024

/** Takes in the bytes of a body and judges nothing: that is for later, when the record was found and the call allowed. */
export function acceptBodies(app: FastifyInstance): void {
  const budget = createBodyBudget(LARGE_BODIES_BYTES)
  app.decorateRequest('bodyLimitBytes', ORDINARY_BYTES)
  app.decorateRequest('sentContentType', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.addHook('preParsing', async request => {
    // Fastify would refuse a malformed content type on its own, in its own words.
    request.sentContentType = request.headers['content-type']
    if (request.sentContentType !== undefined) request.headers['content-type'] = 'application/octet-stream'
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.body) request.body = await readBody(budget, request, reply, request.body as IncomingMessage)
  })
}

/** Large bodies are taken in as far as there is room for them; ordinary ones at once. */
async function readBody(
  budget: BodyBudget,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: IncomingMessage,
): Promise<RawBody> {
  const declared = Number(request.headers['content-length'] ?? request.bodyLimitBytes)
  if (declared > ORDINARY_BYTES && declared <= request.bodyLimitBytes) {
    reply.raw.once('close', await budget.reserve(declared))
  }
  return collect(request, payload)
}

/** A body past the limit is read to its end and forgotten, so that the answer arrives. */
function collect(request: FastifyRequest, payload: IncomingMessage): Promise<RawBody> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  payload.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes <= request.bodyLimitBytes) chunks.push(chunk)
    else chunks.length = 0
  })
  return new Promise((resolve, reject) => {
    payload.on('error', () => reject(unprocessable('body', 'was cut off')))
    payload.on('end', () => {
      resolve({
        contentType: request.sentContentType,
        contentEncoding: request.headers['content-encoding'],
        bytes: Buffer.concat(chunks),
        tooLarge: sizeBytes > request.bodyLimitBytes,
      })
    })
  })
}
