import { beforeAll, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { newDiscussion } from '../support/factories.ts'
import { furnish } from '../support/furnished.ts'
import { tellPeople } from '../support/worker.ts'

const app = useOwnApp()
let named: Record<string, string>
let token: string
/** At least three of everything that is listed in an order of its own. */
beforeAll(async () => {
  const furnished = await furnish(app.diwan)
  const { company } = furnished
  token = furnished.person.token
  named = { ...furnished.named, delivery: await leaveDelivery(app.database.db, furnished.named.webhook) }
  const project = named.project as string
  for (let n = 0; n < 3; n++) {
    const person = await app.diwan.person(company.id)
    await company.admin.post(`/projects/${project}/members`, { user_id: person.id })
  }
  for (let n = 0; n < 3; n++) await newDiscussion(company, project)
  for (let n = 0; n < 3; n++)
    await company.api.delete(`/discussions/${(await newDiscussion(company, project, { title: `Gone ${n}` })).id}`)
  await tellPeople(app)
  // Two of them at the same moment.
  await app.database.db.raw(`update discussions set deleted_at = '2026-01-01' where slug in ('gone-0', 'gone-1')`, [])
  await app.database.db.raw(`update pgboss.job set state = 'failed', completed_on = now() where state = 'created'`, [])
})

const LISTS = adminEndpoints.filter(({ query }) => query?.properties.cursor).flatMap(({ at }) => at)

async function everyPage(client: Client, path: string): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await client.get(`${path}?limit=1${cursor && `&cursor=${cursor}`}`)
    expect(page.status).toBe(200)
    seen.push(...page.body.data)
    cursor = page.body.meta.next_cursor
  }
  return seen
}

it('Pages by cursor are the list itself', async () => {
  for (const address of LISTS) {
    const path = address.replace(/:(\w+)/g, (_, name) => named[name] ?? `missing-${name}`)
    // The operator has no notifications of their own.
    const client = path.includes('/records/me/') ? app.diwan.client('/admin/v1', token) : app.diwan.operator
    const { data } = (await client.get(`${path}?limit=100`)).body
    expect([address, await everyPage(client, path)]).toEqual([address, data])
    // These go up by one column and down by another.
    if (/jobs.failed|trash|subscriptions/.test(address)) expect([address, data.length >= 3]).toEqual([address, true])
  }
})
