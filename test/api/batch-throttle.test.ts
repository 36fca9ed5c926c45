import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { type Answer, type Client, created } from '../support/diwan.ts'

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
const freshAddress = () => `2001:db8:3:${(++addresses).toString(16)}::1`
const from = (address: string) => ({ 'x-forwarded-for': address })

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
