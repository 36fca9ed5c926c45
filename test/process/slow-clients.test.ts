import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestCompany } from '../support/diwan.ts'
import { listenTo } from '../support/listening.ts'
import { requestText } from '../support/raw-http.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
import { heldFrom, SLOWNESS, startSlowClient, whenCut } from '../support/slow-clients.ts'

/** They used to be kept for a minute. A busy machine takes a while to notice that one has stopped. */
const CUT_WITHIN_MS = 25_000
/** As long as no client may be cut off for being silent: a phone in a tunnel. */
const SILENT_FOR_MS = 6_000
/** Longer than any slow client is kept. */
const LONGER_MS = 17_000

let server: ServerProcess
let company: TestCompany
beforeAll(async () => {
  server = await serve(withoutJobs())
  company = await server.diwan.company()
})
afterAll(() => server?.end('SIGKILL'))

/** A connection, and what has come over it so far. */
async function open() {
  const socket = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => {})
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  return { socket, said: () => text }
}

describe.concurrent('A client that', () => {
  it.each(Object.keys(SLOWNESS))('%s is cut off in time', { tags: 'long' }, async kind => {
    const client = await startSlowClient(server.port, kind, company.key)
    expect((await whenCut(server.port, [client], CUT_WITHIN_MS)).size).toBe(1)
    client.leave()
  })

  // Browsers connect before they need to, and take whatever comes on such a connection for the answer to their first request there.
  it('connects and sends nothing is cut off without a word', { tags: 'long' }, async () => {
    const { socket, said } = await open()
    await once(socket, 'close')
    expect(said()).toBe('')
  })

  it('sends an upload slowly but steadily, or is silent for a while, is heard out', { tags: 'long' }, async () => {
    const body = JSON.stringify({ name: 'Website launch', description: 'x'.repeat(40_000) })
    const headers = { authorization: `Bearer ${company.key}`, 'content-length': String(body.length) }
    const { socket, said } = await open()
    socket.write(requestText('POST', '/api/v1/projects', headers))
    const half = 20_000
    for (let sent = 0; sent < half; sent += 1_250) {
      socket.write(body.slice(sent, Math.min(sent + 1_250, half)))
      await sleep(1_000)
    }
    await sleep(SILENT_FOR_MS)
    socket.write(body.slice(half))
    await once(socket, 'close')
    expect(said()).toMatch(/^HTTP\/1.1 201 /)
  })

  it('takes an answer slowly, or not for a while, gets all of it', { tags: 'long' }, async () => {
    const { socket, said } = await open()
    const one = requestText('GET', '/openapi.json', { connection: 'keep-alive' })
    socket.pause()
    socket.write(one.repeat(29) + requestText('GET', '/openapi.json'))
    const startedAt = performance.now()
    const hasBeenSlow = () => performance.now() - startedAt > LONGER_MS
    await sleep(SILENT_FOR_MS)
    socket.on('data', chunk => {
      if (hasBeenSlow()) return
      socket.pause()
      // Some 500 kB in a second.
      setTimeout(() => socket.resume(), chunk.length / 500)
    })
    socket.resume()
    await once(socket, 'close')
    expect(hasBeenSlow()).toBe(true)
    expect(said().length).toBeGreaterThan(30 * 300_000)
  })

  it('follows a stream without news, or keeps a connection for later, is not cut off', { tags: 'long' }, async () => {
    const stream = await listenTo(`${server.url}/api/v1/company/changes`, { authorization: `Bearer ${company.key}` })
    const { socket } = await open()
    socket.write(requestText('GET', '/health', { connection: 'keep-alive' }))
    await once(socket, 'data')
    await sleep(LONGER_MS)
    expect(stream.ended()).toBe(false)
    expect(heldFrom(server.port).has(socket.localPort as number)).toBe(true)
    socket.write(requestText('GET', '/health'))
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /)
    stream.leave()
  })
})
