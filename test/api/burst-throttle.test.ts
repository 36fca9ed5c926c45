import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { type Answer, type Client, created } from '../support/diwan.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'

const BURST = 10
const app = useOwnApp({ burstPerMinute: BURST, trustProxy: 'loopback' })
// However slow the machine is, no minute passes during a test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

let addresses = 0
const freshAddress = () => `2001:db8:1:${(++addresses).toString(16)}::1`
const from = (address: string) => ({ 'x-forwarded-for': address })

function expectThrottled({ status, headers, body }: Answer): void {
  expect({ status, body }).toEqual({ status: 429, body: { error: expect.any(String) } })
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(headers.get('x-request-id')).toBeTruthy()
  expect([...headers.keys()].filter(name => name.startsWith('x-ratelimit'))).toEqual([])
}

const statuses = async (count: number, call: () => Promise<Answer>) => {
  const seen: number[] = []
  for (let n = 0; n < count; n++) seen.push((await call()).status)
  return seen
}

describe('The burst throttle', () => {
  it('per key counts across addresses, and leaves other keys of the company alone', async () => {
    const { id, api } = await app.diwan.company()
    const other = app.diwan.api(await app.diwan.key(id))
    expect(await statuses(BURST, () => api.get('/me', from(freshAddress())))).toEqual(Array(BURST).fill(200))
    expectThrottled(await api.get('/me', from(freshAddress())))
    expect((await other.get('/me', from(freshAddress()))).status).toBe(200)
  })

  it('per address counts across keys and companies, and leaves other addresses alone', async () => {
    const companies = [await app.diwan.company(), await app.diwan.company()]
    const address = freshAddress()
    let n = 0
    const call = () => (companies[n++ % 2] as (typeof companies)[0]).api.get('/me', from(address))
    expect(await statuses(BURST, call)).toEqual(Array(BURST).fill(200))
    expectThrottled(await call())
    expectThrottled(await app.diwan.api().get('/me', from(address)))
    expect((await companies[0]?.api.get('/me', from(freshAddress())))?.status).toBe(200)
  })

  it('counts IPv6 addresses by their network, and an IPv4 address the same in both spellings', async () => {
    for (const [address, another] of [
      [(n: number) => `2001:db8:2:2::${n}`, '2001:db8:2:3::1'],
      [(n: number) => (n % 2 ? '192.0.2.8' : '::ffff:192.0.2.8'), '192.0.2.9'],
    ] as const) {
      let n = 0
      const call = () => app.diwan.api().get('/me', from(address(++n)))
      expect(await statuses(BURST + 1, call)).toEqual([...Array(BURST).fill(401), 429])
      expect((await app.diwan.api().get('/me', from(another))).status).toBe(401)
    }
  })

  it('counts what it admits, whatever that ends in and however it is written', async () => {
    const closed = await app.diwan.company({ rest_api: false })
    for (const [api, path] of [
      [app.diwan.api('svc_api_wrong'), '/me'],
      [app.diwan.api(), '/nothing'],
      [(await app.diwan.company()).api, '/projects/missing'],
      [closed.api, '/me'],
    ] as const) {
      const address = freshAddress()
      const call = () => api.get(path, from(address))
      expect(new Set(await statuses(BURST, call))).not.toContain(429)
      expectThrottled(await call())
    }
    for (const target of [
      `${app.url}/api/v1/me`,
      '/%61pi/v1/me',
      '/api/v1/projects/%zz',
      '/api/v1/me?a=1',
      '/api/v1',
    ]) {
      const request = requestText('GET', target, { host: 'localhost', ...from(freshAddress()) })
      const seen = await statuses(BURST + 1, () => sendRaw(app.url, request))
      expect([target, seen.slice(0, -1).includes(429), seen.at(-1)]).toEqual([target, false, 429])
    }
  })

  it('does not count what it refuses: neither against the key nor against the allowance', async () => {
    const { api } = await app.diwan.company({ daily_calls: 100 })
    const address = freshAddress()
    await statuses(BURST - 1, () => api.get('/me', from(address)))
    await app.diwan.api().get('/nothing', from(address))
    expect(await statuses(10, () => api.get('/me', from(address)))).toEqual(Array(10).fill(429))
    const answer = await api.get('/me', from(freshAddress()))
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, String(100 - BURST)])
  })

  it('is a sliding log: after a full minute each request frees one place, exactly when Retry-After said', async () => {
    const { api } = await app.diwan.company()
    const call = () => api.get('/me', from(freshAddress()))
    expect(await statuses(1, call)).toEqual([200])
    vi.advanceTimersByTime(40_000)
    expect(await statuses(BURST, call)).toEqual([...Array(BURST - 1).fill(200), 429])
    vi.advanceTimersByTime(10_000)
    const early = await call()
    expectThrottled(early)
    expect(early.headers.get('retry-after')).toBe('10')
    vi.advanceTimersByTime(10_000)
    expect(await statuses(2, call)).toEqual([200, 429])
    expect((await call()).headers.get('retry-after')).toBe('40')
    vi.advanceTimersByTime(40_000)
    expect(await statuses(BURST, call)).toEqual([...Array(BURST - 1).fill(200), 429])
  })

  it('leaves the administration, the probes and the pages alone', async () => {
    const { id } = await app.diwan.company()
    const address = freshAddress()
    for (const [client, path] of [
      [app.diwan.operator, `/companies/${id}`],
      [app.diwan.client(''), '/health'],
      [app.diwan.client(''), '/openapi.json'],
    ] as const)
      expect(await statuses(BURST * 2, () => client.get(path, from(address)))).toEqual(Array(BURST * 2).fill(200))
    expect((await app.diwan.api().get('/me', from(address))).status).toBe(401)
  })
})

