import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { unprocessable } from '../../domain/errors.ts'
import type { Request } from '../requests/request.ts'

/** The name that a client gave its request so that it can be retried safely; undefined when it gave none. */
export function idempotencyName(request: Request): string | undefined {
  const name = request.headers['idempotency-key']
  if (!isRepeatable(request.method) || name === undefined) return undefined
  if (typeof name !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(name)) {
    throw unprocessable('Idempotency-Key', 'must have 1 to 255 printable ASCII characters')
  }
  return name
}

/** Repeating a request of any other method has no further effect. A PUT would be answered 200 where the first one was 201. */
export function isRepeatable(method: string): boolean {
  return method === 'POST' || method === 'PUT'
}

/** Takes some milliseconds. */
const DIGESTED_AT_ONCE_BYTES = 1024 * 1024

/** What makes a request the same: its method, its address and its bytes. */
export async function requestDigest({ method, url, body }: Request): Promise<Buffer> {
  const digest = createHash('sha256').update(`${method} ${url}\n`)
  const bytes = body?.bytes ?? Buffer.alloc(0)
  for (let at = 0; at < bytes.length; at += DIGESTED_AT_ONCE_BYTES) {
    if (at > 0) await nextTurn()
    digest.update(bytes.subarray(at, at + DIGESTED_AT_ONCE_BYTES))
  }
  return digest.digest()
}
