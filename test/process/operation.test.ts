import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

describe('The log', () => {
  const MARK = 'ZqMarkedSecretZq'
  let server: ServerProcess
  let company: TestCompany

  beforeAll(async () => {
    server = await serve({
      ...withoutJobs(),
      LOG_LEVEL: 'trace',
      OPERATOR_TOKEN: `the-operator-token-${MARK}`,
      SERVER_SECRET: `the-server-secret-${MARK}`,
    })
    company = await server.diwan.company()
  })

  /** Without the last line, which may not be complete yet. */
  const lines = (): Record<string, unknown>[] =>
    server
      .stderr()
      .split('\n')
      .slice(0, -1)
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  const lineOf = async (requestId: string) => {
    const find = () => lines().find(line => line.request_id === requestId && line.msg === 'request')
    await until(async () => find() !== undefined)
    return find()
  }

  it('has a line of JSON for each request: its id, company, key, operation, status and milliseconds', async () => {
    await company.api.get('/projects', { 'x-request-id': 'request-that-is-served' })
    expect(await lineOf('request-that-is-served')).toMatchObject({
      company: company.id,
      key: expect.any(Number),
      operation: 'projects:read',
      method: 'GET',
      path: '/api/v1/projects',
      status: 200,
      ms: expect.any(Number),
    })
    await server.diwan.api().get('/projects/prj-x', { 'x-request-id': 'request-that-is-refused' })
    expect(await lineOf('request-that-is-refused')).toMatchObject({ operation: 'projects:read', status: 401 })
    await server.diwan.api().get('/nothing', { 'x-request-id': 'request-that-is-lost' })
    expect(await lineOf('request-that-is-lost')).toMatchObject({ path: '/api/v1/nothing', status: 404 })
  })

  it('never holds a key, a token, a header of authorization, a query or the text of a body', async () => {
    const { api, admin, key, ownerToken } = company
    const bad = server.diwan.api(`svc_api_${MARK}`)
    const statuses = [
      await api.post('/projects', { name: MARK, description: MARK, [MARK]: MARK }),
      await api.post('/projects', { title: MARK }),
      await api.get(`/projects?limit=${MARK}&${MARK}=1`),
      await api.send('POST', '/projects', { body: `{"name": "${MARK}`, headers: { 'content-type': MARK } }),
      await api.send('POST', '/projects', { body: MARK.repeat(100_000) }),
      await bad.get('/me', { cookie: MARK, 'user-agent': MARK, referer: MARK, 'idempotency-key': MARK }),
      await server.diwan.client('/api/v1').get('/me', { authorization: `Basic ${MARK}` }),
      await server.diwan.admin(company.id, `svc_${MARK}`).get('/users'),
      await admin.post('/users', { name: MARK, email: `${MARK}@example.com`, password: MARK }),
      await admin.post('/users', { name: MARK, email: `${MARK}@example.com` }),
      await admin.post('/keys', { name: MARK, access: 'read' }),
      await api.delete('/projects/prj-0000000000'),
    ].map((answer: Answer) => answer.status)
    expect(statuses).toEqual([201, 422, 200, 422, 422, 401, 401, 401, 201, expect.any(Number), 201, 404])
    await raw(`GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nBad header ${MARK}\r\n\r\n`)
    await raw(
      `GET /api/v1/%zz?${MARK} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    )
    await raw(
      `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 99\r\n\r\n${MARK}`,
    )

    await server.end('SIGTERM')
    const printed = server.stdout() + server.stderr()
    expect(lines().length).toBeGreaterThan(statuses.length)
    expect(printed.toLowerCase()).not.toContain(MARK.toLowerCase())
    expect(printed).not.toContain(key)
    expect(printed).not.toContain(ownerToken)
    expect(printed).not.toMatch(/bearer|authorization/i)
  })

  /** Sends what no client would send, and leaves the connection as a broken client does. */
  function raw(text: string): Promise<void> {
    return new Promise(resolve => {
      const socket = connect(server.port, '127.0.0.1', () => socket.end(text))
      socket.resume().on('error', () => resolve())
      socket.on('close', () => resolve())
    })
  }
})

/** As proxies, balancers, tunnels and content networks send them. More than 20 refusals a minute would be throttled. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-amzn-trace-id',
  'true-client-ip',
  'fly-client-ip',
  'cf-connecting-ip',
  'cdn-loop',
]

describe('GET /metrics', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await serve(withoutJobs())
  })
  afterAll(async () => {
    await server.end('SIGKILL')
  })

  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  const operator = { authorization: 'Bearer operator-token-of-the-process-tests' }

  it.each([
    ['serves this machine itself', {}, 200],
    ['is hidden from those who come through a proxy', forwarded, 404],
    ['serves this machine whatever other headers it sends', { accept: 'text/plain', 'x-request-id': 'a' }, 200],
    ['serves the operator through a proxy', { ...forwarded, ...operator }, 200],
    ['is hidden from a wrong token', { ...forwarded, authorization: 'Bearer something-else' }, 404],
  ])('%s', async (_, headers, status) => {
    expect((await server.diwan.client('').get('/metrics', headers)).status).toBe(status)
  })

  it.each(FORWARDING)('is hidden from a proxy that sends %s', async header => {
    expect((await server.diwan.client('').get('/metrics', { [header]: '1' })).status).toBe(404)
  })

  it('counts requests by operation and status, their time, the lag of the event loop and the pool', async () => {
    const { api } = await server.diwan.company()
    await api.get('/projects')
    await api.get('/projects')
    await api.get('/projects/prj-0000000000')
    const metrics = async () => (await server.diwan.client('').get('/metrics')).body as string
    await until(async () =>
      (await metrics()).includes('diwan_requests_total{operation="projects:read",status="404"} 1'),
    )
    const text = await metrics()
    expect(text).toContain('diwan_requests_total{operation="projects:read",status="200"} 2')
    expect(text).toMatch(/^diwan_request_seconds_bucket\{le="0.005",operation="projects:read"\} \d/m)
    expect(text).toContain('diwan_request_seconds_count{operation="projects:read"} 3')
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(text).toMatch(/^diwan_database_connections \d/m)
    expect(text).toMatch(/^diwan_database_queue \d/m)
  })
})

describe('TRUST_PROXY', () => {
  const PER_MINUTE = 5
  const start = (trust: string) => serve({ ...withoutJobs(), BURST_PER_MINUTE: String(PER_MINUTE), TRUST_PROXY: trust })

  /** How many of the calls pass the throttle. Those that do get 401, because they have no key. */
  async function passing(server: ServerProcess, calls: number, addressOf: (n: number) => string): Promise<number> {
    let passed = 0
    for (let n = 0; n < calls; n++) {
      const { status } = await server.diwan.api().get('/me', { 'x-forwarded-for': addressOf(n) })
      if (status === 401) passed++
      else expect(status).toBe(429)
    }
    return passed
  }

  it.each(['off', '10.0.0.0/8'])('%s throttles the address that connects, whatever it says of others', async trust => {
    const server = await start(trust)
    expect(await passing(server, PER_MINUTE + 3, n => `203.0.113.${n}`)).toBe(PER_MINUTE)
    await server.end('SIGKILL')
  })

  it.each(['on', 'loopback'])('%s throttles each address for which the proxy speaks', async trust => {
    const server = await start(trust)
    expect(await passing(server, PER_MINUTE + 1, () => '203.0.113.7')).toBe(PER_MINUTE)
    expect(await passing(server, 3, n => `198.51.100.${n}`)).toBe(3)
    // A proxy appends the address that it saw; anything before that may be made up by the client.
    expect(await passing(server, PER_MINUTE + 1, n => `192.0.2.${n}, 203.0.113.8`)).toBe(PER_MINUTE)
    await server.end('SIGKILL')
  })
})
