import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { InAnotherCell } from '../../domain/cells/elsewhere.ts'
import {
  ApiError,
  BurstExceeded,
  type ErrorCode,
  type ErrorDetail,
  internalError,
  unknownEndpoint,
} from '../../domain/errors.ts'
import { refusalFor } from '../../domain/failures.ts'
import { auditDenied } from '../endpoints/audit.ts'
import type { PassOn } from '../requests/pass-on.ts'
import { pathOf } from '../requests/request.ts'
import { languageFor } from './language.ts'

/** The one place where a failure becomes an answer. What the caller should not see goes to the log. */
export function errorHandler(db: Db, passOn: PassOn | undefined) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(thrown instanceof InAnotherCell) || !passOn) return answer(thrown, request, reply)
    try {
      await passOn.toCell(thrown.cell, request, reply)
    } catch (error) {
      return answer(error, request, reply)
    }
  }

  async function answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
    const language = languageFor(request, reply)
    if (thrown instanceof BurstExceeded) {
      request.refusal = { code: null, message: thrown.message }
      return reply.code(429).header('retry-after', String(thrown.retryAfter)).send({ error: thrown.words[language] })
    }
    const error = await audited(toApiError(thrown, request), request)
    request.refusal = error
    // It may belong to a session that was not created after all.
    reply.removeHeader('set-cookie')
    if (error.status >= 500) logFailure(request, error, thrown)
    // A route may have named more than the scheme.
    if (error.status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Bearer')
    const { retryAfter, contentRange, ...more } = error.detail
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    if (contentRange !== undefined) reply.header('content-range', contentRange)
    return reply.code(error.status).send(envelope(error.code, error.words[language], more))
  }

  /** A denial is not answered unless it was recorded: if that fails, that failure becomes the answer. */
  async function audited(error: ApiError, request: FastifyRequest): Promise<ApiError> {
    if (error.code !== 'forbidden') return error
    return auditDenied(db, request, error).then(
      () => error,
      failure => toApiError(failure, request),
    )
  }
}

/** Our own faults are logged with a stack trace. Temporary failures take one line each, because many calls may meet them. */
function logFailure(request: FastifyRequest, { status, message }: ApiError, thrown: unknown): void {
  if (status === 503) request.log.warn({ request_id: request.id, reason: String(thrown) }, message)
  else request.log.error({ request_id: request.id, err: thrown }, message)
}

export function notFoundHandler(request: FastifyRequest): never {
  throw unknownEndpoint(request.method, pathOf(request))
}

function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown
  // For some methods Fastify reports other errors first, even when no route matches.
  if (request.is404) return unknownEndpoint(request.method, pathOf(request))
  return refusalFor(thrown) ?? internalError()
}

export function envelope(code: ErrorCode, message: string, more: ErrorDetail = {}) {
  return { error: { code, message, ...more } }
}
