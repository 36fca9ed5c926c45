import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../db/postgres.ts'
import { digestOf } from '../domain/credentials.ts'
import { notFound, unavailable } from '../domain/errors.ts'
import { bearerToken } from './request.ts'

export interface ProbeParts {
  check: Database['check']
  metrics: Registry
  operatorToken: string
}

/** What machines ask: is it alive, can it serve, how is it doing. */
export function mountProbes(app: FastifyInstance, { check, metrics, operatorToken }: ProbeParts): void {
  app.get('/health', async () => ({ status: 'ok' }))

  app.get('/ready', async request => {
    if (!app.server.listening) throw unavailable('The server is stopping.')
    await Promise.race([check(), timeout(2_000)]).catch(error => {
      request.log.warn({ request_id: request.id, reason: String(error) }, 'The database cannot be written')
      throw unavailable()
    })
    return { status: 'ready' }
  })

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && !isOperator(request, operatorToken)) throw notFound()
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

function timeout(ms: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms).unref())
}

/** From this machine itself, and not through a proxy that runs on it. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const isForwarded =
    headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined
  return /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') && !isForwarded
}

function isOperator(request: FastifyRequest, operatorToken: string): boolean {
  return timingSafeEqual(digestOf(bearerToken(request) ?? '', 'metrics'), digestOf(operatorToken, 'metrics'))
}
