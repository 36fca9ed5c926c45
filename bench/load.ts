import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Measured {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** A request as it is sent on the wire. */
export type Request = string

export function get(path: string, key: string): Request {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

export function post(path: string, key: string, body = '', more = ''): Request {
  return withBody('POST', path, key, body, more)
}

export function put(path: string, key: string, body: string): Request {
  return withBody('PUT', path, key, body, '')
}

function withBody(method: string, path: string, key: string, body: string, more: string): Request {
  const type = body === '' ? '' : 'Content-Type: application/json\r\n'
  const length = Buffer.byteLength(body)
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${more}${type}Content-Length: ${length}\r\n\r\n${body}`
}

interface Load {
  connections: number
  forMs: number
  next: () => Request
  /** How many requests are due in a second; without it, each connection sends its next one as soon as it can. */
  perSecond?: number
}

/**
 * Keeps a number of connections busy for a while, each with one request at a time. It parses no more of an answer than
 * its status and its length, so that the load generator itself adds little to the measurement. A request that is due at a
 * certain time is measured from then on, even if it had to wait for a connection.
 */
export async function load(port: number, { connections, forMs, next, perSecond }: Load): Promise<Measured> {
  const times: number[] = []
  const started = performance.now()
  const until = started + forMs
  let sent = 0
  const due = () => (perSecond === undefined ? performance.now() : started + (sent++ * 1000) / perSecond)
  await Promise.all(Array.from({ length: connections }, () => busy(port, { until, due, next }, times)))
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { requests: times.length, perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function busy(
  port: number,
  { until, due, next }: { until: number; due: () => number; next: () => Request },
  times: number[],
): Promise<void> {
  // It may fail while no answer is awaited.
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => {})
  try {
    for (let at = due(); at < until; at = due()) {
      if (at > performance.now()) await sleep(at - performance.now())
      if (socket.destroyed) throw new Error('The server closed the connection')
      await exchange(socket, next())
      times.push(performance.now() - at)
    }
  } finally {
    socket.destroy()
  }
}

/** Sends one request and returns the body of the answer. */
export async function ask(port: number, request: Request): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  const answer = (await exchange(socket, request)).toString()
  socket.destroy()
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

/** Sends a request and waits for the whole answer; anything but success is a fault of the benchmark. */
function exchange(socket: Socket, request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let wanted = Number.POSITIVE_INFINITY
    const settle = (error: Error | undefined) => {
      socket.off('data', onData).off('error', settle).off('close', onClose)
      if (error) reject(error)
      else resolve(received)
    }
    const onClose = () => settle(new Error('The server closed the connection'))
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (wanted === Number.POSITIVE_INFINITY) wanted = lengthOf(received)
      if (received.length < wanted) return
      const ok = received.toString('latin1', 9, 10) === '2'
      settle(ok ? undefined : new Error(`${request.split('\r\n')[0]} was answered ${received}`))
    }
    socket.on('data', onData).on('error', settle).on('close', onClose)
    socket.write(request)
  })
}

function lengthOf(received: Buffer): number {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return Number.POSITIVE_INFINITY
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]
  if (length === undefined) throw new Error('The answer has no Content-Length')
  return head + 4 + Number(length)
}
