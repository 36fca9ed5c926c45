import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Doer } from '../domain/audit.ts'
import { addressKey } from '../lib/address-key.ts'
import type { RawBody } from './body.ts'
import type { RawQuery } from './query.ts'

/** Who is behind a request, as soon as that is known: for the audit and the log. */
export interface Who {
  company_id: number | null
  by: Doer
  /** Whose denials are counted together: a key, a person with all tokens, or the operator. */
  credential: string
  /** Who signs: the person behind a key, whoever has a token, or the operator. */
  actor: string
}

declare module 'fastify' {
  interface FastifyRequest {
    operation: string
    bodyLimitBytes: number
    sentContentType: string | undefined
    who: Who | null
    /** What the gate found out; the call is built from it. */
    admitted: object | null
  }
}

/** What a request to an endpoint carries, before anyone has read it. */
export interface Exchange {
  Params: Record<string, string>
  Querystring: RawQuery
  Body: RawBody | undefined
}

/** For the gates too, which stand above this layer and do not know the server. */
export type Request = FastifyRequest<Exchange>
export type Reply = FastifyReply

export type Serve = (request: Request, reply: Reply) => Promise<unknown>

/** What the burst throttle counts a caller's address by. */
export function throttledAddress(request: FastifyRequest): string {
  return `ip:${addressKey(request.ip)}`
}

export function bearerToken(request: FastifyRequest): string | undefined {
  return request.headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1]
}

export function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Where the caller found us. Undefined for what could not stand in an address. */
export function originOf({ protocol, host }: FastifyRequest): string | undefined {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${protocol}://${host}` : undefined
}

/** The path as it was sent, without the query: names of things may stand in a query, and they are not logged. */
export function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0] as string
}
