import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findParts } from '../support/parts.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'
import { type StartedPostgres, type StartedServer, startPostgres, startRedis, until } from '../support/servers.ts'

const parts = findParts()

interface Part {
  name: string
  state: string
  since: string
  advice: string | null
}

describe.skipIf(!parts.postgres || !parts.redis)('The health of a node', () => {
  let postgres: StartedPostgres
  let redis: StartedServer
  let node: ServerProcess

  beforeAll(async () => {
    postgres = await startPostgres(parts.postgres as string)
    redis = await startRedis(parts.redis as string)
    const secrets = { SERVER_SECRET, OPERATOR_TOKEN }
    node = await serve({ DATA_DIR: newFolder(), DATABASE_URL: postgres.url, REDIS_URL: redis.url, ...secrets })
  })

  afterAll(async () => {
    await node?.end('SIGKILL')
    await redis?.stop()
    await postgres?.stop()
  })

  async function look() {
    const { status, body } = await node.diwan.operator.get('/health')
    expect(status).toBe(200)
    const states = Object.fromEntries(body.data.parts.map(({ name, state }: Part) => [name, state]))
    return {
      ...body.data,
      states,
      of: (name: string): Part => body.data.parts.find((part: Part) => part.name === name),
    }
  }

  it('knows each of its parts', async () => {
    await until(async () => Object.values((await look()).states).every(state => state === 'ok' || state === 'off'))
    const { engine, states, feed_lag_seconds } = await look()
    expect([engine, feed_lag_seconds]).toEqual(['postgres', expect.any(Number)])
    const working = ['database', 'redis', 'scanner', 'jobs', 'upkeep', 'feed', 'storage'].map(name => [name, 'ok'])
    expect(states).toEqual({ ...Object.fromEntries(working), mail: 'off', identity_provider: 'off', replica: 'off' })
  })

  it('is told also while the database is down, and since when it is up again', async () => {
    const before = (await look()).of('database')
    await postgres.halt()
    await until(async () => (await look()).states.database === 'down')
    const down = await look()
    expect([down.states.jobs, down.states.storage, down.feed_lag_seconds]).toEqual(['down', 'ok', null])
    expect(down.of('database').advice).toContain('DATABASE_URL')
    await postgres.resume()
    await until(async () => (await look()).states.database === 'ok')
    expect(Date.parse((await look()).of('database').since)).toBeGreaterThan(Date.parse(before.since))
  })

  it('shows a Redis that has gone, with what to do', async () => {
    await redis.stop()
    await until(async () => (await look()).states.redis === 'down')
    expect((await look()).of('redis').advice).toContain('REDIS_URL')
  })
})
