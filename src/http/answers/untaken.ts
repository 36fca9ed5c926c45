import type { FastifyReply, FastifyRequest } from 'fastify'
import { FairQueue } from '../../lib/fair-queue.ts'
import { QUEUES } from '../../queues.ts'
import { isRead } from '../requests/request.ts'

/** Smaller ones are gone before they could add up, however slowly they are taken. */
const LARGE_BYTES = 64 * 1024

const room = new FairQueue<number>('answers', QUEUES.answers)

/**
 * An answer is held until the kernel has it all, which a slow reader delays for minutes. So large ones wait for room, which is shared.
 * The answer to a write counts, but is not refused: what it tells has been done.
 */
export async function waitForRoom(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
  if (bytes < LARGE_BYTES) return payload
  const gone = new AbortController()
  const { raw } = reply
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  try {
    const companyId = request.who?.company_id ?? 0
    const leave = isRead(request) ? await room.enter(companyId, bytes, gone.signal) : room.tryEnter(companyId, bytes)
    gone.signal.addEventListener('abort', () => leave?.())
    if (gone.signal.aborted) leave?.()
    return payload
  } catch (error) {
    // They belong to an answer that is not sent.
    for (const name of ['etag', 'content-encoding', 'content-length', 'link']) reply.removeHeader(name)
    throw error
  }
}
