import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { keepWriting, missingFrom } from '../support/acknowledged-writes.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { created } from '../support/diwan.ts'
import { type PgBouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { startReceiver } from '../support/receiver.ts'
import { refusal } from '../support/refused-start.ts'
import { launch, type ServerProcess, serve, withPostgres } from '../support/server-process.ts'
import { askPostgres, until } from '../support/servers.ts'

describeWith(['postgres', 'pgbouncer'], 'PgBouncer', paths => {
  let database: { url: string; drop: () => Promise<void> }
  const started: PgBouncer[] = []

  beforeAll(async () => {
    database = await createPostgresDatabase()
    const name = new URL(database.url).pathname.slice(1)
    await askPostgres(database.url, `alter database ${name} set timezone = 'Asia/Riyadh'`)
  })
  afterAll(async () => {
    await Promise.all(started.map(pooler => pooler.stop()))
    await database?.drop()
  })

  async function pooler(changes?: (file: string) => string): Promise<PgBouncer> {
    const pooler = await startPgbouncer(paths.pgbouncer, database.url, changes)
    started.push(pooler)
    return pooler
  }

  async function open(url: string, directUrl?: string): Promise<void> {
    const opened = await openPostgres(url, { poolSize: 2, onError: () => {}, directUrl })
    expect(await opened.db.raw('select current_setting($1) as zone', ['timezone'])).toEqual([{ zone: 'UTC' }])
    await opened.close()
  }

  const without =
    (text: string | RegExp, instead = '') =>
    (file: string) =>
      file.replace(text, instead)

  it('that is set up wrongly is refused with what to do, and only beside a direct URL of the same database', async () => {
    const ignoring = '[pgbouncer]\nignore_startup_parameters = options'
    for (const [changes, refused] of [
      [without('statements = 1000', 'statements = 0'), /max_prepared_statements/],
      [
        without('set statement_timeout=4000; '),
        /have statement_timeout=4000: .* connect_query='set statement_timeout=4000; set lock_timeout=3500; /,
      ],
      [without(/ connect_query=.*/), /plan_cache_mode=force_generic_plan, jit=off:/],
      [without('[pgbouncer]', ignoring), undefined],
    ] as const) {
      const { through } = await pooler(changes)
      const opened = open(through(database.url), database.url)
      if (refused) await expect(opened).rejects.toThrow(refused)
      else await opened
    }
    const { through } = await pooler()
    await open(through(database.url), database.url)
    await expect(open(through(database.url))).rejects.toThrow(/^DATABASE_DIRECT_URL must be set/)
    await expect(open(database.url, through(database.url))).rejects.toThrow(/^DATABASE_DIRECT_URL must point at Post/)
    const elsewhere = inject('postgresUrl') as string
    await expect(open(through(database.url), elsewhere)).rejects.toThrow(/must point at the same database/)
    await open(database.url, database.url)
    expect(await refusal(launch(withPostgres(through(database.url))))).toContain('DATABASE_DIRECT_URL must be set')
  })

  it('ends a statement that takes too long, by what it has set on its connections', async () => {
    const { through } = await pooler()
    const client = new pg.Client(through(database.url))
    await client.connect()
    await expect(client.query('select pg_sleep(60)')).rejects.toThrow(/statement timeout/)
    await client.end()
  })

  it('serves two nodes over four connections; killed under load it loses nothing, and is used again', async () => {
    const bouncer = await pooler(without('default_pool_size = 16', 'default_pool_size = 4'))
    const receiver = await startReceiver()
    const env = () =>
      withPostgres(bouncer.through(database.url), {
        DATABASE_DIRECT_URL: database.url,
        ALLOW_PRIVATE_WEBHOOKS: 'on',
      })
    const nodes = (await Promise.all([serve(env()), serve(env())])) as [ServerProcess, ServerProcess]
    const company = await nodes[0].diwan.company()
    await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['project.created'] }))
    const stream = await fetch(`${nodes[1].url}/api/v1/company/changes`, {
      headers: { authorization: `Bearer ${company.key}`, accept: 'text/event-stream' },
    })
    expect(stream.status).toBe(200)
    await stream.body?.cancel()

    const writes = keepWriting(nodes.map(node => node.diwan.api(company.key)))
    const goOn = async () => {
      const before = writes.acknowledged.length
      await until(async () => writes.acknowledged.length > before + 20)
    }
    await goOn()
    expect(writes.others).toEqual([])
    await bouncer.halt()
    for (const node of nodes) await until(async () => (await node.diwan.client('').get('/ready')).status === 503)
    await bouncer.resume()
    await goOn()
    await writes.stop()
    for (const node of nodes) await until(async () => (await node.diwan.client('').get('/ready')).status === 200)

    expect(new Set(writes.others.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['503 unavailable']),
    )
    expect(await missingFrom(company.api, writes)).toEqual([])
    const told = () => new Set(receiver.received.map(({ text }) => text.match(/prj-[a-z0-9]+/)?.[0]))
    await until(async () => writes.acknowledged.every(id => told().has(id)), 120_000)
  })
})
