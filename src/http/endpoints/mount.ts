import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { tagAnswer } from '../answers/etag.ts'
import { reportIgnored, unknownParameters } from '../answers/ignored.ts'
import { linkNextPage } from '../answers/next-link.ts'
import { repeatableIn, withPlainNames } from '../requests/query.ts'
import type { Exchange, Reply, Request, Serve } from '../requests/request.ts'
import { type CallParts, callOf, databaseOf } from './call.ts'
import { answersAs, readBehind, tagWritten } from './conditional.ts'
import type { Endpoint, ReadEndpoint } from './declare.ts'
import { type BaseCall, Raw } from './endpoint.ts'
import type { Gate } from './gate.ts'
import { writeServer } from './writes.ts'

/** Turns each declaration into its routes. A request passes these steps: gate, find, frozen?, allowed?, body, run, answer. */
export function mount<Admitted extends object, Requirements extends object>(
  app: FastifyInstance,
  parts: CallParts,
  gate: Gate<Admitted, Requirements>,
  endpoints: (Requirements & Endpoint<BaseCall & Admitted>)[],
) {
  const reads = endpoints.filter(endpoint => endpoint.method === 'GET')
  for (const endpoint of endpoints) {
    const shownBy = gate.comparesVersions ? readBehind(endpoint, reads) : undefined
    const serve =
      endpoint.method === 'GET' ? readServer(parts, gate, endpoint) : writeServer(parts, gate, endpoint, shownBy)
    const tag = endpoint.method === 'GET' ? tagAnswer : shownBy && answersAs(shownBy, endpoint) && tagWritten
    const repeatable = repeatableIn(endpoint.query)
    for (const address of endpoint.at) {
      app.route<Exchange>({
        method: endpoint.method,
        url: gate.prefix + address,
        schema: { response: { [endpoint.status]: endpoint.returns } },
        async onRequest(request, reply) {
          request.operation = endpoint.operation
          if (endpoint.bodyLimitBytes !== undefined) request.bodyLimitBytes = endpoint.bodyLimitBytes
          request.admitted = await gate.admit(endpoint, request, reply)
          if (repeatable.length > 0) request.query = withPlainNames(request.query, repeatable)
          reportIgnored(reply, 'parameters', unknownParameters(endpoint.query, request.query))
        },
        ...(tag && { onSend: tag }),
        handler: (request, reply) => serve(request, reply),
      })
    }
  }
}

function readServer<Admitted extends object, Requirements extends object>(
  parts: CallParts,
  gate: Gate<Admitted, Requirements>,
  endpoint: ReadEndpoint<BaseCall & Admitted>,
): Serve {
  return async (request, reply) => {
    const call = callOf(parts, gate, request, databaseOf(parts, gate, request), 'nothing')
    const answer = await endpoint.read(call, request.query)
    if (answer instanceof Raw) return sendRaw(request, reply, answer)
    if (endpoint.query?.properties.cursor) linkNextPage(request, reply, answer, parts.publicUrl)
    return answer
  }
}

function sendRaw({ method }: Request, reply: Reply, { status, headers, body }: Raw): Reply {
  reply.code(status).headers(headers)
  // Closed when the last byte was sent, or when the client has left.
  reply.raw.once('close', () => body?.destroy())
  if (method !== 'HEAD' || body === null) return reply.send(body)
  // Nobody reads the body of a HEAD, and it might never end by itself. An empty one leaves the length in the headers as it
  // is.
  body.destroy()
  return reply.send(Readable.from([]))
}
