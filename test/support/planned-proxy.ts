import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** What happens to a request: it is passed on, gets no answer, or gets an answer that the server did not give. */
export type Fate = 'pass' | 'cut before' | 'cut after' | 'hang' | ((response: ServerResponse) => unknown)

interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

export interface PlannedProxy {
  url: string
  /** The fates of the next requests, one each; all later requests pass. */
  fates: Fate[]
  /** The fate of every request with this method, if it has none by its turn. */
  always: Partial<Record<string, Fate>>
  /** The fate of a request by what it asks for, if it has none by its turn. */
  byRequest: (request: SeenRequest) => Fate | undefined
  /** How many requests the server has begun to answer. */
  answered: number
  seen: SeenRequest[]
  /** Hangs up on everybody. */
  cut(): void
}

const open = new Set<{ close(): unknown; closeAllConnections(): void }>()
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections()
    server.close()
  }
  open.clear()
})

/** A proxy in front of a server that does to each request what was planned for it. */
export async function startPlannedProxy(target: string): Promise<PlannedProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers, socket } = incoming
    proxy.seen.push({ method, url, headers })
    const fate = proxy.fates.shift() ?? proxy.byRequest({ method, url, headers }) ?? proxy.always[method] ?? 'pass'
    if (fate === 'cut before') return socket.destroy()
    if (fate === 'hang') return incoming.resume()
    if (typeof fate === 'function') {
      incoming.resume()
      return fate(outgoing)
    }
    const forwarded = request(target, { path: url, method, headers, agent: false }, answer => {
      proxy.answered++
      if (fate === 'cut after') return answer.resume().on('end', () => socket.destroy())
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      return answer.pipe(outgoing)
    })
    forwarded.on('error', () => socket.destroy())
    outgoing.on('close', () => forwarded.destroy())
    return incoming.pipe(forwarded)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.add(server)
  const proxy: PlannedProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates: [],
    always: {},
    byRequest: () => undefined,
    answered: 0,
    seen: [],
    cut: () => server.closeAllConnections(),
  }
  return proxy
}
