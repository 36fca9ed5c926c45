import { afterEach, describe, expect, it, vi } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/servers.ts'

// Every database numbers its own keys, people and webhooks. Companies move, and so meet others with the same numbers.

const BURST = 100
const app = useOwnApp({ burstPerMinute: BURST, trustProxy: 'loopback', allowPrivateWebhooks: true })

let [addresses, next] = [0, 0]
const fromAnywhere = () => ({ 'x-forwarded-for': `2001:db8:5:${(++addresses).toString(16)}::1` })

/** Two companies, as if one had come from another cell: the keys, the owners and the webhooks of both have the same numbers. */
async function twins(url = 'https://example.com/hook'): Promise<[TestCompany, TestCompany]> {
  next += 1_000
  const add = async () => {
    for (const table of ['users', 'api_keys', 'webhooks'])
      await app.database.pool.query('select setval($1::regclass, $2)', [`${table}_id_seq`, next])
    const company = await app.diwan.company({ daily_calls: 10_000 })
    await created(company.admin.post('/webhooks', { name: 'Hook', url, kinds: ['task.created'] }))
    return company
  }
  const [one, other] = [await add(), await add()]
  expect(one.owner.id).toBe(other.owner.id)
  return [one, other]
}

describe('Companies with keys, people and webhooks of the same numbers', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are throttled apart, and have each key noted as used', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const companies = await twins()
    for (const { api } of companies) {
      const project = await created(api.post('/projects', { name: 'Moved' }, fromAnywhere()))
      const list = await created(api.post(`/projects/${project.data.id}/lists`, { title: 'Moved' }, fromAnywhere()))
      const tasks = Array(BURST / 2 + 1).fill({ title: 'One of many' })
      expect((await api.post(`/lists/${list.data.id}/tasks/batch`, { tasks }, fromAnywhere())).status).toBe(201)
    }
    for (const { admin } of companies)
      await until(async () => (await admin.get('/keys')).body.data[0].last_used_at !== null, 10_000)
  })

  it('test their webhooks at the same time', async () => {
    const answers: (() => void)[] = []
    const receiver = await startReceiver(response => answers.push(() => response.end()))
    const companies = await twins(receiver.url)
    const tests = companies.map(async ({ admin }) => {
      const [webhook] = (await admin.get('/webhooks')).body.data
      return admin.post(`/webhooks/${webhook.id}/test`)
    })
    await until(async () => receiver.received.length === 2, 10_000)
    for (const answer of answers) answer()
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual([200, 200])
  })
})
