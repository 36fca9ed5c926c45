import type { FastifyInstance, FastifyRequest } from 'fastify'
import { loggedMessage, loggedPath } from '../../domain/access/logged-text.ts'
import type { LoggedRequest } from '../../domain/access/request-log.ts'
import { isRead, pathOf, type Reply, type Request, statusOf, type Who } from '../requests/request.ts'

export interface LoggingParts {
  add(request: LoggedRequest): void
  /** Whose key a request carries, as far as that is remembered. */
  rememberedCaller(request: Request): Who | null
}

/**
 * The log of requests: every call of a key that was refused or failed, and every write. A client may leave before it is
 * answered, so this waits for the end of the connection and not for the answer.
 */
export function logRequests(app: FastifyInstance, { add, rememberedCaller }: LoggingParts): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const status = statusOf(reply)
      if (!isLogged(request, status)) return
      const who = request.who ?? (isThrottledUnseen(request, status) ? rememberedCaller(request as Request) : null)
      if (who?.company_id && who.by.kind === 'key') add(entryOf(request, reply, who.company_id, who.by.id, status))
    })
    done()
  })
}

/** The messages of agents are no writes themselves: the calls that they lead to are. */
function isLogged(request: FastifyRequest, status: number): boolean {
  return status >= 400 || (!isRead(request) && request.operation !== '')
}

/** The throttle per address refuses before the key is looked up. */
function isThrottledUnseen({ is404 }: FastifyRequest, status: number): boolean {
  return status === 429 && !is404
}

function entryOf(
  request: FastifyRequest,
  reply: Reply,
  company_id: number,
  key_id: number,
  status: number,
): LoggedRequest {
  const { id, method, refusal, routeOptions } = request
  return {
    company_id,
    key_id,
    request_id: id,
    trace_id: request.span?.traceId ?? null,
    at: Date.now(),
    method,
    path: loggedPath(pathOf(request), request.url),
    operation: routeOptions.config.operation ?? null,
    status,
    code: refusal?.code ?? null,
    message: refusal && loggedMessage(refusal.message),
    ms: Math.round(reply.elapsedTime * 10) / 10,
  }
}
