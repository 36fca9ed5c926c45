import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * How long an idle connection is kept open: a request may already be on its way. Proxies use such connections until they have
 * noticed that no new ones are accepted; HAProxy, as we deploy it, needs a second and a half.
 */
const IDLE_MS = 2_000
const LOOK_EVERY_MS = 50

/** While the server stops, every answer asks the client to close its connection. */
export function closeWhileDraining(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!app.server.listening) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Takes no new connections and finishes running requests; those that take longer than `withinMs` are cut off. */
export async function drain(app: FastifyInstance, withinMs: number): Promise<void> {
  const { server } = app
  // `http.Server.close` would close idle connections at once.
  if (server.listening) Server.prototype.close.call(server)
  const startedAt = performance.now()
  while ((await openConnections(server)) > 0) {
    const tookMs = performance.now() - startedAt
    if (tookMs > withinMs) server.closeAllConnections()
    else if (tookMs > IDLE_MS) server.closeIdleConnections()
    await sleep(LOOK_EVERY_MS)
  }
  await app.close().catch(error => {
    if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error
  })
}

function openConnections(server: FastifyInstance['server']): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
