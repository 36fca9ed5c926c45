import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintCredential } from '../src/domain/access/credentials.ts'
import { ENGINES } from '../test/support/both-engines.ts'
import { describedIn } from '../test/support/described-operations.ts'
import type { TestCompany } from '../test/support/diwan.ts'
import { GUESSES, guessed } from '../test/support/guesses.ts'
import { generate } from '../test/support/open-load.ts'
import { random } from '../test/support/random.ts'
import { requestText } from '../test/support/raw-http.ts'
import { serveWatched, type Watched } from '../test/support/sent-statements.ts'
import { SERVER_SECRET } from '../test/support/server-process.ts'
import { rounds, tell } from '../test/support/trial.ts'

const BODY_BYTES = 16 * 1024 * 1024
const BODIES = rounds(12, 200)
const BODIES_AT_ONCE = 8
const FLOOD_MS = rounds(1, 30) * 1_000
const TOKENS_PER_SECOND = 3_000
const CONNECTIONS = 100
/** More of them would not fit into an argument of a process. */
const TOKENS = 1_000
/** A server that has just been started compiles what it runs. */
const WARM_UP_MS = 1_000
/** Others get their answer even on a busy machine. */
const ANSWERED_WITHIN_MS = 30_000
/** How many failures an address has in a minute, on the console and with OAuth; and how many calls on the API. */
const FAILURES_ALLOWED = 20
const BURST = 300

/** How the answers begin. */
const REFUSED = 'HTTP/1.1 401 '

const writes = [...describedIn('openapi.json', '/api/v1'), ...describedIn('openapi-admin.json', '/admin/v1')].filter(
  ({ takesBody, audience = '' }) => takesBody && !audience.startsWith('For whoever has'),
)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

let addresses = 0
const freshAddress = () => `2001:db8:${(++addresses >> 16).toString(16)}:${(addresses & 0xffff).toString(16)}::1`

/** It has the form of a credential, except that a character of its secret was changed. */
function mistyped(prefix: 'svc_api_' | 'svc_'): string {
  const { token } = mintCredential(prefix, SERVER_SECRET)
  const place = prefix.length + Math.floor(random() * 43)
  return token.slice(0, place) + (token[place] === 'x' ? 'y' : 'x') + token.slice(place + 1)
}

