import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createHealth } from '../../src/domain/installation/health.ts'
import type { Condition } from '../../src/domain/ports/condition.ts'
import { useOwnApp } from '../support/app.ts'
import { INSTANT } from '../support/factories.ts'
import { until } from '../support/servers.ts'

const app = useOwnApp({ sendsMail: true })

interface Part {
  name: string
  state: string
  since: string
  message: string
  advice: string | null
}

describe('GET /health', () => {
  it('tells the state of each part, since when, and what to do', async () => {
    // On a busy machine a part may not answer within its two seconds.
    await until(async () => (await app.diwan.operator.get('/health')).body.data.feed_lag_seconds !== null)
    const { status, body } = await app.diwan.operator.get('/health')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.0$/),
      started_at: INSTANT,
      node: expect.any(String),
      engine: process.env.TEST_ENGINE,
      feed_lag_seconds: expect.any(Number),
    })
    const parts: Part[] = body.data.parts
    expect(parts.map(({ name, state }) => [name, state])).toEqual([
      ['database', 'ok'],
      ['replica', 'off'],
      ['redis', 'off'],
      ['scanner', 'off'],
      ['mail', 'down'],
      ['identity_provider', 'off'],
      ['jobs', 'ok'],
      ['upkeep', 'ok'],
      ['feed', 'ok'],
      ['storage', 'ok'],
    ])
    for (const { state, since, message, advice } of parts) {
      expect([since, message]).toEqual([INSTANT, expect.stringMatching(/\S/)])
      expect(advice === null).toBe(state === 'ok')
    }
    expect(parts[4]?.message).toContain('ECONNREFUSED')
  })

  it('says it in the language of the reader', async () => {
    const { headers, body } = await app.diwan.operator.get('/health', { 'accept-language': 'ar' })
    expect(headers.get('content-language')).toBe('ar')
    expect(body.data.parts[0]).toMatchObject({ name: 'database', message: 'تقرأ وتكتب.' })
    expect(body.data.parts[4]).toMatchObject({ advice: expect.stringMatching(/\p{Script=Arabic}/u) })
  })

  it('says that jobs are degraded while one has been due for long, and when some have failed', async () => {
    const jobs = async (): Promise<Part> =>
      (await app.diwan.operator.get('/health')).body.data.parts.find(({ name }: Part) => name === 'jobs')
    const becomes = (state: string) => until(async () => (await jobs()).state === state)
    await app.diwan.person((await app.diwan.company()).id)
    await app.database.db.raw(`update pgboss.job set start_after = now() - interval '10 minutes'`, [])
    await becomes('degraded')
    expect((await jobs()).message).toContain('due for 10 minutes')
    const { since } = await jobs()
    await app.database.db.raw(`update pgboss.job set state = 'failed', completed_on = now()`, [])
    await until(async () => (await jobs()).message.includes('In the last 24 hours'))
    expect((await jobs()).since).toBe(since)
    await app.database.db.raw('delete from pgboss.job', [])
    await becomes('ok')
  })
})

describe('Looking after parts', () => {
  const fine: Condition = { state: 'ok', message: 'Reads and writes.' }
  const calm = async () => fine
  const others = {
    database: calm,
    replica: calm,
    redis: calm,
    scanner: calm,
    mail: calm,
    identity_provider: calm,
    jobs: calm,
    upkeep: calm,
    feed: calm,
    storage: calm,
  }

  it('waits two seconds for a part that hangs, and for none of the others', async () => {
    const health = createHealth({ ...others, mail: () => new Promise(() => {}) })
    const parts = await health.look()
    expect(parts.filter(({ state }) => state !== 'ok')).toMatchObject([
      { name: 'mail', state: 'down', message: 'No answer within 2 seconds.' },
    ])
    health.close()
  })

  it('does not ask the parts once for each of many who want to know', async () => {
    let asked = 0
    const redis = async () => {
      asked += 1
      await sleep(20)
      return fine
    }
    const health = createHealth({ ...others, redis })
    await Promise.all(Array.from({ length: 50 }, () => health.look()))
    expect(asked).toBe(1)
    health.close()
  })
})
