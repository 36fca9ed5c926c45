import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { noonZone } from '../support/noon-zone.ts'
import { findParts } from '../support/parts.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { type StartedPostgres, type StartedServer, startPostgres, startRedis, until } from '../support/servers.ts'

const parts = findParts()
const CONNECTIONS = 8

describe.skipIf(!inject('postgresUrl'))('Two nodes on one database', () => {
  let env: Env
  let nodes: [ServerProcess, ServerProcess]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    env = nodeOn(database.url)
    nodes = [await serve(env), await serve(env)]
  })

  afterAll(async () => {
    await Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? [])
    await drop?.()
  })

  it('both serve what either wrote, though both came to an empty database at the same moment', async () => {
    const database = await createPostgresDatabase()
    const both = await Promise.all([serve(nodeOn(database.url)), serve(nodeOn(database.url))])
    const { key } = await both[0].diwan.company()
    const made = await both[1].diwan.api(key).post('/projects', { name: 'Website launch' })
    expect(made.status).toBe(201)
    const { body } = await both[0].diwan.api(key).get('/projects')
    expect(body.data.map((project: { id: string }) => project.id)).toEqual([made.body.data.id])
    await Promise.all(both.map(node => node.end('SIGKILL')))
    await database.drop()
  })

  it('serve exactly the thousand calls of the day, and count down through every number once', async () => {
    const { key } = await nodes[0].diwan.company({ plan: 'advanced', time_zone: noonZone() })
    const answers = await spread(1_300, clientsOf(nodes, key))
    expect(remainingOf(answers, 200)).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
    const refused = answers.filter(answer => answer.status !== 200)
    expect(refused).toHaveLength(300)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['429 rate_limit_exceeded']),
    )
    expect(new Set(remainingOf(refused, 429))).toEqual(new Set([0]))
  })

  it('forget no call when one is killed and the other is stopped in between', async () => {
    const { key } = await nodes[0].diwan.company({ plan: 'advanced', time_zone: noonZone() })
    const first = await spread(600, clientsOf(nodes, key))
    await Promise.all([nodes[0].end('SIGKILL'), nodes[1].end('SIGTERM')])
    nodes = await Promise.all([serve(env), serve(env)])
    const second = await spread(600, clientsOf(nodes, key))
    const served = remainingOf([...first, ...second], 200)
    expect(served).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
  })

  it('both refuse the very next call with a key that was revoked on one of them', async () => {
    const { id, admin } = await nodes[0].diwan.company()
    for (let round = 1; round <= 10; round++) {
      const key = await nodes[0].diwan.key(id)
      expect(await statuses(clientsOf(nodes, key))).toEqual([200, 200])
      const { body } = await admin.get('/keys')
      const [newest] = body.data.sort((a: { id: number }, b: { id: number }) => b.id - a.id)
      expect((await admin.delete(`/keys/${newest.id}`)).status).toBe(200)
      expect(await statuses(clientsOf([nodes[1], nodes[0]], key))).toEqual([401, 401])
    }
  })

  it('both follow the flag at once, off and on', async () => {
    const { id, key } = await nodes[0].diwan.company()
    for (let round = 1; round <= 5; round++) {
      expect(await statuses(clientsOf(nodes, key))).toEqual([200, 200])
      await nodes[0].diwan.operator.patch(`/companies/${id}`, { rest_api: false })
      for (const api of clientsOf([nodes[1], nodes[0]], key)) {
        const { status, body, headers } = await api.get('/me')
        expect([status, body.error.code, headers.get('x-ratelimit-limit')]).toEqual([404, 'not_found', null])
      }
      await nodes[1].diwan.operator.patch(`/companies/${id}`, { rest_api: true })
    }
  })

  it('both follow a change of plan at once', async () => {
    const { id, key } = await nodes[0].diwan.company({ plan: 'advanced' })
    const expected = {
      advanced: [200, '1000'],
      productive: [200, '10000'],
      free: [403, '0'],
      enterprise: [200, 'unlimited'],
    }
    for (const [plan, answer] of Object.entries(expected)) {
      await nodes[0].diwan.operator.patch(`/companies/${id}`, { plan })
      for (const api of clientsOf([nodes[1], nodes[0]], key)) {
        const { status, headers } = await api.get('/me')
        expect([status, headers.get('x-ratelimit-limit')], plan).toEqual(answer)
      }
    }
  })
  it('both know at once that a company is closed or open again, and end its streams', async () => {
    const { id, key } = await nodes[0].diwan.company()
    const { operator } = nodes[0].diwan
    const { name } = (await operator.get(`/companies/${id}`)).body.data
    for (let round = 1; round <= 5; round++) {
      expect((await operator.post(`/companies/${id}/close`, { name })).status).toBe(200)
      expect(await statuses(clientsOf([nodes[1], nodes[0]], key))).toEqual([404, 404])
      expect((await operator.post(`/companies/${id}/reopen`)).status).toBe(200)
      expect(await statuses(clientsOf([nodes[1], nodes[0]], key))).toEqual([200, 200])
    }
    const streams = await Promise.all(
      nodes.map(({ url }) =>
        fetch(`${url}/api/v1/company/changes`, {
          headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
        }),
      ),
    )
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    await operator.post(`/companies/${id}/close`, { name })
    // Both streams end.
    await Promise.all(streams.map(stream => stream.text()))
  })
})

