import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/db.ts'
import { isConcurrencyConflict, isMissingParent, isUnavailable, isUniqueViolation } from '../db/failures.ts'
import {
  ApiError,
  BurstExceeded,
  conflict,
  type ErrorCode,
  internalError,
  notFound,
  unavailable,
  unknownEndpoint,
} from '../domain/errors.ts'
import { auditDenied } from './audit.ts'
import { pathOf } from './request.ts'

/** The one place where a failure becomes an answer. What the caller is not meant to read goes to the log. */
export function errorHandler(db: Db) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (thrown instanceof BurstExceeded) {
      return reply.code(429).header('retry-after', String(thrown.retryAfter)).send({ error: thrown.message })
    }
    const error = await audited(toApiError(thrown, request), request)
    // Of a session that was not begun after all.
    reply.removeHeader('set-cookie')
    if (error.status >= 500) tell(request, error, thrown)
    const { retryAfter, ...more } = error.detail
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    return reply.code(error.status).send(envelope(error.code, error.message, more))
  }

  /** A denial that cannot be kept is not given either: what fails here becomes the answer. */
  async function audited(error: ApiError, request: FastifyRequest): Promise<ApiError> {
    if (error.code !== 'forbidden') return error
    return auditDenied(db, request, error).then(
      () => error,
      failure => toApiError(failure, request),
    )
  }
}

/** A fault of ours shows where it happened. What will pass is one line, however many calls meet it. */
function tell(request: FastifyRequest, { status, message }: ApiError, thrown: unknown): void {
  if (status === 503) request.log.warn({ request_id: request.id, reason: String(thrown) }, message)
  else request.log.error({ request_id: request.id, err: thrown }, message)
}

export function notFoundHandler(request: FastifyRequest): never {
  throw unknownEndpoint(pathOf(request))
}

function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown
  // Fastify asks more of some methods than a path that nobody answers deserves.
  if (request.is404) return unknownEndpoint(pathOf(request))
  if (isUniqueViolation(thrown) || isConcurrencyConflict(thrown)) return conflict()
  // Its parent was deleted by another call after it was found.
  if (isMissingParent(thrown)) return notFound()
  if (isUnavailable(thrown)) return unavailable()
  return internalError()
}

export function envelope(code: ErrorCode, message: string, more: { path?: string; cursor?: string } = {}) {
  return { error: { code, message, ...more } }
}
