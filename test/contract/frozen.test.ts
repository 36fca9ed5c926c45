import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import {
  call,
  everythingRead,
  expectDescribed,
  furnishContract,
  moveBack,
  pathTo,
  type Route,
  type World,
  WRITES,
} from '../support/contract.ts'
import { audit } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

/** Each of these writes is refused with 403 and audited, even with a body that cannot be read; nothing has changed. */
async function expectFrozen(world: World, routes: Route[], message: string): Promise<void> {
  const { api, names, company } = world
  const before = await everythingRead(world)
  // After a hundred denials of one key, the audit only counts them.
  const second = app.diwan.api(await app.diwan.key(company.id))
  for (const route of routes) {
    for (const [client, sent] of [
      [api, {}],
      [second, { body: '{' }],
    ] as const) {
      const answer = await call(client, route, names, sent)
      expectRefusal(answer, 403, 'forbidden', message)
      expectDescribed(route, answer)
      const { operation, method } = route.endpoint
      const path = `/api/v1${pathTo(route, names)}`
      expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation, method, path, status: 403 }])
    }
  }
  expect(await everythingRead(world)).toEqual(before)
}

describe('An archived project', { timeout: 300_000 }, () => {
  it('refuses every write to what is in it, until it is unarchived; reads go on', async () => {
    const world = await furnishContract(app.diwan)
    const { api, names, elsewhere } = world
    // These two are the way in and out. A batch of changes names its tasks in its body.
    const EXCEPT = ['archive_project', 'unarchive_project', 'delete_project', 'create_project', 'change_tasks']
    const inProject = WRITES.filter(
      ({ endpoint, parameters }) => !EXCEPT.includes(endpoint.name) && !parameters.includes('event'),
    ).filter(({ endpoint }) => endpoint.name !== 'create_event')
    expect(inProject.length).toBeGreaterThan(45)
    await api.post(`/projects/${names.project}/archive`)
    await expectFrozen(world, inProject, 'The project is archived. Unarchive it first.')
    expect((await api.post(`/projects/${elsewhere.project}/lists`, { title: 'Beside it' })).status).toBe(201)
    expect((await api.patch(`/projects/${names.project}/lists/missing`, { title: 'x' })).status).toBe(404)
    await api.post(`/projects/${names.project}/unarchive`)
    for (const route of inProject.filter(({ endpoint }) => endpoint.method !== 'DELETE')) {
      expect([route.title, (await call(api, route, names)).status < 300]).toEqual([route.title, true])
      await moveBack(world)
    }
  })
})

describe('A read-only subscription', { timeout: 300_000 }, () => {
  it('refuses every write there is, until it is active again; reads go on', async () => {
    const world = await furnishContract(app.diwan)
    const { api, names, company } = world
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    await expectFrozen(world, WRITES, "The company's subscription is read-only.")
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'active' })
    expect((await api.patch(`/lists/${names.list}`, { notes: 'x' })).status).toBe(200)
  })
})
