import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A proxy in front of a server that is far away: everything that it sends arrives this much later. */
export interface SlowProxy {
  port: number
  delayMs: number
}

const servers: Server[] = []
const sockets = new Set<Socket>()
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

export async function startSlowProxy(target: { port: number; host: string }): Promise<SlowProxy> {
  const server = createServer(client => {
    const upstream = connect(target.port, target.host)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setNoDelay()
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    client.on('data', bytes => upstream.write(bytes))
    // Timers of one length fire in their order. When the delay shrinks, what is on its way arrives first all the same.
    let arrivesAt = 0
    upstream.on('data', bytes => {
      if (proxy.delayMs === 0 && performance.now() >= arrivesAt) return void client.write(bytes)
      arrivesAt = Math.max(arrivesAt, performance.now() + proxy.delayMs)
      return void setTimeout(() => client.write(bytes), arrivesAt - performance.now())
    })
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy = { port: (server.address() as AddressInfo).port, delayMs: 0 }
  return proxy
}
