import { describe, expect, it } from 'vitest'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { startHaproxy } from '../test/support/haproxy.ts'
import { random } from '../test/support/random.ts'
import {
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../test/support/server-process.ts'
import { freePort, POSTGRES_TEMPLATE, until } from '../test/support/servers.ts'
import { hasTakenWrites } from '../test/support/taken-writes.ts'
import { rounds, tell } from '../test/support/trial.ts'

const STOPS = rounds(3, 50)
const WRITERS = 12
const STOPS_WITHIN_MS = 10_000
const STOPS_BEHIND_A_PROXY = rounds(2, 50)

describe('A server that is told to stop', () => {
  it(`answers every request that it has accepted and ends in time, ${STOPS} times under load`, async () => {
    const env = withoutJobs()
    let [answered, longestMs] = [0, 0]
    for (let stop = 0; stop < STOPS; stop++) {
      const server = await serve(env)
      const { key } = await server.diwan.company({ daily_calls: 1_000_000 })
      const api = server.diwan.api(key)
      const cut: unknown[] = []
      const acknowledged: string[] = []
      const write = async () => {
        for (;;) {
          const answer = await api.post('/projects', { name: 'Website launch' }).catch((error: Error) => error)
          if (!(answer instanceof Error)) {
            if (answer.status === 201) acknowledged.push(answer.body.data.id)
            else expect(answer.status).toBe(503)
            continue
          }
          // Refused before it was accepted is how a stopped server answers; anything else was cut.
          const { code } = (answer.cause ?? answer) as NodeJS.ErrnoException
          if (code !== 'ECONNREFUSED') cut.push(code ?? answer.message)
          return
        }
      }
      const writing = Promise.all(Array.from({ length: WRITERS }, write))
      const enough = 20 + random() * 200
      await until(async () => acknowledged.length >= enough)
      const since = performance.now()
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
      longestMs = Math.max(longestMs, performance.now() - since)
      await writing
      expect(cut, `stop ${stop + 1}`).toEqual([])
      answered += acknowledged.length
    }
    expect(longestMs).toBeLessThan(STOPS_WITHIN_MS)
    tell('drain', { stops: STOPS, answered, 'longest stop in ms': longestMs })
  })
})

describeWith(['haproxy', 'postgres'], 'One of two nodes behind HAProxy', paths => {
  it(`is told to stop ${STOPS_BEHIND_A_PROXY} times under load, and no call fails`, async () => {
    const database = await createPostgresDatabase(POSTGRES_TEMPLATE)
    const shared = { DATABASE_URL: database.url, SERVER_SECRET, OPERATOR_TOKEN, DATA_DIR: newFolder() }
    const env = { ...shared, BURST_PER_MINUTE: '0', TRUST_PROXY: 'loopback', WORKER: 'off' }
    const ports = [await freePort(), await freePort()]
    const start = (n: number) => serve({ ...env, PORT: String(ports[n]) })
    const nodes = await Promise.all(ports.map((_, n) => start(n)))
    const addresses = ports.map(port => `127.0.0.1:${port}`)
    const proxy = await startHaproxy(paths.haproxy, addresses)
    const { key } = await (nodes[0] as ServerProcess).diwan.company({ daily_calls: 1_000_000 })

    const failed: string[] = []
    let [made, isOver, longestMs] = [0, false, 0]
    const write = async () => {
      const sent = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: { name: 'Website launch' } }
      while (!isOver) {
        const answer = await proxy.ask('/api/v1/projects', sent).catch((error: Error) => error)
        if (answer instanceof Error) failed.push(answer.message)
        else if (answer.status !== 201) failed.push(`${answer.status} ${answer.text}`)
        else made++
      }
    }
    const writing = Promise.all(Array.from({ length: WRITERS }, write))
    for (let stop = 0; stop < STOPS_BEHIND_A_PROXY; stop++) {
      const n = Math.floor(random() * nodes.length)
      for (const node of nodes) await until(() => hasTakenWrites(node))
      const enough = made + random() * 200
      await until(async () => made >= enough)
      const since = performance.now()
      expect(await nodes[n]?.end('SIGTERM')).toEqual({ code: 0, signal: null })
      longestMs = Math.max(longestMs, performance.now() - since)
      nodes[n] = await start(n)
      expect(failed, `stop ${stop + 1}`).toEqual([])
    }
    isOver = true
    await writing
    expect(failed).toEqual([])
    expect(longestMs).toBeLessThan(STOPS_WITHIN_MS)
    tell('drain, behind HAProxy', { stops: STOPS_BEHIND_A_PROXY, answered: made, 'longest stop in ms': longestMs })
    await proxy.stop()
    await Promise.all(nodes.map(node => node.end('SIGTERM')))
    await database.drop()
  })
})
