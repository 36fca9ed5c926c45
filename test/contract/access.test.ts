import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import {
  bodyFor,
  call,
  expectDescribed,
  furnishContract,
  ignoredIn,
  type Names,
  pathTo,
  READS,
  ROUTES,
  type Route,
  readOf,
  sendTo,
  type World,
  WRITES,
} from '../support/contract.ts'
import { ALL_OPERATIONS, type Client } from '../support/diwan.ts'
import { audit } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let world: World
let names: Names
beforeAll(async () => {
  world = await furnishContract(app.diwan)
  names = world.names
})

it('Every write has a body in test/support/contract.ts if it takes one, and there is every method', () => {
  for (const { endpoint } of WRITES)
    expect([endpoint.name, bodyFor(endpoint.name, names) !== undefined]).toEqual([endpoint.name, 'body' in endpoint])
  expect(READS.length).toBeGreaterThan(30)
  expect(WRITES.length).toBeGreaterThan(50)
})

describe('Every endpoint of the API', { timeout: 300_000 }, () => {
  it('is closed without a key that is in force: 401 before anything else, which tells nothing', async () => {
    const { key, id } = (await world.company.admin.post('/keys', { name: 'Revoked', access: 'write' })).body.data
    await world.company.admin.delete(`/keys/${id}`)
    const callers: [string, Client][] = [
      ['no key', app.diwan.api()],
      ['a revoked key', app.diwan.api(key)],
    ]
    for (const route of ROUTES) {
      for (const [caller, client] of callers) {
        const answer = await call(client, route, names, { query: '?unknown=1' })
        const { status, body, headers } = answer
        const told = [...headers.keys()].filter(name => /^x-(?:ratelimit|ignored)|^etag$/.test(name))
        expect([route.title, caller, status, body.error?.code, headers.get('www-authenticate'), told]).toEqual([
          route.title,
          caller,
          401,
          'unauthorized',
          'Bearer',
          [],
        ])
        expectDescribed(route, answer)
      }
    }
  })

  it('asks for the operation that it declares: without it 403 and in the audit, with it alone it lets through', async () => {
    const clients = new Map<string, Promise<Client>>()
    const client = (operations: string[]) => {
      const known = operations.join()
      const making =
        clients.get(known) ?? app.diwan.key(world.company.id, { operations }).then(key => app.diwan.api(key))
      clients.set(known, making)
      return making
    }
    for (const route of ROUTES) {
      const { operation, method } = route.endpoint
      const refused = await client(ALL_OPERATIONS.filter(each => each !== operation))
      const id = `denied ${route.title}`.replace(/\W/g, '-')
      const answer = await call(refused, route, names, { headers: { 'x-request-id': id, 'if-none-match': '*' } })
      expectRefusal(answer, 403, 'forbidden', `The key is not allowed ${operation}.`)
      expectDescribed(route, answer)
      const path = `/api/v1${pathTo(route, names)}`
      const entry = { outcome: 'denied', operation, method, path, status: 403, request_id: id }
      expect(await audit(world.company)).toMatchObject([entry])

      const admitted = await callHarmlessly(await client([operation]), route)
      expect([route.title, admitted.status]).toEqual([route.title, statusOfHarmless(route)])
      expectDescribed(route, admitted)
    }
  })

  it('names query parameters that it does not know, and fails on none of them', async () => {
    for (const route of ROUTES) {
      const missing = pathTo(route, {})
      const answer = await sendTo(world.api, route.endpoint, missing, { query: '?limitt=5&%D9%85=1' })
      expect([route.title, ignoredIn(answer, 'parameters')]).toEqual([route.title, ['limitt', 'م']])
      expect(answer.status, route.title).toBeLessThan(500)
      expectDescribed(route, answer)
    }
  })
})

/** A request that changes nothing: for a version that no record has, or with a body that ends too early. */
function callHarmlessly(client: Client, route: Route) {
  if (route.endpoint.method === 'GET') return call(client, route, names)
  return call(client, route, names, readOf(route) ? { headers: { 'if-match': '"another"' } } : { body: '{' })
}

function statusOfHarmless(route: Route): number {
  if (route.endpoint.method === 'GET') return route.address.endsWith('/download') ? 302 : 200
  return readOf(route) ? 412 : 422
}