describe.skipIf(!inject('postgresUrl') || !parts.redis)('Two nodes that share a Redis', () => {
  const PER_MINUTE = 300
  let redis: StartedServer
  let nodes: [ServerProcess, ServerProcess]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    redis = await startRedis(parts.redis as string)
    const env = {
      ...nodeOn(database.url),
      REDIS_URL: redis.url,
      BURST_PER_MINUTE: String(PER_MINUTE),
      TRUST_PROXY: 'loopback',
    }
    nodes = [await serve(env), await serve(env)]
    // A node that has not reached Redis yet counts on its own.
    await until(async () => said('Redis answers').every(times => times === 1))
  })

  afterAll(async () => {
    await Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? [])
    await redis?.stop()
    await drop?.()
  })

  const said = (text: string) => nodes.map(node => node.stderr().split(text).length - 1)

  /** Each call seems to come through a proxy from another address, so that only the key is throttled. */
  const fromAnywhere = (n: number) => ({ 'x-forwarded-for': `198.51.${100 + Math.floor(n / 250)}.${n % 250}` })

  it('let 300 calls a minute pass on one key, and answer the next with the flat 429', async () => {
    const { key } = await nodes[0].diwan.company()
    const answers = await spread(PER_MINUTE + 1, clientsOf(nodes, key), fromAnywhere)
    expectOneFlatRefusal(answers)
  })

  it('let 300 calls a minute pass from one address, with or without a key', async () => {
    const answers = await spread(PER_MINUTE + 1, clientsOf(nodes, undefined), () => ({
      'x-forwarded-for': '203.0.113.7',
    }))
    expectOneFlatRefusal(answers)
  })

  it.each([
    ['failed sign-ins', 401, '/admin/v1/me', '203.0.113.8'],
    ['requests of apps', 400, '/oauth/authorize', '203.0.113.9'],
  ])('count %s from one address together, and let 20 a minute pass', async (_, status, path, address) => {
    const ask = async (n: number) =>
      (await fetch(`${nodes[n % 2]?.url}${path}`, { headers: { 'x-forwarded-for': address } })).status
    const answers: number[] = []
    for (let n = 0; n < 22; n++) answers.push(await ask(n))
    expect(answers).toEqual([...Array(20).fill(status), 429, 429])
  })

  it('go on by their own count while Redis is away, say so once, and share again when it is back', async () => {
    const { key } = await nodes[0].diwan.company()
    const [first, second] = clientsOf(nodes, key) as [Client, Client]
    const { port } = new URL(redis.url)
    process.kill(redis.pid, 'SIGKILL')
    for (const api of [first, second]) {
      const answers = await spread(PER_MINUTE + 1, [api], fromAnywhere)
      expectOneFlatRefusal(answers)
    }
    await until(async () => said('Redis does not answer').every(times => times > 0))
    expect(said('Redis does not answer')).toEqual([1, 1])

    await redis.stop()
    redis = await startRedis(parts.redis as string, Number(port))
    await until(async () => said('Redis answers').every(times => times === 2))
    // Redis begins with nothing, but each of them has admitted as many in this minute as one key has.
    expect(await statuses([first, second])).toEqual([429, 429])
    const another = clientsOf(nodes, (await nodes[0].diwan.company()).key)
    expectOneFlatRefusal(await spread(PER_MINUTE + 1, another, fromAnywhere))
    expect(said('Redis does not answer')).toEqual([1, 1])
  })
})

