import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { noonZone } from '../support/noon-zone.ts'
import { type Env, type ServerProcess, serve, withPostgres } from '../support/server-process.ts'
import { type StartedServer, startRedis, until } from '../support/servers.ts'

const CONNECTIONS = 8
const THOUSAND = Array.from({ length: 1_000 }, (_, n) => n)
const USAGE_CALLS = 60

describeWith('postgres', 'Two nodes on one database', () => {
  let env: Env
  let nodes: [ServerProcess, ServerProcess]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    env = withPostgres(database.url, { WORKER: 'off' })
    // Both come to an empty database at the same moment.
    nodes = await Promise.all([serve(env), serve(env)])
  })
  afterAll(async () => {
    await Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? [])
    await drop?.()
  })

  it('serve what either wrote', async () => {
    const { key } = await nodes[0].diwan.company()
    const made = await nodes[1].diwan.api(key).post('/projects', { name: 'Website launch' })
    const { body } = await nodes[0].diwan.api(key).get('/projects')
    expect(body.data.map((project: { id: string }) => project.id)).toEqual([made.body.data.id])
  })

  it('serve exactly the calls of the day, and forget none when one is killed and the other stopped', async () => {
    const { key } = await nodes[0].diwan.company({ plan: 'advanced', time_zone: noonZone() })
    const first = await spread(600, clientsOf(nodes, key))
    await Promise.all([nodes[0].end('SIGKILL'), nodes[1].end('SIGTERM')])
    nodes = await Promise.all([serve(env), serve(env)])
    const answers = [...first, ...(await spread(600, clientsOf(nodes, key)))]
    expect(remainingOf(answers, 200)).toEqual(THOUSAND)
    const refused = answers.filter(answer => answer.status !== 200)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['429 rate_limit_exceeded']),
    )
    expect(remainingOf(refused, 429)).toEqual(Array(200).fill(0))
  })

  it('both know of a revoked key, the flag, the plan, and a company that is closed, at the very next call', async () => {
    const name = 'Company that is closed'
    const { id, admin, key } = await nodes[0].diwan.company({ name })
    const [one, two] = [nodes[0].diwan.operator, nodes[1].diwan.operator]
    const both = (token = key) => statuses(clientsOf([nodes[1], nodes[0]], token))
    for (let round = 1; round <= 3; round++) {
      const revoked = await nodes[0].diwan.key(id)
      expect(await both(revoked)).toEqual([200, 200])
      const { body } = await admin.get('/keys')
      const newest = Math.max(...body.data.map((each: { id: number }) => each.id))
      expect((await admin.delete(`/keys/${newest}`)).status).toBe(200)
      expect(await both(revoked)).toEqual([401, 401])

      await one.patch(`/companies/${id}`, { rest_api: false })
      expect(await both()).toEqual([404, 404])
      await two.patch(`/companies/${id}`, { rest_api: true, plan: 'free' })
      expect(await both()).toEqual([403, 403])
      await one.patch(`/companies/${id}`, { plan: 'productive' })
      expect(await both()).toEqual([200, 200])
      expect((await one.post(`/companies/${id}/close`, { name })).status).toBe(200)
      expect(await both()).toEqual([404, 404])
      expect((await two.post(`/companies/${id}/reopen`)).status).toBe(200)
      expect(await both()).toEqual([200, 200])
    }
  })

  it('both end the streams of a company that is closed', async () => {
    const name = 'Company that is closed'
    const { id, key } = await nodes[0].diwan.company({ name })
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
    const streams = await Promise.all(nodes.map(({ url }) => fetch(`${url}/api/v1/company/changes`, { headers })))
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    await nodes[0].diwan.operator.post(`/companies/${id}/close`, { name })
    await Promise.all(streams.map(stream => stream.text()))
  })

  it('attribute the calls of each key when they stop, some not when they are killed, and count each once', async () => {
    const company = await nodes[0].diwan.company({ time_zone: noonZone() })
    const keys = [company.key, await nodes[0].diwan.key(company.id)]
    const callWith = async (node: ServerProcess) => {
      for (const key of keys) await spread(USAGE_CALLS, [node.diwan.api(key)])
    }
    const shares = async (): Promise<{ key: { id: number } | null; calls: number }[]> => {
      const { body } = await nodes[0].diwan.operator.get(`/companies/${company.id}/usage?days=1&by=key`)
      const [{ calls, by }] = body.data
      expect(by.reduce((sum: number, share: { calls: number }) => sum + share.calls, 0)).toBe(calls)
      return by
    }
    let isOver = false
    const asking = (async () => {
      while (!isOver) await shares()
    })()
    await Promise.all(nodes.map(callWith))
    isOver = true
    await asking
    await until(async () => (await shares()).every(({ key }) => key !== null))
    expect((await shares()).map(({ calls }) => calls)).toEqual([2 * USAGE_CALLS, 2 * USAGE_CALLS])

    await callWith(nodes[1])
    await nodes[1].end('SIGTERM')
    expect((await shares()).map(({ key, calls }) => [key !== null, calls])).toEqual(
      keys.map(() => [true, 3 * USAGE_CALLS]),
    )
    nodes[1] = await serve(env)
    await callWith(nodes[1])
    // The attributions so far have just been written, as every few seconds, so that of one more call cannot have been.
    await until(async () => (await shares()).every(({ key }) => key !== null))
    await nodes[1].diwan.api(keys[0]).get('/me')
    await nodes[1].end('SIGKILL')
    const left = await shares()
    expect(left.reduce((sum, { calls }) => sum + calls, 0)).toBe(8 * USAGE_CALLS + 1)
    expect(left.at(-1)).toMatchObject({ key: null })
    nodes[1] = await serve(env)
  })
})

