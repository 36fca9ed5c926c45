import type { FastifyReply } from 'fastify'

/** Says that the answer depends on a header of the request, beside those that are named already. */
export function vary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary')
  reply.header('vary', named === undefined ? name : `${named}, ${name}`)
}
