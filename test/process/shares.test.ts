import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { createPostgresDatabase } from '../support/database.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'

// The embedded database has only one session, so no statement waits for a lock there.
describe.skipIf(!inject('postgresUrl'))('A company whose writes wait for a lock', () => {
  let url: string
  let drop: () => Promise<void>
  let server: ServerProcess
  let busy: TestCompany
  let other: TestCompany
  let list: string

  beforeAll(async () => {
    const created = await createPostgresDatabase()
    url = created.url
    drop = created.drop
    server = await serve({
      DATA_DIR: newFolder(),
      DATABASE_URL: url,
      SERVER_SECRET,
      OPERATOR_TOKEN,
      BURST_PER_MINUTE: '0',
    })
    busy = await server.diwan.company()
    other = await server.diwan.company()
    const project = (await busy.api.post('/projects', { name: 'Website launch' })).body.data.id
    list = (await busy.api.post(`/projects/${project}/lists`, { title: 'Design' })).body.data.id
    await other.api.post('/projects', { name: 'Office move' })
  })
  afterAll(async () => {
    await server?.end('SIGKILL')
    await drop?.()
  })

  async function timed<T extends { status: number }>(call: () => Promise<T>): Promise<{ status: number; ms: number }> {
    const startedAt = performance.now()
    const { status } = await call()
    return { status, ms: performance.now() - startedAt }
  }

  it('leaves the reads, the writes and the probe of others alone, and gets 503 in time', async () => {
    const holder = new pg.Client(url)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from task_lists for update')
    const startedAt = performance.now()
    const waiting = Array.from({ length: 60 }, (_, n) =>
      timed(() => busy.api.post(`/lists/${list}/tasks`, { title: `Task ${n}` })),
    )
    await new Promise(resolve => setTimeout(resolve, 300))
    const others = await Promise.all([
      timed(() => other.api.get('/projects')),
      timed(() => other.api.post('/projects', { name: 'Office move' })),
      timed(() => server.diwan.client('').get('/ready')),
      timed(() => busy.api.get('/projects')),
    ])
    expect(others.map(({ status }) => status)).toEqual([200, 201, 200, 200])
    // Calls that wait for the lock are refused after this time.
    expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(3_500)

    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    await holder.query('rollback')
    await holder.end()
    expect((await busy.api.post(`/lists/${list}/tasks`, { title: 'Afterwards' })).status).toBe(201)
    expect((await busy.api.get(`/lists/${list}/tasks`)).body.meta.total).toBe(1)
  })

  it('and sends more than can be done in time: the rest is refused soon, and each call was done or refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_500 }, (_, n) =>
        timed(() => busy.api.post(`/lists/${list}/tasks`, { title: `Many ${n}` })),
      ),
    )
    const done = answers.filter(({ status }) => status === 201).length
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
    expect((await busy.api.get(`/lists/${list}/tasks`)).body.meta.total).toBe(1 + done)
  })
})

it.skipIf(!inject('postgresUrl'))(
  'A company whose reads are slow leaves connections for all that others do',
  async () => {
    const { url, drop } = await createPostgresDatabase()
    const { db, close } = await openPostgres(url, { poolSize: 10, onError: () => {} })
    const [busy, other] = [db.onBehalfOf(1), db.onBehalfOf(2)]
    const reads: Promise<unknown>[] = []
    for (let n = 0; n < 20; n++) {
      reads.push(busy.one(sql`select pg_sleep(3)`).catch(() => {}))
      // So long that the next one is not sent behind it.
      await sleep(30)
    }
    const quick = sql`select 1 as one`
    const startedAt = performance.now()
    // That of nobody in particular is how a call is looked up.
    await Promise.all([db.one(quick), other.one(quick), other.transaction(tx => tx.one(quick))])
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    await Promise.all(reads)
    await close()
    await drop()
  },
)
