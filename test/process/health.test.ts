import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { type ServerProcess, serve, withPostgres } from '../support/server-process.ts'
import { type StartedPostgres, type StartedServer, startPostgres, startRedis, until } from '../support/servers.ts'

const CONNECTIONS = 8

interface Part {
  name: string
  state: string
  since: string
  advice: string | null
}

describeWith(['postgres', 'redis'], 'A node whose database and Redis stop', paths => {
  let postgres: StartedPostgres
  let redis: StartedServer
  let node: ServerProcess

  beforeAll(async () => {
    postgres = await startPostgres(paths.postgres)
    redis = await startRedis(paths.redis)
    const url = new URL(postgres.url)
    url.password = 'password-that-stays-out-of-the-log'
    node = await serve(withPostgres(url.href, { REDIS_URL: redis.url }))
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
  const ready = async () => (await node.diwan.client('').get('/ready')).status

  it('knows each of its parts', async () => {
    await until(async () => Object.values((await look()).states).every(state => state === 'ok' || state === 'off'))
    const { engine, states, feed_lag_seconds } = await look()
    expect([engine, feed_lag_seconds]).toEqual(['postgres', expect.any(Number)])
    const working = ['database', 'redis', 'scanner', 'jobs', 'upkeep', 'feed', 'storage'].map(name => [name, 'ok'])
    expect(states).toEqual({ ...Object.fromEntries(working), mail: 'off', identity_provider: 'off', replica: 'off' })
  })

  it('answers 503, is alive and not ready, tells its health, and heals by itself', async () => {
    const { api } = await node.diwan.company()
    const before = (await look()).of('database')
    await postgres.halt()
    const words = 'words-that-stay-out-of-the-log'
    const calls = [
      () => api.get('/projects'),
      () => api.post('/projects', { name: words }),
      () => node.diwan.operator.get('/companies'),
      () => node.diwan.client('').get('/ready'),
    ]
    for (const call of [...calls, ...calls]) {
      const { status, body } = await call()
      expect([status, body]).toEqual([503, { error: { code: 'unavailable', message: expect.any(String) } }])
    }
    expect((await node.diwan.client('').get('/health')).status).toBe(200)
    await until(async () => (await look()).states.database === 'down')
    const down = await look()
    expect([down.states.jobs, down.states.storage, down.feed_lag_seconds]).toEqual(['down', 'ok', null])
    expect(down.of('database').advice).toContain('DATABASE_URL')

    await postgres.resume()
    await until(async () => (await ready()) === 200 && (await look()).states.database === 'ok')
    expect(Date.parse((await look()).of('database').since)).toBeGreaterThan(Date.parse(before.since))
    expect((await api.get('/projects')).body.meta.total).toBe(0)
    await until(async () => (node.stdout() + node.stderr()).includes('"status":503'))
    expect(node.stdout() + node.stderr()).not.toContain('out-of-the-log')
  })

  it('answers every write with 201 or 503 when the database stops in the middle, and loses no acknowledged one', async () => {
    const { api } = await node.diwan.company()
    const acknowledged: string[] = []
    const refused: string[] = []
    const writers = Array.from({ length: CONNECTIONS }, async () => {
      for (let n = 0; n < 1_000 && refused.length < 50; n++) {
        const { status, body } = await api.post('/projects', { name: 'Website launch' })
        if (status === 201) acknowledged.push(body.data.id)
        else refused.push(`${status} ${body.error.code}`)
      }
    })
    const written = Promise.all(writers)
    await until(async () => acknowledged.length > 50 || node.hasExited())
    await postgres.halt()
    await written
    expect(new Set(refused)).toEqual(new Set(['503 unavailable']))
    await postgres.resume()
    await until(async () => (await ready()) === 200)
    const kept = new Set<string>()
    for (let offset = 0; offset < acknowledged.length + 100; offset += 100)
      for (const { id } of (await api.get(`/projects?limit=100&offset=${offset}`)).body.data) kept.add(id)
    expect(acknowledged.filter(id => !kept.has(id))).toEqual([])
  })

  it('shows a Redis that has gone, with what to do', async () => {
    await redis.stop()
    await until(async () => (await look()).states.redis === 'down')
    expect((await look()).of('redis').advice).toContain('REDIS_URL')
  })
})
