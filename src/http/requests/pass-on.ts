import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CellProof } from '../../domain/cells/proof.ts'
import { unavailable } from '../../domain/errors.ts'
import type { OtherCells, PassedRequest } from '../../domain/ports/cells.ts'
import type { RawBody } from './body.ts'
import { headersOfPassedOn, PASSED_ON, type Why } from './passed-on.ts'
import { isMadeHere } from './request.ts'

/** How a call that belongs to another cell gets there. */
export interface PassOn {
  /** Gives the call to the cell, and the caller its answer, both unread as they come. Throws when the cell is away. */
  toCell(cell: number, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** What the other cells answer to the same GET; undefined for one that does not answer. */
  toOthers(request: FastifyRequest): Promise<Map<number, unknown>>
}

/** They concern a connection and not what is sent on it (RFC 9110, 7.6.1), or say what we say ourselves. */
const OF_A_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const SAID_ANEW = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-request-id', PASSED_ON]
const NOT_PASSED_ON = new Set([...OF_A_CONNECTION, ...SAID_ANEW, 'expect', 'content-length'])
const OTHERS_WITHIN_MS = 3_000

export function createPassOn(others: OtherCells, proof: CellProof): PassOn {
  return {
    async toCell(cell, request, reply) {
      // Once is enough: if it is not there either, it is on the way.
      if (request.isPassedOn || isMadeHere(request)) throw unavailable('The company is being moved. Try again soon.')
      request.server.entrance.leave(request.raw)
      const left = new AbortController()
      reply.raw.once('close', () => reply.raw.writableFinished || left.abort())
      const { method } = request
      const headers = { ...headersFor(request, method, 'yours'), ...framingOf(request) }
      const sent = { method, path: request.raw.url ?? '', headers, body: bodyOf(request) }
      const answer = await others.send(cell, { ...sent, signal: left.signal }).catch(error => {
        readRest(request)
        throw error
      })
      reply.hijack()
      reply.raw.writeHead(answer.statusCode ?? 502, headersIn(answer))
      pipeline(answer, reply.raw, () => readRest(request))
    },

    async toOthers(request) {
      if (request.isAskedOfAll) return new Map()
      const asked = others.numbers.map(async (cell): Promise<[number, unknown]> => {
        const signal = AbortSignal.timeout(OTHERS_WITHIN_MS)
        const method = 'GET'
        const headers = { ...headersFor(request, method, 'all'), 'accept-encoding': 'identity' }
        const sent = { method, path: request.raw.url ?? '', headers, body: Buffer.alloc(0), signal }
        const read = async () => jsonIn(await others.send(cell, sent))
        return [cell, await read().catch(() => undefined)]
      })
      return new Map(await Promise.all(asked))
    },
  }

  function headersFor(request: FastifyRequest, method: string, why: Why): PassedRequest['headers'] {
    const headers: PassedRequest['headers'] = {}
    for (const [name, values = []] of Object.entries(request.raw.headersDistinct))
      if (!NOT_PASSED_ON.has(name)) headers[name] = values.length === 1 ? (values[0] as string) : values
    return { ...headers, ...headersOfPassedOn(proof, why, method, request) }
  }
}

/** It may have been answered before all of it had come. The rest is in the way of the next request on the connection. */
function readRest({ raw }: FastifyRequest): void {
  raw.unpipe()
  raw.resume()
}

/** The bytes where they were read to see where the call belongs; otherwise as they come. */
function bodyOf({ raw, body }: FastifyRequest): PassedRequest['body'] {
  if (body) return (body as RawBody).bytes
  return hasBody(raw) ? raw : Buffer.alloc(0)
}

/** Without it, Node.js would not frame the body of a DELETE, and the next cell would take it for another request. */
function framingOf({ raw, body }: FastifyRequest): Record<string, string> {
  if (body) return { 'content-length': String((body as RawBody).bytes.length) }
  const { 'content-length': length } = raw.headers
  if (length !== undefined) return { 'content-length': length }
  return hasBody(raw) ? { 'transfer-encoding': 'chunked' } : {}
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** In the form in which they came, in which a header may be there twice. */
function headersIn({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, n) => !OF_A_CONNECTION.includes((rawHeaders[n - (n % 2)] ?? '').toLowerCase()))
}

async function jsonIn(answer: IncomingMessage): Promise<unknown> {
  if (answer.statusCode !== 200) {
    answer.resume()
    throw new Error(`A cell answered ${answer.statusCode}`)
  }
  let text = ''
  for await (const bytes of answer.setEncoding('utf8')) text += bytes
  return JSON.parse(text)
}
