import type { FastifyInstance } from 'fastify'
import type { Tracer } from '../../lib/tracing.ts'
import { isMadeHere, statusOf } from '../requests/request.ts'

/**
 * A span for each request, until its connection is done with it. It names the route and not the path, because a path may contain
 * names of things.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, headers } = request
    const { traceparent } = headers
    const span = tracer.begin(
      {
        name: routeOptions.url ? `${method} ${routeOptions.url}` : method,
        kind: 'server',
        attributes: {
          'http.request.method': method,
          'http.route': routeOptions.url,
          'diwan.operation': routeOptions.config.operation,
          'diwan.request_id': request.id,
        },
      },
      { traceparent: typeof traceparent === 'string' ? traceparent : undefined, isWithin: isMadeHere(request) },
    )
    request.span = span
    reply.raw.once('close', () => {
      const status = statusOf(reply)
      span.set({ 'http.response.status_code': status, 'diwan.company_id': request.who?.company_id ?? undefined })
      if (status >= 500) span.fail({ status, code: request.refusal?.code ?? String(status) })
      span.end()
    })
    tracer.run(span, done)
  })
}