/** How often credentials were looked up. */
function lookups({ sent }: Watched): number {
  return [...sent()].reduce((sum, [text, times]) => (/\bdigest = \$/.test(text) ? sum + times : sum), 0)
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

describe.each(ENGINES)('Whoever has no credential, on %s,', engine => {
  let watched: Watched
  let other: TestCompany
  beforeAll(async () => {
    watched = await serveWatched(engine, { TRUST_PROXY: 'loopback', WORKER: 'off', BURST_PER_MINUTE: String(BURST) })
    other = await watched.server.diwan.company()
  })
  afterAll(async () => {
    await watched?.server.end('SIGKILL')
    await (await watched?.open())?.close()
  })

  /** Calls of another company while something goes on; each is answered. */
  async function served<T>(meanwhile: () => Promise<T>) {
    let [isOver, calls, slowestMs] = [false, 0, 0]
    const call = async () => {
      while (!isOver || calls === 0) {
        const since = performance.now()
        const path = '/api/v1/projects'
        const { status } = await watched.server.diwan
          .client('', await watched.server.diwan.key(other.id))
          .get(path, { 'x-forwarded-for': freshAddress() })
        expect(status).toBe(200)
        slowestMs = Math.max(slowestMs, performance.now() - since)
        calls++
      }
    }
    const calling = call()
    const result = await meanwhile().finally(() => {
      isOver = true
    })
    await calling
    return { result, calls, slowestMs }
  }

  it(`is answered before a body of 16 MB is sent, and it is kept nowhere, ${BODIES} times`, async () => {
    const { server } = watched
    const before = { lookups: lookups(watched), mb: residentMb(server.pid) }
    let [left, sentMb, mostMb] = [BODIES, 0, 0]
    const upload = async () => {
      while (left-- > 0) {
        const { method, path } = pick(writes)
        const token = mistyped(path.startsWith('/api') ? 'svc_api_' : 'svc_')
        sentMb += (await answeredFirst(server.port, method, path, token)) / 1024 / 1024
        mostMb = Math.max(mostMb, residentMb(server.pid))
      }
    }
    const { calls, slowestMs } = await served(() => Promise.all(Array.from({ length: BODIES_AT_ONCE }, upload)))
    const grownMb = mostMb - before.mb
    tell('preauth', { engine, bodies: BODIES, 'sent MB': sentMb, 'grown MB': grownMb, calls, 'slowest ms': slowestMs })
    // Nobody was looked up but the other company, once for each of its keys.
    expect(lookups(watched) - before.lookups).toBe(calls)
    expect(grownMb).toBeLessThan(BODIES_AT_ONCE * 16)
  })

  it(`is refused without a look into the database, at up to ${TOKENS_PER_SECOND} tokens a second`, async () => {
    const calls = Array.from({ length: TOKENS }, (_, n) =>
      n % 2 === 0 ? { path: '/api/v1/me', key: mistyped('svc_api_') } : { path: '/admin/v1/me', key: mistyped('svc_') },
    )
    const { port } = watched.server
    const flood = { port, calls, isFromAnywhere: true, perSecond: TOKENS_PER_SECOND, callers: CONNECTIONS }
    await generate({ ...flood, forMs: WARM_UP_MS, deadlineMs: Number.MAX_VALUE })
    const before = lookups(watched)
    const found = await served(() => generate({ ...flood, forMs: FLOOD_MS, deadlineMs: Number.MAX_VALUE }))
    const { sent, seconds, others } = found.result
    const figures = {
      engine,
      tokens: sent,
      'a second': sent / seconds,
      calls: found.calls,
      'slowest ms': found.slowestMs,
    }
    tell('preauth', figures)
    expect(others).toEqual({ 401: sent })
    expect(found.slowestMs).toBeLessThan(ANSWERED_WITHIN_MS)
    expect(lookups(watched) - before).toBe(found.calls)
  })

  it.each(Object.keys(GUESSES))('is slowed where this is taken: %s', async place => {
    const { diwan } = watched.server
    const [address, elsewhere] = [freshAddress(), freshAddress()]
    const allowed = GUESSES[place]?.isOfApi ? BURST : FAILURES_ALLOWED
    const guess = (times: number) => Promise.all(Array.from({ length: times }, () => guessed(diwan, place, address)))
    // Ten at a time, so that the last comes in the same minute as the first.
    for (let n = 0; n < allowed; n += 10) expect(await guess(10)).not.toContain(429)
    const before = lookups(watched)
    expect(await guess(5)).toEqual(Array(5).fill(429))
    expect(lookups(watched)).toBe(before)
    expect(await guessed(diwan, place, elsewhere)).not.toBe(429)
  })
})

/** Sends the head of a request and waits for its refusal; only then the body. Returns how many bytes of it were sent. */
function answeredFirst(port: number, method: string, path: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let [said, left] = ['', BODY_BYTES]
    const chunk = Buffer.alloc(256 * 1024, ' ')
    const pour = () => {
      while (left > 0) {
        left -= chunk.length
        if (!socket.write(chunk)) return
      }
      socket.end()
    }
    socket.setTimeout(60_000, () => reject(new Error(`No answer before the body of ${method} ${path}: ${said}`)))
    socket.on('drain', pour)
    socket.on('data', text => {
      const isFirst = said === ''
      said += text
      if (!isFirst) return
      if (!said.startsWith(REFUSED)) reject(new Error(`${method} ${path}: ${said}`))
      pour()
    })
    // Whoever goes on sending is cut off.
    socket.on('error', () => {})
    socket.on('close', () => (said ? resolve(BODY_BYTES - left) : reject(new Error(`${method} ${path}: no answer`))))
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(BODY_BYTES),
      'x-forwarded-for': freshAddress(),
      // Whoever keeps the connection may send all of it, and nobody reads it.
      connection: random() < 0.5 ? 'close' : 'keep-alive',
    }
    socket.write(requestText(method, path.replace(/\{\w+\}/g, '1'), headers))
  })
}
