import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../domain/access/caller.ts'
import { ApiError, forbidden, unprocessable } from '../domain/errors.ts'
import { parametersIn } from '../http/requests/query.ts'
import {
  bearerToken,
  type Exchange,
  metadataUrl,
  originOf,
  pathOf,
  type Reply,
  type Request,
  resourceOf,
  searchOf,
} from '../http/requests/request.ts'
import { excessIn, numbersAt } from '../lib/json.ts'
import { answerMessage, type Message } from './answer-message.ts'
import { wantedTools } from './wanted-tools.ts'

interface McpParts {
  version: string
  publicUrl: string | undefined
  /** The caller; throws when the key or token is invalid or its company's calls are not answered. */
  readCaller: (request: Request, reply: Reply, resource: string) => Promise<Caller>
  onError: (error: Error) => void
}

/**
 * The tools for agents at `/mcp`: the API in another form. Agents that use the older version of the protocol also try methods
 * other than POST; they are told that those do not exist.
 */
export function mountMcp(app: FastifyInstance, { version, publicUrl, readCaller, onError }: McpParts): void {
  app.route<Exchange>({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    async onRequest(request, reply) {
      requireOwnOrigin(request, publicUrl)
      request.admitted = await readCaller(request, reply, resourceOf(request, publicUrl)).catch(error => {
        if (error instanceof ApiError && error.status === 401)
          reply.header('www-authenticate', challengeFor(request, publicUrl))
        throw error
      })
      request.query = parametersIn(request.query, ['tools'])
      // Unknown names are refused now: an agent that is shown too few tools does not report it.
      wantedTools(request.query.tools)
    },
    async handler(request, reply) {
      const message = messageIn(request)
      const answer = await answerMessage({ app, version, onError }, request, toWebRequest(request), message)
      const body = Buffer.from(await answer.arrayBuffer())
      return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).send(body)
    },
  })
}

/** Tells an agent that has no key where it can get a token (RFC 9728, 5.1). */
function challengeFor(request: Request, publicUrl: string | undefined): string {
  const error = bearerToken(request) === undefined ? '' : ', error="invalid_token"'
  return `Bearer resource_metadata="${metadataUrl(request, publicUrl)}"${error}`
}

/** A page of another site must not reach this server through the browser of someone who can reach it. */
function requireOwnOrigin(request: Request, publicUrl: string | undefined): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const own = publicUrl === undefined ? addressedOrigin(request) : new URL(publicUrl).origin
  if (origin !== own) throw forbidden('Origin must be that of this server.')
}

/** Undefined for a host name: its owner could point it here, and the page would be same-origin. An IP address is safe. */
function addressedOrigin(request: Request): string | undefined {
  const origin = originOf(request)
  const { hostname } = new URL(origin ?? 'http://unknown')
  return hostname === 'localhost' || isIP(hostname.replace(/[[\]]/g, '')) ? origin : undefined
}

/** Undefined when it is not JSON: the protocol has its own answer for that. */
function messageIn({ body }: Request): Message | undefined {
  const bytes = body?.bytes ?? Buffer.alloc(0)
  const excess = body?.tooLarge ? 'is too large' : excessIn(bytes)
  if (excess) throw unprocessable('body', excess)
  const text = bytes.toString('utf8')
  const message = parsed(text)
  // The calls in a batch would pass the throttle as one.
  if (Array.isArray(message)) throw unprocessable('body', 'must be one message')
  return message === undefined ? undefined : { message, numbers: () => numbersAt(['params', 'arguments'], text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** These headers describe the original bytes and connection. */
const NOT_PASSED_ON = ['content-length', 'transfer-encoding', 'connection', 'expect']

function toWebRequest(request: Request): globalThis.Request {
  const { method, headers: sent, body, sentContentType } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries({ ...sent, 'content-type': sentContentType }))
    if (typeof value === 'string' && !NOT_PASSED_ON.includes(name)) headers.set(name, value)
  const bytes = method === 'POST' ? { body: new Uint8Array(body?.bytes ?? []) } : {}
  // An address in absolute form may have a password, which no such request can be made with.
  return new Request(`http://localhost${pathOf(request)}${searchOf(request)}`, { method, headers, ...bytes })
}
