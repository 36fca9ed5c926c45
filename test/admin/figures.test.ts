import { expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { INSTANT } from '../support/factories.ts'
import { until } from '../support/servers.ts'

const app = useOwnApp()

interface Step {
  requests: Record<string, number>
  p50_ms: number | null
  p99_ms: number | null
}

const figures = async (query = '') => (await app.diwan.operator.get(`/figures${query}`)).body.data

it('Figures tell the requests of each step, how long they took, and how the process is', { tags: 'long' }, async () => {
  const company = await app.diwan.company()
  for (let n = 0; n < 5; n++) await company.api.get('/me')
  for (let n = 0; n < 3; n++) await app.diwan.api('nobody').get('/me')
  // A step may end in the middle of them.
  const refused = (steps: Step[]) => steps.reduce((sum, { requests }) => sum + (requests['4xx'] as number), 0)
  await until(async () => refused((await figures()).steps) === 3)
  const { node, step_seconds, steps } = await figures()
  expect([node, step_seconds]).toEqual([expect.any(String), 10])
  expect(steps[0]).toMatchObject({
    at: INSTANT,
    requests: { '2xx': expect.any(Number), '3xx': 0, '4xx': expect.any(Number), '5xx': 0 },
    connections: expect.any(Number),
    memory_bytes: expect.any(Number),
    event_loop_delay_ms: expect.any(Number),
    feed_lag_seconds: expect.any(Number),
  })
  const served = (steps as Step[]).reduce((sum, { requests }) => sum + (requests['2xx'] as number), 0)
  expect(served).toBeGreaterThanOrEqual(7)
  const [first] = steps as [Step]
  expect(first.p50_ms).toBeGreaterThan(0)
  expect(first.p99_ms).toBeGreaterThanOrEqual(first.p50_ms as number)
})

it('Figures of a minute are six steps at most', async () => {
  expect((await figures('?minutes=1')).steps.length).toBeLessThanOrEqual(6)
})