describeWith(['postgres', 'redis'], 'Two nodes that share a Redis', paths => {
  const PER_MINUTE = 60
  let redis: StartedServer
  let nodes: [ServerProcess, ServerProcess]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    redis = await startRedis(paths.redis)
    const own = { REDIS_URL: redis.url, BURST_PER_MINUTE: String(PER_MINUTE), TRUST_PROXY: 'loopback', WORKER: 'off' }
    const env = withPostgres(database.url, own)
    nodes = await Promise.all([serve(env), serve(env)])
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
  const fromAnywhere = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n % 250}` })
  const expectOneFlatRefusal = async (clients: Client[], headersOf: (n: number) => Record<string, string>) => {
    const refused = (await spread(PER_MINUTE + 1, clients, headersOf)).filter(({ status }) => status === 429)
    expect(refused).toMatchObject([{ status: 429, body: { error: expect.any(String) } }])
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused[0]?.headers.get('x-ratelimit-limit')).toBeNull()
  }

  it('let as many calls a minute pass on one key, and from one address, as a single node does', async () => {
    const { key } = await nodes[0].diwan.company()
    await expectOneFlatRefusal(clientsOf(nodes, key), fromAnywhere)
    await expectOneFlatRefusal(clientsOf(nodes, undefined), () => ({ 'x-forwarded-for': '203.0.113.7' }))
  })

  it('count failed sign-ins and requests of apps from one address together, and let 20 a minute pass', async () => {
    for (const [status, path, address] of [
      [401, '/admin/v1/me', '203.0.113.8'],
      [400, '/oauth/authorize', '203.0.113.9'],
    ] as const) {
      const answers: number[] = []
      for (let n = 0; n < 22; n++)
        answers.push((await fetch(`${nodes[n % 2]?.url}${path}`, { headers: { 'x-forwarded-for': address } })).status)
      expect([path, ...answers]).toEqual([path, ...Array(20).fill(status), 429, 429])
    }
  })

  it('go on by their own count while Redis is away, say so once, and share again when it is back', async () => {
    const clients = clientsOf(nodes, (await nodes[0].diwan.company()).key)
    const { port } = new URL(redis.url)
    process.kill(redis.pid, 'SIGKILL')
    for (const api of clients) await expectOneFlatRefusal([api], fromAnywhere)
    await until(async () => said('Redis does not answer').every(times => times > 0))
    await redis.stop()
    redis = await startRedis(paths.redis, Number(port))
    await until(async () => said('Redis answers').every(times => times === 2))
    await expectOneFlatRefusal(clientsOf(nodes, (await nodes[0].diwan.company()).key), fromAnywhere)
    expect(said('Redis does not answer')).toEqual([1, 1])
  })
})

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
