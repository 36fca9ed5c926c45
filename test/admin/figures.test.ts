import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { INSTANT } from '../support/factories.ts'
import { until } from '../support/servers.ts'

const app = useApp()

interface Step {
  requests: Record<string, number>
  p50_ms: number | null
  p99_ms: number | null
}

const figures = async (query = '') => (await app.diwan.operator.get(`/figures${query}`)).body.data

it('Figures tell the requests of each step, how long they took, and how the process is', async () => {
  const company = await app.diwan.company()
  for (let n = 0; n < 5; n++) await company.api.get('/me')
  for (let n = 0; n < 3; n++) await app.diwan.api('nobody').get('/me')
  await until(async () => (await figures()).steps.length > 0)
  const { node, step_seconds, steps } = await figures()
  expect([node, step_seconds]).toEqual([expect.any(String), 10])
  expect(steps[0]).toMatchObject({
    at: INSTANT,
    requests: { '2xx': expect.any(Number), '3xx': 0, '4xx': 3, '5xx': 0 },
    connections: expect.any(Number),
    memory_bytes: expect.any(Number),
    event_loop_delay_ms: expect.any(Number),
    feed_lag_seconds: expect.any(Number),
  })
  const [first] = steps as [Step]
  expect(first.requests['2xx']).toBeGreaterThanOrEqual(7)
  expect(first.p50_ms).toBeGreaterThan(0)
  expect(first.p99_ms).toBeGreaterThanOrEqual(first.p50_ms as number)
})

it('Figures of a minute are six steps at most', async () => {
  expect((await figures('?minutes=1')).steps.length).toBeLessThanOrEqual(6)
})
