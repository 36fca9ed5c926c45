import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { type SilentProxy, startSilentProxy } from '../support/silent-proxy.ts'

describe.skipIf(!inject('postgresUrl'))('A database that falls silent', () => {
  let drop: () => Promise<void>
  let url: URL
  let proxy: SilentProxy
  let server: ServerProcess
  let company: TestCompany

  beforeAll(async () => {
    const created = await createPostgresDatabase()
    drop = created.drop
    url = new URL(created.url)
    proxy = await startSilentProxy({ port: Number(url.port), host: url.hostname })
    server = await start()
    company = await server.diwan.company()
  })
  afterAll(async () => {
    await server?.end('SIGKILL')
    await drop?.()
  })

  function start({ port } = proxy): Promise<ServerProcess> {
    const through = new URL(url)
    through.port = String(port)
    return serve({
      DATA_DIR: newFolder(),
      DATABASE_URL: through.href,
      SERVER_SECRET,
      OPERATOR_TOKEN,
      BURST_PER_MINUTE: '0',
    })
  }

  /** Repeats a call until it is served. All answers before that must be 503, and none may take long. */
  async function servedAgain(): Promise<number> {
    const startedAt = performance.now()
    for (;;) {
      const sentAt = performance.now()
      const { status } = await company.api.post('/projects', { name: 'Website launch' })
      expect(performance.now() - sentAt).toBeLessThan(10_000)
      if (status === 201) return performance.now() - startedAt
      expect(status).toBe(503)
    }
  }

  it('on the connections there are: all are replaced, once one of them is found out', async () => {
    await Promise.all(Array.from({ length: 30 }, () => company.api.get('/projects')))
    proxy.silenceConnections()
    const calls = Array.from({ length: 10 }, () => company.api.get('/projects'))
    const statuses = (await Promise.all(calls)).map(answer => answer.status)
    // Calls that were still waiting for a connection get a new one.
    expect(statuses).toContain(503)
    expect(statuses.filter(status => status !== 503 && status !== 200)).toEqual([])
    // Less than it takes to detect another silent connection.
    expect(await servedAgain()).toBeLessThan(4_000)
  })

  it('altogether: calls and the probe are answered 503 in time, and served when it speaks again', async () => {
    proxy.silence()
    expect((await company.api.get('/projects')).status).toBe(503)
    expect((await server.diwan.client('').get('/ready')).status).toBe(503)
    expect((await server.diwan.client('').get('/health')).status).toBe(200)
    proxy.speak()
    expect(await servedAgain()).toBeLessThan(30_000)
    await until(async () => (await server.diwan.client('').get('/ready')).status === 200)
  })

  it('does not keep the server from stopping in the time it promises', async () => {
    const other = await startSilentProxy({ port: Number(url.port), host: url.hostname })
    const node = await start(other)
    await node.diwan.company()
    // The state of the queue is read with the limit of jobs, which is longer than a server that stops may take.
    other.silence()
    const asking = node.diwan.operator.get('/health').catch(() => {})
    await until(async () => other.swallowed() > 0)
    const startedAt = performance.now()
    expect(await node.end('SIGTERM'), node.stderr()).toEqual({ code: 0, signal: null })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await asking
  })

  it('is told in the log in words, without what hangs on the connection', () => {
    expect(server.stderr()).toContain('The database connection failed')
    expect(server.stderr()).not.toMatch(/secretKey|connectionParameters|processID/)
  })

  it('or takes no writes: calls and the probe are 503, and served again after it', async () => {
    const direct = new pg.Client(url.href)
    direct.on('error', () => {})
    await direct.connect()
    const set = (value: string) =>
      direct.query(`alter database ${url.pathname.slice(1)} set default_transaction_read_only = ${value}`)
    const hangUp = () =>
      direct.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    await set('on')
    await hangUp()
    await until(async () => (await server.diwan.client('').get('/ready')).status === 503)
    expect((await company.api.get('/projects')).status).toBe(503)
    await direct.query('set default_transaction_read_only = off')
    await set('off')
    expect(await servedAgain()).toBeLessThan(30_000)
    await until(async () => (await server.diwan.client('').get('/ready')).status === 200)
    await direct.end()
  })
})
