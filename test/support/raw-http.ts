import { connect } from 'node:net'
import type { Answer } from './diwan.ts'

/** Sends bytes that no HTTP client would send, and reads the answer until the server closes the connection. */
export function sendRaw(url: string, request: string | Uint8Array): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.on('data', chunk => chunks.push(chunk))
    // Whoever still sends when the server has answered and closed the connection has its answer all the same.
    socket.on('error', error => chunks.length === 0 && reject(error))
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())))
  })
}

/** A complete request as text, to a host of any name; it asks the server to close the connection afterwards. */
export function requestText(method: string, target: string, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries({ host: 'diwan', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function parse(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
  const body = rest.join('\r\n\r\n')
  const isJson = headers.get('content-type')?.startsWith('application/json') && body !== ''
  return { status: Number(first.split(' ')[1]), headers, body: isJson ? JSON.parse(body) : body }
}
