import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A proxy between a client and a server that can fall silent: connections stay open, but nothing passes any more. */
export interface SilentProxy {
  port: number
  /** Nothing more passes on the existing connections; new ones work. */
  silenceConnections(): void
  /** Nothing passes at all until `speak` is called; then new connections work. */
  silence(): void
  speak(): void
  /** How often something was sent that did not pass. */
  swallowed(): number
}

const servers: Server[] = []
const sockets = new Set<Socket>()
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

export async function startSilentProxy(target: { port: number; host: string }): Promise<SilentProxy> {
  let isSilent = false
  let generation = 0
  let swallowed = 0
  const server = createServer(client => {
    const born = generation
    const upstream = connect(target.port, target.host)
    const passes = () => !isSilent && born === generation
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', chunk => (passes() ? to.write(chunk) : swallowed++))
      from.on('error', () => {})
      from.on('close', () => passes() && to.destroy())
    }
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    silenceConnections: () => generation++,
    silence() {
      isSilent = true
      generation++
    },
    speak() {
      isSilent = false
    },
    swallowed: () => swallowed,
  }
}
