import { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Doer } from '../../domain/audit.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { addressKey } from '../../lib/address-key.ts'
import type { Span } from '../../lib/tracing.ts'
import type { RawBody } from './body.ts'
import type { RawQuery } from './query.ts'

/** Who is behind a request, once that is known: for the audit and the log. */
export interface Who {
  company_id: number | null
  by: Doer
  /** Whose denials are counted together: those of a key, of a person with all their tokens, or of the operator. */
  credential: string
  /** The name that signs changes: the person behind a key, the owner of a token, or the operator. */
  actor: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of a route, also of requests that are refused before they reach it. */
    operation?: string
  }
  interface FastifyRequest {
    operation: string
    bodyLimitBytes: number
    sentContentType: string | undefined
    who: Who | null
    /** What was answered, if it was refused; the flat answer of the burst throttle has no code. */
    refusal: { code: ErrorCode | null; message: string } | null
    /** What the gate found out; the call is built from it. */
    admitted: object | null
    /** How far the database had written when the call was admitted: it reads what was acknowledged before that. */
    position: string | undefined
    /** Another cell has received it and passed it on. */
    isPassedOn: boolean
    /** That cell asks all others the same, and each answers for itself. */
    isAskedOfAll: boolean
    /** Where traces are recorded. */
    span?: Span
  }
}

/** What a request to an endpoint carries, before it is parsed. */
export interface Exchange {
  Params: Record<string, string>
  Querystring: RawQuery
  Body: RawBody | undefined
}

/** Also for the gates, which are above this layer and do not know the server. */
export type Request = FastifyRequest<Exchange>
export type Reply = FastifyReply

export type Serve = (request: Request, reply: Reply) => Promise<unknown>

/** The name under which the burst throttle counts a caller's address. */
export function throttledAddress(request: FastifyRequest): string {
  return `ip:${addressKey(request.ip)}`
}

export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1]
}

export function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The URL under which the caller reached us. Undefined when the host is not valid in a URL. */
export function originOf({ protocol, host }: FastifyRequest): string | undefined {
  const origin = `${protocol}://${host}`
  return /^[\w.:[\]-]{1,255}$/.test(host) && URL.canParse(origin) ? origin : undefined
}

/** The URL at which programs reach this server: the one that is set up, or else the one that they have used. */
export function ownUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? originOf(request) ?? 'http://unknown.invalid'
}

/** What tokens of apps are made for (RFC 8707): the tools for agents, and nothing else. */
export function resourceOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return `${ownUrl(request, publicUrl)}/mcp`
}

/** Where it is said how to get a token for them (RFC 9728, 3.1): the path of the resource comes after the well-known one. */
export function metadataUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  const { origin, pathname } = new URL(resourceOf(request, publicUrl))
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

/** True for a call that the server makes itself, for an agent whose request was admitted. Nobody else can make one. */
export function isMadeHere({ raw }: FastifyRequest): boolean {
  return !(raw instanceof IncomingMessage)
}

/** The path as it was sent, without the query: a query may contain names of things, and they are not logged. */
export function pathOf(request: FastifyRequest): string {
  return request.originalUrl.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0] as string
}

/** The query as it was sent, with its question mark; empty when there is none. */
export function searchOf({ originalUrl }: FastifyRequest): string {
  const start = originalUrl.indexOf('?')
  return start === -1 ? '' : originalUrl.slice(start)
}

/** The status that other servers log when the client has closed the connection. It is never sent. */
const LEFT_UNANSWERED = 499

/** How a call was answered whose connection has been closed. */
export function statusOf({ raw }: Reply): number {
  return raw.headersSent ? raw.statusCode : LEFT_UNANSWERED
}
