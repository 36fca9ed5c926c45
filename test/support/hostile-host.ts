import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
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

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 100)
  socket.on('close', () => clearInterval(timer))
}

const servers: { server: Server; sockets: Set<Socket> }[] = []
afterAll(() => {
  for (const { server, sockets } of servers) {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
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
  servers.push({ server, sockets })
  return (server.address() as AddressInfo).port
}
