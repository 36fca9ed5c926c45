import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { unprocessable } from '../domain/errors.ts'
import type { RawBody } from './body.ts'

/** The name that a client gave its request, so that it can be repeated safely; undefined when it gave none. */
export function idempotencyName(request: FastifyRequest): string | undefined {
  const name = request.headers['idempotency-key']
  if (request.method !== 'POST' || name === undefined) return undefined
  if (typeof name !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(name)) {
    throw unprocessable('Idempotency-Key', 'must have 1 to 255 printable ASCII characters')
  }
  return name
}

/** What makes a request the same: its method, its address and its bytes. */
export function requestDigest(request: FastifyRequest): Buffer {
  const { bytes = Buffer.alloc(0) } = (request.body ?? {}) as Partial<RawBody>
  return createHash('sha256').update(`${request.method} ${request.url}\n`).update(bytes).digest()
}
