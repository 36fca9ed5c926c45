import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** What a host may do with a request, in the bytes that it sends. None of it is an answer. */
export const MISDEEDS: Record<string, (socket: Socket) => void> = {
  'leaves HTTP': socket =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  'leaves HTTP and goes on': socket => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    repeat(socket, 'x')
  },
  'announces an answer for ever': socket => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  'announces an answer once': socket => socket.write('HTTP/1.1 102 Processing\r\n\r\n'),
  'sends a header that does not end': socket => {
    socket.write('HTTP/1.1 207 Multi-Status\r\n')
    repeat(socket, 'x')
  },
  'sends ten megabytes of headers': socket => {
    socket.write('HTTP/1.1 207 Multi-Status\r\n')
    socket.write(`x-header: ${'x'.repeat(1_000)}\r\n`.repeat(10_000))
  },
  'sends half a body': socket => socket.write('HTTP/1.1 207 Multi-Status\r\ncontent-length: 1000\r\n\r\n<multistatus>'),
  'sends a body one by one': socket => {
    socket.write('HTTP/1.1 207 Multi-Status\r\ncontent-length: 1000000\r\n\r\n')
    repeat(socket, ' ')
  },
  'sends chunks without an end': socket => {
    socket.write('HTTP/1.1 207 Multi-Status\r\ntransfer-encoding: chunked\r\n\r\n')
    repeat(socket, '1\r\n \r\n')
  },
  'sends trailers without an end': socket => {
    socket.write('HTTP/1.1 207 Multi-Status\r\ntransfer-encoding: chunked\r\n\r\n0\r\n')
    repeat(socket, 'x')
  },
  'says nothing': () => {},
  'closes its half': socket => socket.end(),
}

/** What it may do with one that wants to encrypt the connection first. */
export const TLS_MISDEEDS: Record<string, (socket: Socket) => void> = {
  'never begins to encrypt it': () => {},
  'begins to encrypt it and stops': socket => socket.write(START_OF_HANDSHAKE),
  'encrypts it one byte at a time': socket => {
    socket.write(START_OF_HANDSHAKE)
    repeat(socket, '\0')
  },
}

/** The header of a record of 16 kilobytes, as a server greets with. */
const START_OF_HANDSHAKE = Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00, 0x02])

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 100)
  socket.on('close', () => clearInterval(timer))
}

const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})

/** A host that does this with every request, and the port that it listens on. Half-open connections stay open. */
export async function startHostileHost(misdeed: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.on('error', () => {}).once('data', () => misdeed(socket))
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** Listens, and never looks at who comes. */
const DEAF = `require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () {
  require('node:fs').writeSync(1, String(this.address().port))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`
/** More than the kernel holds for it. */
const CALLERS = 8

/** A port from which nothing comes back, as from an address that nobody has: who connects waits for ever. */
export async function startDeafHost(): Promise<number> {
  const child = spawn(process.execPath, ['-e', DEAF], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [told] = await once(child.stdout, 'data')
  const port = Number(told)
  const callers = Array.from({ length: CALLERS }, () => connect(port, '127.0.0.1').on('error', () => {}))
  ends.push(() => {
    for (const caller of callers) caller.destroy()
    child.kill('SIGKILL')
  })
  await Promise.race(callers.map(caller => once(caller, 'connect')))
  return port
}
