import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { isOpen } from '../../src/admin/gate.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import type { EndpointFacts } from '../../src/http/endpoints/endpoint.ts'
import { useApp } from '../support/app.ts'
import { expectDescribed, ignoredIn, pathTo, type Route, routesOf, sendTo } from '../support/contract.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { furnish } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

// Rules of every endpoint of the administration and of the work of people. Rights have files of their own.

const app = useApp()
let world: Awaited<ReturnType<typeof furnish>>
beforeAll(async () => {
  world = await furnish(app.diwan)
})

type AdminRoute = Route<(typeof adminEndpoints)[number] | (typeof workEndpoints)[number]>
const ROUTES = [...routesOf(adminEndpoints), ...routesOf(workEndpoints)] as AdminRoute[]
const CLOSED = ROUTES.filter(({ endpoint }) => !isOpen(endpoint))

const send = (client: Client, route: AdminRoute, path: string, query = '') =>
  sendTo(client, route.endpoint, path, { query, body: route.endpoint.method === 'GET' ? undefined : '{' })
const client = (token?: string) => app.diwan.client('/admin/v1', token)
const described = (route: AdminRoute, answer: Answer) => expectDescribed(route as Route<EndpointFacts>, answer)

describe('Every endpoint of the administration', { timeout: 300_000 }, () => {
  it('is closed without a token, and with an API key', async () => {
    for (const route of CLOSED)
      for (const caller of [client(), client(world.company.key)]) {
        const answer = await send(caller, route, pathTo(route, world.named))
        expect([route.title, answer.status, answer.body.error?.code]).toEqual([route.title, 401, 'unauthorized'])
        described(route, answer)
      }
  })

  it('is 404 to the people of another company, whatever they are there', async () => {
    const stranger = await app.diwan.company()
    for (const route of CLOSED.filter(({ parameters }) => parameters.includes('company'))) {
      const answer = await send(client(stranger.ownerToken), route, pathTo(route, world.named))
      expect([route.title, answer.status, answer.body.error?.code]).toEqual([route.title, 404, 'not_found'])
    }
  })

  it('is closed to members where it is for the operator, owners or leaders, which the audit tells', async () => {
    const { person, company, named } = world
    const forOthers = [
      'operator',
      'leaders',
      'owners',
      'key administrators',
      'owners and managers',
      'owners of the company',
    ]
    const refused = CLOSED.filter(
      ({ endpoint, parameters }) => forOthers.includes(endpoint.who) && parameters.includes('company'),
    )
    expect(refused.length).toBeGreaterThan(40)
    // After a hundred denials of one caller, the audit only counts them.
    for (const route of refused.slice(0, 90)) {
      const answer = await send(client(person.token), route, pathTo(route, named))
      expectRefusal(answer, 403, 'forbidden')
      described(route, answer)
      const { operation, method } = route.endpoint
      const [entry] = (await app.diwan.operator.get(`/companies/${company.id}/audit?limit=1`)).body.data
      expect(entry).toMatchObject({ outcome: 'denied', operation, method, status: 403, actor: person.name })
    }
  })

  it('names query parameters that it does not know', async () => {
    for (const route of ROUTES) {
      // Most of the administration is for the operator; work, and the way into a sandbox, are for people.
      const isForPeople = /\/records\/|\/sandbox\/enter$/.test(route.address)
      const path = pathTo(route, { company: String(world.company.id) })
      const caller = isForPeople ? client(world.company.ownerToken) : app.diwan.operator
      const answer = await send(caller, route, path, '?limitt=5')
      expect([route.title, ignoredIn(answer, 'parameters')]).toEqual([route.title, ['limitt']])
      expect(answer.status, route.title).toBeLessThan(500)
      described(route, answer)
    }
  })

  it('that has pages clamps their size to 1 to 100', async () => {
    const paged = routesOf(adminEndpoints).filter(({ endpoint }) => endpoint.query?.properties.offset)
    expect(paged.length).toBeGreaterThan(10)
    for (const route of paged) {
      const isMine = route.address.includes('/records/me/')
      const caller = isMine ? client(world.company.ownerToken) : app.diwan.operator
      for (const [sent, limit] of [
        ['0', 1],
        ['101', 100],
        ['x', 50],
      ] as const) {
        const { status, body } = await caller.get(`${pathTo(route, { ...world.named, delivery: '1' })}?limit=${sent}`)
        // Nothing was delivered by the webhook.
        if (route.parameters.includes('delivery')) continue
        expect([route.title, status, body.meta?.limit]).toEqual([route.title, 200, limit])
      }
    }
  })
})
