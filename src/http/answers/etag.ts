import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sentTag } from './compression.ts'
import { inPieces, readerOf } from './in-pieces.ts'

/** Sets the ETag of a read, and answers 304 without a body when the caller has this version already. */
export async function tagAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (payload === undefined || payload === null) return reply.statusCode === 304 ? nothingFor(request) : empty(request)
  if (reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload
  // Encoded once, instead of separately for the tag, the length and the socket.
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  const tag = bytes.length > LONG_BYTES ? await tagInPieces(request, bytes) : tagOf(bytes)
  reply.header('etag', sentTag(request, bytes.length, tag))
  if (!hasTag(request.headers['if-none-match'], tag)) return bytes
  reply.code(304)
  reply.removeHeader('content-type')
  reply.removeHeader('content-length')
  return nothingFor(request)
}

/** A HEAD route needs a payload, to measure its length. */
const empty = ({ method }: FastifyRequest) => (method === 'HEAD' ? '' : null)

/**
 * For an answer whose body is left out. A HEAD route needs something to send, and would say how long that is: 0, which is not the
 * length of what a GET would get. The length of a stream is not known.
 */
export function nothingFor({ method }: FastifyRequest): Readable | null {
  return method === 'HEAD' ? Readable.from([]) : null
}

/** The ETag of an answer, which differs for any other bytes. */
export function tagOf(payload: string | Buffer): string {
  return `"${hash('sha1', payload, 'base64url')}"`
}

const LONG_BYTES = 1024 * 1024

async function tagInPieces(request: FastifyRequest, bytes: Buffer): Promise<string> {
  const digest = createHash('sha1')
  const starts = Array.from({ length: Math.ceil(bytes.length / LONG_BYTES) }, (_, n) => n * LONG_BYTES)
  await inPieces(readerOf(request), starts, from => digest.update(bytes.subarray(from, from + LONG_BYTES)))
  return `"${digest.digest('base64url')}"`
}

/** True when the caller has this version already. Weak comparison: the tag of a compressed answer is marked as weak. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some(each => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
}
