import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** A message as it arrived. */
export interface Received {
  url: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  body: any
}

type Answer = (response: ServerResponse, message: Received, received: Received[]) => unknown

export interface Receiver {
  url: string
  received: Received[]
  /** The largest number of requests that were open at the same moment. */
  mostAtOnce(): number
  /** Sets how messages are answered from now on. */
  answer(how: Answer): void
}

const open = new Set<{ close(): unknown; closeAllConnections(): void }>()
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections()
    server.close()
  }
  open.clear()
})

export const taken: Answer = response => response.end()
export const refused =
  (status: number, headers: Record<string, string> = {}): Answer =>
  response =>
    response.writeHead(status, headers).end(`No: ${status}`)

/** Undefined when the sender disconnects before the end, for example because it was killed. */
async function wholeText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return undefined
  }
}

/** A real receiver of webhooks on this machine; with a certificate it uses TLS, as `localhost`. */
export async function startReceiver(first: Answer = taken, tls?: { key: string; cert: string }): Promise<Receiver> {
  let how = first
  let [atOnce, most] = [0, 0]
  const received: Received[] = []
  const receive: RequestListener = async (request, response) => {
    most = Math.max(most, ++atOnce)
    response.on('close', () => atOnce--)
    const text = await wholeText(request)
    if (text === undefined) return
    const message = { url: request.url ?? '', headers: request.headers, text, body: text && JSON.parse(text) }
    received.push(message)
    how(response, message, received)
  }
  const server = tls ? createTlsServer(tls, receive) : createServer(receive)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.add(server)
  return {
    url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}/hook`,
    received,
    mostAtOnce: () => most,
    answer(next) {
      how = next
    },
  }
}
