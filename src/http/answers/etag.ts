import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sets the ETag of a read, and answers 304 without a body when the caller has this version already. */
export async function tagAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  // A HEAD route needs a payload, to measure its length.
  const nothing = request.method === 'HEAD' ? '' : null
  if (payload === null) return nothing
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  // Encoded once, instead of separately for the tag, the length and the socket.
  const bytes = Buffer.from(payload)
  const tag = tagOf(bytes)
  reply.header('etag', tag)
  if (!hasTag(request.headers['if-none-match'], tag)) return bytes
  reply.code(304)
  reply.removeHeader('content-type')
  reply.removeHeader('content-length')
  return nothing
}

/** The ETag of an answer, which differs for any other bytes. */
export function tagOf(payload: string | Buffer): string {
  return `"${hash('sha1', payload, 'base64url')}"`
}

/** True when the caller has this version already. Weak comparison: a proxy that compresses marks the tag as weak. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some(each => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
}
