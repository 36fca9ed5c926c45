import { connect, type Socket } from 'node:net'
import type { OpenLoad, Outcome } from './open-load.ts'
import { requestText } from './raw-http.ts'

/** Made beforehand, as a proxy keeps them. What is due while all of them wait for an answer is sent when one is free. */
const CONNECTIONS = 1_000

process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] as string))))
process.exit(0)

async function load(wanted: OpenLoad): Promise<Outcome> {
  const { port, calls, isFromAnywhere, forMs, perSecond, callers = CONNECTIONS, deadlineMs } = wanted
  const found: { status: number | string; ms: number; isOver: boolean }[] = []
  const free = await Promise.all(Array.from({ length: callers }, () => open(port)))
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > forMs
  let [sent, underWay] = [0, 0]
  const send = async () => {
    const { path, key } = calls[sent++ % calls.length] as OpenLoad['calls'][number]
    const headers = { connection: 'keep-alive', authorization: `Bearer ${key}` }
    const from = isFromAnywhere && {
      'x-forwarded-for': `fd00:0:${(sent >> 16).toString(16)}:${(sent & 0xffff).toString(16)}::1`,
    }
    underWay++
    const since = performance.now()
    // The server closes those that nothing was sent on for long.
    let connection = free.pop()
    while (connection?.destroyed) connection = free.pop()
    connection ??= connect(port, '127.0.0.1')
    const status = await ask(connection, requestText('GET', path, { ...headers, ...from }))
    found.push({ status, ms: performance.now() - since, isOver: isOver() })
    if (!connection.destroyed) free.push(connection)
    underWay--
  }
  const repeat = async () => {
    while (!isOver()) await send()
  }
  const sending: Promise<void>[] = perSecond === undefined ? Array.from({ length: callers }, repeat) : []
  while (perSecond !== undefined && !isOver()) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (sent < due && underWay < callers) sending.push(send())
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  await Promise.all(sending)
  const isGood = ({ status, ms }: (typeof found)[0]) => status === 200 && ms <= deadlineMs
  const refused = found.flatMap(({ status, ms }) => (status === 503 ? [ms] : [])).sort((a, b) => a - b)
  const others: Record<string, number> = {}
  for (const { status } of found)
    if (status !== 200 && status !== 503) others[String(status)] = (others[String(status)] ?? 0) + 1
  return {
    seconds: forMs / 1000,
    sent,
    good: found.filter(one => isGood(one) && !one.isOver).length,
    late: found.filter(one => one.status === 200 && !isGood(one)).length,
    refused: refused.length,
    refusedP50Ms: refused[Math.floor(refused.length / 2)] ?? 0,
    refusedP99Ms: refused[Math.floor(refused.length * 0.99)] ?? 0,
    others,
  }
}

/** Once it is answered the server has accepted it, and not only its kernel. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await ask(socket, requestText('GET', '/health', { connection: 'keep-alive' }))
  return socket
}

/** Reads no more of an answer than its status and its length, so that asking costs little beside answering. */
function ask(socket: Socket, request: string): Promise<number | string> {
  return new Promise(resolve => {
    let status = 0
    let missing = Number.POSITIVE_INFINITY
    const settle = (outcome: number | string) => {
      socket.removeAllListeners()
      socket.on('error', () => {})
      resolve(outcome)
    }
    socket.on('data', chunk => {
      if (status === 0) {
        const head = chunk.toString('latin1', 0, 2_000)
        status = Number(head.slice(9, 12))
        missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) + head.indexOf('\r\n\r\n') + 4
      }
      missing -= chunk.length
      if (missing <= 0) settle(status)
    })
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => settle(code ?? message))
    socket.on('close', () => settle('closed'))
    socket.write(request)
  })
}
