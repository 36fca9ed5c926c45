import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../../db/postgres.ts'
import { notFound, unavailable } from '../../domain/errors.ts'
import type { SignIn } from '../requests/sign-in.ts'

export interface ProbeParts {
  check: Database['check']
  metrics: Registry
  signIn: SignIn
}

/** Endpoints for monitoring: is it alive, can it serve, how is it doing. */
export function mountProbes(app: FastifyInstance, { check, metrics, signIn }: ProbeParts): void {
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
    if (!isLocal(request) && !(await signIn.isOperator(request))) throw notFound()
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

function timeout(ms: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms).unref())
}

/** True for requests from this machine that do not come through a proxy on it. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') && !Object.keys(headers).some(isForwarding)
}

/** The headers in which proxies, balancers and tunnels say whom they speak for. Their names are many, their patterns few. */
const FORWARDING = ['forwarded', 'via', 'cdn-loop']
const FORWARDING_STARTS = ['x-forwarded', 'x-original-', 'x-proxy', 'x-envoy-', 'x-amzn-', 'cf-']
const FORWARDING_ENDS = ['client-ip', 'real-ip', 'connecting-ip', 'remote-ip', 'remote-addr', 'clientip', 'client-addr']

function isForwarding(header: string): boolean {
  return (
    FORWARDING.includes(header) ||
    FORWARDING_STARTS.some(start => header.startsWith(start)) ||
    FORWARDING_ENDS.some(end => header.endsWith(end))
  )
}
