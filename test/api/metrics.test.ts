import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { OPERATOR_TOKEN, useOwnApp } from '../support/app.ts'
import { until } from '../support/servers.ts'

/** As proxies, balancers, tunnels and content networks send them. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-proxy-user',
  'x-remote-ip',
  'x-remote-addr',
  'x-client-addr',
  'x-amzn-trace-id',
  'true-client-ip',
  'fly-client-ip',
  'cf-connecting-ip',
  'cdn-loop',
]

describe('GET /metrics', () => {
  const app = useOwnApp()
  const metrics = (headers: Record<string, string> = {}) => app.diwan.client('').get('/metrics', headers)

  it('serves this machine itself and the operator, and is hidden from whoever comes through a proxy', async () => {
    const viaProxy = { 'x-forwarded-for': '203.0.113.7' }
    for (const [headers, status] of [
      [{}, 200],
      [{ accept: 'text/plain', 'x-request-id': 'a' }, 200],
      [{ ...viaProxy, authorization: `Bearer ${OPERATOR_TOKEN}` }, 200],
      [{ ...viaProxy, authorization: 'Bearer something-else' }, 404],
      ...FORWARDING.map(name => [{ [name]: '1' }, 404] as const),
    ] as [Record<string, string>, number][])
      expect([headers, (await metrics(headers)).status]).toEqual([headers, status])
  })

  it('counts requests by operation and status, their time, the lag of the event loop and the pool', async () => {
    const { api } = await app.diwan.company()
    for (const path of ['/projects', '/projects', '/projects/prj-0000000000']) await api.get(path)
    let text = ''
    await until(async () => {
      text = (await metrics()).body
      return text.includes('diwan_requests_total{operation="projects:read",status="404"} 1')
    })
    expect(text).toContain('diwan_requests_total{operation="projects:read",status="200"} 2')
    expect(text).toMatch(/^diwan_request_seconds_bucket\{le="0.005",operation="projects:read"\} \d/m)
    expect(text).toContain('diwan_request_seconds_count{operation="projects:read"} 3')
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(text).toMatch(/^diwan_database_connections \d/m)
    expect(text).toMatch(/^diwan_database_queue \d/m)
  })
})

describe('A throttle', () => {
  const PER_MINUTE = 3
  const trusting = (trust: string) =>
    useOwnApp({ burstPerMinute: PER_MINUTE, trustProxy: readConfig({ TRUST_PROXY: trust }).trustProxy })
  const apps = { off: trusting('off'), others: trusting('10.0.0.0/8'), on: trusting('on') }

  it('believes a proxy only if it is trusted, and of what that says only the address that it saw', async () => {
    const ask = async (trust: keyof typeof apps, address: string) =>
      (await apps[trust].diwan.api().get('/me', { 'x-forwarded-for': address })).status
    const admitted = Array(PER_MINUTE).fill(401)
    for (const trust of ['off', 'others'] as const) {
      const statuses = []
      for (let n = 0; n <= PER_MINUTE; n++) statuses.push(await ask(trust, `203.0.113.${n}`))
      expect([trust, ...statuses]).toEqual([trust, ...admitted, 429])
    }
    const statuses = []
    // A proxy appends the address that it saw; anything before that may be made up by the client.
    for (let n = 0; n <= PER_MINUTE; n++) statuses.push(await ask('on', `192.0.2.${n}, 203.0.113.8`))
    expect([...statuses, await ask('on', '198.51.100.1')]).toEqual([...admitted, 429, 401])
  })
})