/** A list, and a fresh key for it. */
async function furnish(daily_calls = 1_000) {
  const company = await app.diwan.company({ daily_calls })
  const post = async (path: string, body: object) =>
    (await created(company.api.post(path, body, from(freshAddress())))).data
  const project = await post('/projects', { name: 'Batches' })
  const list = await post(`/projects/${project.id}/lists`, { title: 'Tasks' })
  const api = app.diwan.api(await app.diwan.key(company.id))
  return { company, api, path: `/lists/${list.id}/tasks/batch`, list: `/lists/${list.id}` }
}

const send = (api: Client, path: string, count: number, address: string) =>
  api.post(path, { tasks: Array(count).fill({ title: 'a' }) }, from(address))

function expectNoRoom({ status, headers, body }: Answer, who: string, more: number): void {
  const error = expect.stringMatching(`^Too many requests from this ${who}: .* no room for ${more} more`)
  expect({ status, body }).toEqual({ status: 429, body: { error } })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
}

describe('The burst throttle counts every task of a batch', () => {
  it('per key, across addresses', async () => {
    const { api, path } = await furnish()
    expect((await send(api, path, 6, freshAddress())).status).toBe(201)
    expectNoRoom(await send(api, path, 5, freshAddress()), 'key', 4)
    // The refused batch counts as one call and no more.
    expect((await send(api, path, 3, freshAddress())).status).toBe(201)
    expect((await api.get('/me', from(freshAddress()))).body).toEqual({ error: expect.any(String) })
  })

  it('per address, across keys', async () => {
    const { company, api, path } = await furnish()
    const address = freshAddress()
    const other = app.diwan.api(await app.diwan.key(company.id))
    expect((await send(api, path, 6, address)).status).toBe(201)
    expectNoRoom(await send(other, path, 5, address), 'address', 4)
    // A batch that exceeds the limit of the address does not count against the key either.
    expect((await send(other, path, 9, freshAddress())).status).toBe(201)
  })

  it('and a batch that it refuses creates nothing and spends one call', async () => {
    const { api, path, list } = await furnish()
    const refused = await send(api, path, 11, freshAddress())
    expectNoRoom(refused, 'address', 10)
    const { headers, body } = await api.get(list, from(freshAddress()))
    expect(body.data.tasks_count).toBe(0)
    const left = (answer: Headers) => Number(answer.get('x-ratelimit-remaining'))
    expect(left(refused.headers) - left(headers)).toBe(1)
  })

  it('and forgets a batch that the daily allowance has no room for', async () => {
    // Creating the project and the list took two calls.
    const { api, path } = await furnish(6)
    const address = freshAddress()
    const refused = await send(api, path, 8, address)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
    const seen: string[] = []
    for (let n = 0; n < BURST; n++) {
      const { status, body } = await api.get('/me', from(address))
      seen.push(status === 200 ? 'served' : (body.error.code ?? 'burst'))
    }
    expect(seen).toEqual([...Array(3).fill('served'), ...Array(6).fill('rate_limit_exceeded'), 'burst'])
  })
})