describe.skipIf(!parts.postgres)('A node whose PostgreSQL stops', () => {
  const SECRET_BODY = 'words-that-stay-out-of-the-log'
  let postgres: StartedPostgres
  let node: ServerProcess

  beforeAll(async () => {
    postgres = await startPostgres(parts.postgres as string)
    const url = new URL(postgres.url)
    url.password = 'password-that-stays-out-of-the-log'
    node = await serve(nodeOn(url.href))
  })

  afterAll(async () => {
    await node?.end('SIGKILL')
    await postgres?.stop()
  })

  it('answers 503, is alive but not ready, and heals by itself', async () => {
    const { api } = await node.diwan.company()
    const { body: made } = await api.post('/projects', { name: 'Website launch' })
    await postgres.halt()
    for (let n = 1; n <= 3; n++) {
      const answers = [
        await api.get('/projects'),
        await api.post('/projects', { name: SECRET_BODY }),
        await node.diwan.operator.get('/companies'),
        await node.diwan.client('').get('/ready'),
      ]
      for (const { status, body } of answers) {
        expect(status).toBe(503)
        expect(body).toEqual({ error: { code: 'unavailable', message: expect.any(String) } })
      }
    }
    expect((await node.diwan.client('').get('/health')).status).toBe(200)

    await postgres.resume()
    await until(async () => (await node.diwan.client('').get('/ready')).status === 200)
    const { status, body } = await api.get('/projects')
    expect(status).toBe(200)
    expect(body.data.map((project: { id: string }) => project.id)).toEqual([made.data.id])
  })

  it('survives a stop in the middle of writes, answers each with 201 or 503, and loses no acknowledged one', async () => {
    const { api } = await node.diwan.company()
    const acknowledged: string[] = []
    const refused: Answer[] = []
    const writers = Array.from({ length: CONNECTIONS }, async () => {
      for (let n = 0; n < 1_000 && refused.length < 100; n++) {
        const answer = await api.post('/projects', { name: SECRET_BODY })
        if (answer.status === 201) acknowledged.push(answer.body.data.id)
        else refused.push(answer)
      }
    })
    const written = Promise.allSettled(writers)
    await until(async () => acknowledged.length > 50 || node.hasExited())
    await postgres.halt()
    const outcomes = await written
    expect(node.hasExited(), node.stderr().slice(-2_000)).toBe(false)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['503 unavailable']),
    )

    await postgres.resume()
    await until(async () => (await node.diwan.client('').get('/ready')).status === 200)
    const kept = new Set<string>()
    for (let offset = 0; offset < acknowledged.length + 100; offset += 100) {
      const { body } = await api.get(`/projects?limit=100&offset=${offset}`)
      for (const { id } of body.data) kept.add(id)
    }
    expect(acknowledged.filter(id => !kept.has(id))).toEqual([])
  })

  it('logs neither the password nor what was in the bodies', () => {
    const printed = node.stdout() + node.stderr()
    expect(printed).toContain('"status":503')
    expect(printed).not.toContain('out-of-the-log')
  })
})

function nodeOn(databaseUrl: string): Env {
  return { DATA_DIR: newFolder(), DATABASE_URL: databaseUrl, SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }
}

function clientsOf(nodes: ServerProcess[], key: string | undefined): Client[] {
  return nodes.map(node => node.diwan.api(key))
}

/** Sends this many calls over a fixed number of connections, which are divided among the nodes. */
async function spread(
  calls: number,
  clients: Client[],
  headersOf: (n: number) => Record<string, string> = () => ({}),
): Promise<Answer[]> {
  const answers: Answer[] = []
  let sent = 0
  const connection = async (_: unknown, n: number) => {
    const client = clients[n % clients.length] as Client
    while (sent < calls) answers.push(await client.get('/me', headersOf(sent++)))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return answers
}

function remainingOf(answers: Answer[], status: number): number[] {
  return answers
    .filter(answer => answer.status === status)
    .map(answer => Number(answer.headers.get('x-ratelimit-remaining')))
    .sort((a, b) => a - b)
}

/** Sends the calls one after the other. */
async function statuses(clients: Client[]): Promise<number[]> {
  const found = []
  for (const client of clients) found.push((await client.get('/me')).status)
  return found
}

function expectOneFlatRefusal(answers: Answer[]): void {
  const refused = answers.filter(answer => answer.status === 429)
  expect(new Set(answers.map(answer => answer.status)).size).toBe(2)
  expect(refused).toHaveLength(1)
  const [{ body, headers }] = refused as [Answer]
  expect(body).toEqual({ error: expect.any(String) })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('x-ratelimit-limit')).toBeNull()
}
