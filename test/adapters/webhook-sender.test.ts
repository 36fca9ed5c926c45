import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { freePort } from '../support/servers.ts'

const servers: { close(): unknown }[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function listen(answer: Answer, host = '127.0.0.1', port = 0) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
    request.resume()
  })
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  servers.push({ close: () => server.closeAllConnections() ?? server.close() })
  return { port: (server.address() as AddressInfo).port, asked }
}

async function listenTcp(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createTcp(socket => onConnection(socket.on('error', () => {})))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return (server.address() as AddressInfo).port
}

const MESSAGE = {
  company_id: 1,
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
  body: '{"id":1}',
}
const sender = createWebhookSender({ allowPrivate: true })
const nowhere = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
const sendTo = (url: string) => sender.send({ url, ...MESSAGE })
const answeredBy = async (answer: Answer) => sendTo(`http://127.0.0.1:${(await listen(answer)).port}/`)

describe('An attempt', () => {
  it('is a POST of the body with its headers, to the path and query of the URL', async () => {
    let sent = { body: '', headers: {} as IncomingMessage['headers'] }
    const { port } = await listen(async (request, response) => {
      sent = { body: await text(request), headers: request.headers }
      response.end(`${request.method} ${request.url}`)
    })
    expect(await sendTo(`http://127.0.0.1:${port}/a/b?tenant=7&x=%2F#part`)).toEqual({
      status: 200,
      error: null,
      ms: expect.any(Number),
      response: 'POST /a/b?tenant=7&x=%2F',
      retryAfterSeconds: null,
    })
    expect(sent).toMatchObject({ body: '{"id":1}', headers: { 'webhook-id': 'msg_1' } })
  })

  it('succeeds with 2xx alone, fails by the name of another status, and does not follow a redirect', async () => {
    const elsewhere = await listen((_, response) => response.end())
    const location = `http://127.0.0.1:${elsewhere.port}/`
    for (const [statuses, nameOf] of [
      [[200, 201, 204, 299], () => null],
      [[400, 404, 410, 422, 429, 500, 503], (status: number) => `status_${status}`],
      [[301, 302, 303, 307, 308], () => 'redirect'],
    ] as const)
      for (const status of statuses) {
        const attempt = await answeredBy((_, response) => response.writeHead(status, { location }).end('why'))
        expect(attempt).toMatchObject({ status, error: nameOf(status), response: status === 204 ? '' : 'why' })
      }
    expect(elsewhere.asked).toEqual([])
  })

  it('reads 1 kB of an answer that has no end, and takes it for what its status says', async () => {
    const attempt = await answeredBy((_, response) => {
      const write = () => !response.destroyed && response.write('م\0'.repeat(5_000)) && setImmediate(write)
      response.on('drain', write)
      write()
    })
    expect(attempt).toMatchObject({ status: 200, error: null })
    expect(Buffer.byteLength(attempt.response as string)).toBeLessThan(2_048)
    expect(attempt.response).not.toContain('\0')
  })

  it('tells for how long the receiver asks to be left alone, in seconds or as a date', async () => {
    const askedFor = async (value: string) =>
      (await answeredBy((_, response) => response.writeHead(503, { 'retry-after': value }).end())).retryAfterSeconds
    expect(await askedFor('120')).toBe(120)
    const inAnHour = (await askedFor(new Date(Date.now() + 3_600_000).toUTCString())) as number
    expect(Math.abs(inAnHour - 3_600)).toBeLessThan(60)
    for (const value of ['-5', 'soon', '', '1e400', '9'.repeat(500), 'Thu, 01 Jan 1970 00:00:00 GMT'])
      expect([value, await askedFor(value)]).toEqual([value, null])
  })

  it('is over after 15 seconds: without an answer, or with one that does not end', { tags: 'long' }, async () => {
    const silent = await listen(() => {})
    const trickling = await listen((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 200)
      response.on('close', () => clearInterval(timer))
    })
    const unread = await listenTcp(socket => socket.pause())
    const attempts = await Promise.all(
      [silent.port, trickling.port, unread].map(port => sendTo(`http://127.0.0.1:${port}/`)),
    )
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ status: null, error: 'time_out' })
      expect(attempt.ms).toBeGreaterThan(14_000)
      expect(attempt.ms).toBeLessThan(25_000)
    }
  })

  it('has a name for every other failure', async () => {
    const closing = await listenTcp(socket => socket.destroy())
    const halfway = await listenTcp(socket =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')),
    )
    const nonsense = await listenTcp(socket => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')))
    const plain = await listen((_, response) => response.end())
    for (const [url, name] of [
      [`http://127.0.0.1:${closing}/`, 'connection_closed'],
      [`http://127.0.0.1:${halfway}/`, 'connection_closed'],
      [`http://127.0.0.1:${nonsense}/`, 'not_http'],
      [`https://127.0.0.1:${plain.port}/`, 'tls'],
      [`http://127.0.0.1:${await freePort()}/`, 'connection_refused'],
    ] as const)
      expect([url, (await sendTo(url)).error]).toEqual([url, name])
    const unknown = createWebhookSender({ allowPrivate: true, resolve: nowhere })
    expect((await unknown.send({ url: 'https://nowhere.example/', ...MESSAGE })).error).toBe('dns')
  })

  it('ends at once when it is told to', async () => {
    const stop = new AbortController()
    const { port } = await listen(() => stop.abort())
    const attempt = await sender.send({ url: `http://127.0.0.1:${port}/`, ...MESSAGE }, stop.signal)
    expect(attempt.ms).toBeLessThan(10_000)
    expect(attempt.error).not.toBeNull()
  })
})

