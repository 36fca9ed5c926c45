import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable, unprocessable } from '../../domain/errors.ts'
import type { QueueBounds } from '../../lib/fair-queue.ts'
import { parseJsonApart } from '../../lib/json-apart.ts'
import { QUEUES } from '../../queues.ts'
import type { RawBody } from './body.ts'
import { type BodyAccount, type BodyBudget, createBodyBudget } from './body-budget.ts'
import { LEAST_BYTES } from './pace.ts'

const ORDINARY_BYTES = 1024 * 1024
/**
 * Reading this much takes up to 30 ms, whatever is in it: blanks, Arabic and base64 all have to be walked through. While a larger
 * body is read, others are answered.
 */
const READ_AT_ONCE_BYTES = ORDINARY_BYTES
/** Beside the numbers of companies. */
const [OF_STRANGERS, OF_OPERATOR] = [0, -1]
/** A body is given up when not even `LEAST_BYTES` of it arrive within this time. */
const STALLED_AFTER_MS = 10_000
/** The rest of a refused body is read for this long. */
const DISCARDED_FOR_MS = 2_000

/** Reads the bytes of a body without validating them: that is done after the record was found and the call was allowed. */
export function acceptBodies(app: FastifyInstance, bounds: QueueBounds = QUEUES.bodies): void {
  const budget = createBodyBudget(bounds)
  app.decorateRequest('bodyLimitBytes', ORDINARY_BYTES)
  app.decorateRequest('sentContentType', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.addHook('preParsing', async request => {
    // Fastify would refuse a malformed content type by itself, with its own message.
    request.sentContentType = request.headers['content-type']
    if (request.sentContentType !== undefined) request.headers['content-type'] = 'application/octet-stream'
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.body) request.body = await readBody(budget, request, reply, request.body as IncomingMessage)
  })
}

/** The bytes of a body are released with the answer, or when the client has left, even if it left while it was waiting. */
async function readBody(
  budget: BodyBudget,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: IncomingMessage,
): Promise<RawBody> {
  const account = budget.open(shareOf(request))
  reply.raw.once('close', () => account.close())
  if (reply.raw.destroyed) account.close()
  const bytes = await collect(payload, request.bodyLimitBytes, account).catch(error => {
    account.close()
    reply.header('connection', 'close')
    throw error
  })
  const sent = { contentType: request.sentContentType, contentEncoding: request.headers['content-encoding'] }
  if (bytes === undefined) return { ...sent, bytes: Buffer.alloc(0), tooLarge: true }
  const read = bytes.length > READ_AT_ONCE_BYTES ? await parseJsonApart(bytes) : { bytes }
  return { ...sent, tooLarge: false, ...read }
}

/** Whose room a body takes. The operator's own calls are not to wait for those of strangers. */
function shareOf({ who }: FastifyRequest): number {
  return who ? (who.company_id ?? OF_OPERATOR) : OF_STRANGERS
}

/**
 * Reads the rest of a body before the connection is closed, for a while. A client that is still sending when it is closed gets a
 * reset instead of the answer.
 */
async function discardRest(payload: IncomingMessage): Promise<void> {
  if (payload.readableEnded || payload.destroyed) return
  payload.resume()
  await Promise.race([once(payload, 'close').catch(() => {}), sleep(DISCARDED_FOR_MS, undefined, { ref: false })])
}

/** The bytes; undefined when there are more than the limit: then they are read to the end and discarded. */
function collect(payload: IncomingMessage, limitBytes: number, account: BodyAccount): Promise<Buffer | undefined> {
  let chunks: Buffer[] | undefined = []
  let sizeBytes = 0
  let unpacedBytes = 0
  return new Promise((resolve, reject) => {
    const stalled = setTimeout(
      () => finish(() => reject(unavailable('The body of the request stopped coming.'))),
      STALLED_AFTER_MS,
    )
    function finish(how: () => void): void {
      clearTimeout(stalled)
      payload.off('data', onData).off('close', onClose).off('end', onEnd)
      how()
    }
    function onData(chunk: Buffer): void {
      sizeBytes += chunk.length
      unpacedBytes += chunk.length
      if (unpacedBytes >= LEAST_BYTES) {
        unpacedBytes = 0
        stalled.refresh()
      }
      if (sizeBytes > limitBytes) {
        chunks = undefined
        account.close()
      }
      if (!chunks) return
      chunks.push(chunk)
      const room = account.take(chunk.length)
      if (!room) return
      payload.pause()
      room.then(
        () => {
          stalled.refresh()
          payload.resume()
        },
        error =>
          finish(() => {
            account.close()
            void discardRest(payload).then(() => reject(error))
          }),
      )
    }
    function onClose(): void {
      if (!payload.readableEnded) finish(() => reject(unprocessable('body', 'was cut off')))
    }
    function onEnd(): void {
      finish(() => resolve(chunks && Buffer.concat(chunks)))
    }
    payload.on('error', () => {})
    payload.on('data', onData).on('close', onClose).on('end', onEnd)
  })
}
