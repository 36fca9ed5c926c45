import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import type { TestCompany } from '../support/diwan.ts'
import { type ServerProcess, serve, withPostgres } from '../support/server-process.ts'
import { POSTGRES_TEMPLATE, until } from '../support/servers.ts'
import { type SilentProxy, startSilentProxy } from '../support/silent-proxy.ts'

/** Nothing tells that a connection is lost but 4.75 seconds of silence. */
const FOUND_OUT_AFTER_MS = 4_700
/** Less than the limit of the statements that jobs send. */
const STOPS_WITHIN_MS = 15_000

describeWith('postgres', 'A database that falls silent', () => {
  let drop: () => Promise<void>
  let url: URL
  let proxy: SilentProxy
  let server: ServerProcess
  let company: TestCompany

  beforeAll(async () => {
    const created = await createPostgresDatabase(POSTGRES_TEMPLATE)
    drop = created.drop
    url = new URL(created.url)
    proxy = await startSilentProxy({ port: Number(url.port), host: url.hostname })
    server = await serve(withPostgres(created.url.replace(`:${url.port}/`, `:${proxy.port}/`)))
    company = await server.diwan.company()
  })
  afterAll(async () => {
    await server?.end('SIGKILL')
    await drop?.()
  })

  const statusOf = async (path: string) => (await server.diwan.client('').get(path)).status
  /** Repeats a call until it is served. All answers before that must be 503. */
  const servedAgain = () =>
    until(async () => {
      const { status } = await company.api.post('/projects', { name: 'Website launch' })
      expect([201, 503]).toContain(status)
      return status === 201
    })

  it('on the connections there are: all are replaced, once one of them is found out', async () => {
    await Promise.all(Array.from({ length: 30 }, () => company.api.get('/projects')))
    proxy.silenceConnections()
    const calls = Array.from({ length: 10 }, () => company.api.get('/projects'))
    const statuses = (await Promise.all(calls)).map(answer => answer.status)
    // Calls that were still waiting for a connection get a new one.
    expect(statuses).toContain(503)
    expect(statuses.filter(status => status !== 503 && status !== 200)).toEqual([])
    // None of the other silent connections is met after that: that would take longer.
    const since = performance.now()
    await servedAgain()
    expect(performance.now() - since).toBeLessThan(FOUND_OUT_AFTER_MS)
    const after = await Promise.all(Array.from({ length: 20 }, () => company.api.get('/projects')))
    expect(new Set(after.map(answer => answer.status))).toEqual(new Set([200]))
  })

  it('altogether: calls and the probe are answered 503, and served when it speaks again', async () => {
    proxy.silence()
    expect((await company.api.get('/projects')).status).toBe(503)
    expect([await statusOf('/ready'), await statusOf('/health')]).toEqual([503, 200])
    proxy.speak()
    await servedAgain()
    await until(async () => (await statusOf('/ready')) === 200)
    expect(server.stderr()).toContain('The database connection failed')
    // Nothing of what hangs on the connection is told.
    expect(server.stderr()).not.toMatch(/secretKey|connectionParameters|processID/)
  })

  it('or takes no writes: calls and the probe are 503, and served again after it', async () => {
    const direct = new pg.Client(url.href)
    direct.on('error', () => {})
    await direct.connect()
    const set = (value: string) =>
      direct.query(`alter database ${url.pathname.slice(1)} set default_transaction_read_only = ${value}`)
    await set('on')
    await direct.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await until(async () => (await statusOf('/ready')) === 503)
    expect((await company.api.get('/projects')).status).toBe(503)
    await direct.query('set default_transaction_read_only = off')
    await set('off')
    await servedAgain()
    await until(async () => (await statusOf('/ready')) === 200)
    await direct.end()
  })

  it('does not keep the server from stopping in the time it promises', async () => {
    const before = proxy.swallowed()
    proxy.silence()
    // The state of the queue is read with the limit of jobs, which is longer than a server that stops may take.
    const asking = server.diwan.operator.get('/health').catch(() => {})
    await until(async () => proxy.swallowed() > before)
    const startedAt = performance.now()
    expect(await server.end('SIGTERM'), server.stderr()).toEqual({ code: 0, signal: null })
    expect(performance.now() - startedAt).toBeLessThan(STOPS_WITHIN_MS)
    await asking
  })
})