describe('A sender that must stay on the public internet', () => {
  const at = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })
  const resolving = (...answers: LookupAddress[][]) => {
    let lookups = 0
    return createWebhookSender({
      allowPrivate: false,
      resolve: async () => answers[Math.min(lookups++, answers.length - 1)] as LookupAddress[],
    })
  }

  it('refuses a private address, however it is spelled, and never connects to it', async () => {
    const { port, asked } = await listen((_, response) => response.end())
    const strict = createWebhookSender({ allowPrivate: false })
    for (const host of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:7f00:1]',
      'localhost',
      '0x7f.1',
    ]) {
      const url = `https://${host}:${port}/`
      expect(await strict.problemOf(url, 1)).toBe('must not lead to a private address')
      expect((await strict.send({ url, ...MESSAGE })).error).toBe('private_address')
    }
    const mixed = resolving([at('8.8.8.8'), at('192.168.1.1')])
    expect((await mixed.send({ url: 'https://hooks.example/', ...MESSAGE })).error).toBe('private_address')
    // Public when the webhook is made, and private when something is sent.
    const moving = resolving([at('8.8.8.8')], [at('127.0.0.1')])
    const url = `https://hooks.example:${port}/`
    expect(await moving.problemOf(url, 1)).toBeUndefined()
    expect(await moving.send({ url, ...MESSAGE })).toMatchObject({ status: null, error: 'private_address' })
    expect(asked).toEqual([])
  })

  it('asks for https', async () => {
    const strict = resolving([at('8.8.8.8')])
    expect(await strict.problemOf('http://hooks.example/', 1)).toBe('must be an https URL')
    expect((await strict.send({ url: 'http://hooks.example/', ...MESSAGE })).error).toBe('https_required')
    expect(await strict.problemOf('https://hooks.example/?a=1', 1)).toBeUndefined()
  })
})

it('A name is looked up once for an attempt: the connection goes to the address that was checked', async () => {
  const first = await listen((_, response) => response.end())
  const second = await listen((_, response) => response.end(), '127.0.0.2', first.port)
  let lookups = 0
  const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  const counting = createWebhookSender({ allowPrivate: true, resolve })
  expect(await counting.send({ url: `http://hooks.example:${first.port}/`, ...MESSAGE })).toMatchObject({ error: null })
  expect([lookups, first.asked, second.asked]).toEqual([1, ['POST /'], []])
})

it('Credentials in a URL are refused, and a name that cannot be looked up yet is not', async () => {
  for (const url of ['https://user@hooks.example/', 'https://user:pass@hooks.example/'])
    expect(await sender.problemOf(url, 1)).toBe("can't carry a name or password")
  const unknown = createWebhookSender({ allowPrivate: false, resolve: nowhere })
  expect(await unknown.problemOf('https://not-yet.example/', 1)).toBeUndefined()
})
