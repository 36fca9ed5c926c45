import { describe, expect, it } from 'vitest'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import { created, type TestCompany } from '../test/support/diwan.ts'
import { newList } from '../test/support/factories.ts'
import { msOf, percentile } from '../test/support/latency.ts'
import { generate } from '../test/support/open-load.ts'
import { rounds, tell } from '../test/support/trial.ts'

const FOR_MS = rounds(8, 60) * 1_000
const TIMES = 5
const COMPANIES = 20
/** As many callers as keep the server busy without making anyone wait for long. */
const CALLERS = 40
/** What has waited for longer in a queue is refused by itself, as it always was. */
const DEADLINE_MS = 5_000
/** Most are refused as they come. Whoever came before the server was full waits for a second, twice at most. */
const REFUSED_WITHIN_MS = 4_000
const REFUSED_AT_ONCE_MS = 1_000
const HEALTH_WITHIN_MS = 2_000

async function fill(company: TestCompany, project: string): Promise<void> {
  const list = await newList(company, project)
  const tasks = Array.from({ length: 100 }, (_, n) => ({ title: `Order desk ${n}` }))
  await created(company.api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
}

describe.each(ENGINES)('On %s', engine => {
  const using = useServerOn(engine, () => ({ WORKER: 'off' }))

  it(`${TIMES} times as many calls as can be served leave four fifths of them served, and the rest refused`, async () => {
    const { diwan, url, port } = using.server
    const companies = await Promise.all(Array.from({ length: COMPANIES }, () => diwan.company()))
    for (const company of companies) await fill(company, (await diwan.project(company)).id)
    const load = {
      port,
      calls: companies.map(({ key }) => ({ path: '/api/v1/company/tasks?limit=100', key })),
      deadlineMs: DEADLINE_MS,
    }
    const closed = { ...load, callers: CALLERS, forMs: FOR_MS / 2 }
    // The first calls find nothing prepared.
    await generate({ ...closed, forMs: 1_000 })
    const before = await generate(closed)
    const flood = { ...load, forMs: FOR_MS, perSecond: (TIMES * before.good) / before.seconds }
    let isFlooded = true
    const flooding = generate(flood).finally(() => {
      isFlooded = false
    })
    const health: number[] = []
    const statuses = new Set<number>()
    while (isFlooded) {
      health.push(await msOf(async () => statuses.add((await fetch(`${url}/health`)).status)))
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const during = await flooding
    const after = await generate(closed)
    // What others do on the machine changes what can be served.
    const peak = Math.min(before.good / before.seconds, after.good / after.seconds)
    const goodput = during.good / during.seconds
    tell('shed', {
      engine,
      'peak in a second': peak,
      'sent in a second': during.sent / during.seconds,
      goodput,
      part: (goodput / peak) * 100,
      late: during.late,
      refused: during.refused,
      'refused, half within ms': during.refusedP50Ms,
      'all but some within ms': during.refusedP99Ms,
      'health p99 in ms': percentile(health, 0.99),
      others: JSON.stringify(during.others),
    })
    // If nobody is refused, all connections wait, and nothing more can be sent.
    expect(during.refused).toBeGreaterThan(0)
    expect(during.sent / during.seconds).toBeGreaterThan(0.9 * flood.perSecond)
    expect(during.others).toEqual({})
    expect([...statuses]).toEqual([200])
    expect(percentile(health, 0.99)).toBeLessThan(HEALTH_WITHIN_MS)
    expect(during.refusedP50Ms).toBeLessThan(REFUSED_AT_ONCE_MS)
    expect(during.refusedP99Ms).toBeLessThan(REFUSED_WITHIN_MS)
    expect(goodput).toBeGreaterThanOrEqual(0.8 * peak)
  })
})
