import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { random } from './random.ts'

export interface FlakyProxy {
  url: string
  /** The share of requests that fail, from 0 to 1. */
  failing: number
  failures: number
  passed: number
  /** Called just before a request is passed on. */
  before?: ((method: string) => Promise<void>) | undefined
}

type Mishap = 'refuse' | 'cut before' | 'cut after'
const MISHAPS: Mishap[] = ['refuse', 'cut before', 'cut after']

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** A proxy that answers 503 or hangs up at random, sometimes after the server has already carried out the request. */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const server = createServer(async (incoming, outgoing) => {
    await proxy.before?.(incoming.method as string)
    const mishap = random() < proxy.failing ? MISHAPS[Math.floor(random() * MISHAPS.length)] : undefined
    if (mishap) proxy.failures++
    else proxy.passed++
    if (mishap === 'refuse') {
      incoming.resume()
      return outgoing.writeHead(503).end('Not now')
    }
    if (mishap === 'cut before') return incoming.socket.destroy()
    const forwarded = request(
      target,
      { path: incoming.url, method: incoming.method, headers: incoming.headers },
      answer => {
        if (mishap === 'cut after') {
          answer.resume().on('end', () => incoming.socket.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: FlakyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failing: 0,
    failures: 0,
    passed: 0,
  }
  servers.push(server)
  return proxy
}
