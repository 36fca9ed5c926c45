import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { requestText } from './raw-http.ts'

/** What a client may be slow at: the bytes that it sends first, and the one that it sends in each second after that. */
interface Slowness {
  first(key: string): string
  each: string
}

const KEPT = { connection: 'keep-alive' }
const headOfBody = (headers: Record<string, string> = {}) =>
  requestText('POST', '/api/v1/projects', { ...KEPT, 'content-length': '100000', ...headers })

export const SLOWNESS: Record<string, Slowness> = {
  'sends nothing at all': { first: () => '', each: '' },
  'sends headers one by one': { first: () => 'GET /api/v1/projects HTTP/1.1\r\nx-slow: ', each: 'x' },
  'sends a body one by one': { first: key => headOfBody({ authorization: `Bearer ${key}` }), each: ' ' },
  'sends a refused body one by one': { first: () => headOfBody(), each: ' ' },
  // More than the buffers of both kernels hold.
  'takes an answer little by little': {
    first: () => requestText('GET', '/openapi.json', KEPT).repeat(60),
    each: '',
  },
}

/** Of an answer, this much is taken in a second: on loopback the other side is told of that only after minutes. */
const TAKEN_BYTES = 512
const EVERY_MS = 1_000

export interface SlowClient {
  kind: string
  port: number
  since: number
  leave(): void
}

export async function startSlowClient(port: number, kind: string, key: string): Promise<SlowClient> {
  const { first, each } = SLOWNESS[kind] as Slowness
  const onread = { buffer: Buffer.alloc(TAKEN_BYTES), callback: () => false }
  // Nothing is told of how it ends: a client that does not read would not hear of it.
  const socket: Socket = connect({ port, host: '127.0.0.1', onread }).on('error', () => {})
  await once(socket, 'connect')
  socket.write(first(key))
  const timer = setInterval(() => {
    if (socket.writable && each !== '') socket.write(each)
    socket.resume()
  }, EVERY_MS)
  socket.on('close', () => clearInterval(timer))
  return {
    kind,
    port: socket.localPort as number,
    since: performance.now(),
    leave: () => {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

/** The ports of the clients whose connections a process holds at this port, as the kernel tells, and what it holds for each. */
export function heldFrom(port: number): Map<number, number> {
  const portOf = (address = '') => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
  const rows = ['tcp', 'tcp6'].flatMap(name => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
  return new Map(
    rows.flatMap(row => {
      const [, local, remote, , queues = '', , , , , inode] = row.trim().split(/\s+/)
      return portOf(local) === port && inode !== '0' ? [[portOf(remote), Number.parseInt(queues, 16)] as const] : []
    }),
  )
}

/**
 * While this much more is taken for a client between two looks, or handed on, it has not begun to be slow: the server is still
 * filling our kernel, or that is filling the client's. The client itself takes far less.
 */
const FILLED_BYTES = 16_384

/** Waits until the server holds none of them, and returns for each how long it was slow and held, in ms. */
export async function whenCut(port: number, clients: SlowClient[], withinMs: number): Promise<Map<SlowClient, number>> {
  const cut = new Map<SlowClient, number>()
  // A client is slow from the moment on at which the kernels are full.
  const isLate = () => performance.now() > withinMs + Math.max(...clients.map(({ since }) => since))
  let before = heldFrom(port)
  while (cut.size < clients.length && !isLate()) {
    const held = heldFrom(port)
    for (const client of clients) {
      const bytes = held.get(client.port)
      if (bytes === undefined && !cut.has(client)) cut.set(client, performance.now() - client.since)
      else if (bytes !== undefined && Math.abs(bytes - (before.get(client.port) ?? 0)) > FILLED_BYTES)
        client.since = performance.now()
    }
    before = held
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return cut
}
