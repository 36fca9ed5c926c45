import type { FastifyInstance } from 'fastify'
import { tracer } from '../../lib/tracing.ts'
import { compressAnswer } from '../answers/compression.ts'
import { nothingFor, tagAnswer } from '../answers/etag.ts'
import { reportIgnored } from '../answers/ignored.ts'
import { readerOf, writtenInPieces } from '../answers/in-pieces.ts'
import { linkNextPage } from '../answers/next-link.ts'
import { retelling } from '../answers/retelling.ts'
import { Bytes } from '../answers/schema.ts'
import { waitForRoom } from '../answers/untaken.ts'
import { parametersIn, repeatableIn, unknownParameters } from '../requests/query.ts'
import type { Exchange, Reply, Request, Serve } from '../requests/request.ts'
import { type CallParts, callOf, databaseOf, replicaOf } from './call.ts'
import { answersAs, readBehind, tagWritten } from './conditional.ts'
import { readOfCreated } from './created.ts'
import type { Endpoint, ReadEndpoint } from './declare.ts'
import { type BaseCall, Raw, statusesOf } from './endpoint.ts'
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
    const createdFor = gate.comparesVersions ? readOfCreated(endpoint, reads) : undefined
    const serve =
      endpoint.method === 'GET'
        ? readServer(parts, gate, endpoint)
        : writeServer(parts, gate, endpoint, { shownBy, createdFor })
    const isShown = createdFor !== undefined || (shownBy !== undefined && answersAs(shownBy, endpoint))
    const tag = endpoint.method === 'GET' ? tagAnswer : isShown && tagWritten
    const retell = gate.retellsSentences ? retelling(endpoint.returns) : undefined
    const repeatable = repeatableIn(endpoint.query)
    for (const address of endpoint.at) {
      app.route<Exchange>({
        method: endpoint.method,
        url: gate.prefix + routeOf(address),
        config: { operation: endpoint.operation },
        schema: { response: Object.fromEntries(statusesOf(endpoint).map(status => [status, endpoint.returns])) },
        async onRequest(request, reply) {
          request.operation = endpoint.operation
          // Only a GET has parts (RFC 9110, 14.2).
          if (request.method === 'HEAD') delete request.headers.range
          if (endpoint.bodyLimitBytes !== undefined) request.bodyLimitBytes = endpoint.bodyLimitBytes
          const admit = () => gate.admit(endpoint, request, reply)
          request.admitted = await (tracer ? tracer.within({ name: 'gate' }, admit) : admit())
          request.query = parametersIn(request.query, repeatable)
          reportIgnored(reply, 'parameters', unknownParameters(endpoint.query, request.query))
        },
        ...(retell && { preSerialization: retell }),
        onSend: [...(tag ? [tag] : []), ...(endpoint.returns === Bytes ? [] : [compressAnswer, waitForRoom])],
        async handler(request, reply) {
          const answer = await serve(request, reply)
          const bytes = retell ? undefined : await writtenInPieces(readerOf(request), endpoint.returns, answer)
          if (bytes) reply.type('application/json; charset=utf-8')
          return bytes ?? answer
        },
      })
    }
  }
}

/**
 * An external id stands behind `ext:`. The router compares literal text before it decodes a path, and some clients encode the
 * colon, so the prefix is part of what the parameter matches.
 */
function routeOf(address: string): string {
  return address.replace(/ext::(\w+)$/, ':$1(^ext:[^]*$)')
}

function readServer<Admitted extends object, Requirements extends object>(
  parts: CallParts,
  gate: Gate<Admitted, Requirements>,
  endpoint: ReadEndpoint<BaseCall & Admitted>,
): Serve {
  const isPage = endpoint.query?.properties.cursor !== undefined
  const databaseFor = isPage || endpoint.onReplica ? replicaOf : databaseOf
  return async (request, reply) => {
    const call = callOf(parts, gate, request, databaseFor(parts, gate, request), 'nothing')
    const answer = await endpoint.read(call, request.query)
    if (answer instanceof Raw) return sendRaw(request, reply, answer)
    if (isPage) linkNextPage(request, reply, answer, parts.publicUrl)
    return answer
  }
}

function sendRaw(request: Request, reply: Reply, { status, headers, body }: Raw): Reply {
  reply.code(status).headers(headers)
  // Closed when the last byte was sent, or when the client has left.
  reply.raw.once('close', () => body?.destroy())
  // A null would be sent as JSON.
  if (body === null) return reply.send()
  if (request.method !== 'HEAD') return reply.send(body)
  // Nobody reads the body of a HEAD, and it might never end by itself.
  body.destroy()
  return reply.send(nothingFor(request))
}
