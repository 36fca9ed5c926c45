import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { expectFollowedOnEmbedded, expectFollowedOnPostgres } from '../rounds/followed-feed.ts'
import { OPERATOR_TOKEN, SERVER_SECRET } from '../support/app.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { newList, newTask } from '../support/factories.ts'
import { feedSettled, newListInFeed } from '../support/feed.ts'
import { type Env, newFolder, serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const ROUNDS = { writers: 4, seconds: 9, kills: 3 }

it('Whoever follows the feed of an embedded server that is killed has everything in the end', () =>
  expectFollowedOnEmbedded(ROUNDS))

it('A cursor that was given before the embedded database crashed misses nothing that happens after', async () => {
  const env = withoutJobs()
  let server = await serve(env)
  const company = await server.diwan.company()
  const list = await newList(company, (await server.diwan.project(company)).id)
  const { id } = await newTask(company, list.id)
  // These use up transaction ids and leave nothing on the disk: after the crash the same ids are assigned again.
  for (let n = 0; n < 40; n++) expect((await company.api.patch(`/tasks/${id}`, { due_at: 'never' })).status).toBe(422)
  const given = (await company.api.get('/company/changes')).body.meta.next_cursor
  const { body } = await company.api.get(`/company/changes?after=${given}`)
  await server.end('SIGKILL')
  server = await serve(env)
  const api = server.diwan.api(company.key)
  const task = await newTask({ api }, list.id)
  for (const after of [given, body.meta.next_cursor]) {
    const { data } = (await api.get(`/company/changes?after=${after}`)).body
    expect(data.map((entry: { id: string }) => entry.id)).toEqual([task.id])
  }
  await server.end('SIGTERM')
})

describe.skipIf(!inject('postgresUrl'))('On PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let env: Env
  beforeAll(async () => {
    database = await createPostgresDatabase()
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: newFolder(),
      SERVER_SECRET,
      OPERATOR_TOKEN,
      WORKER: 'off',
      BURST_PER_MINUTE: '0',
    }
  })
  afterAll(() => database.drop())

  it('whoever follows the feed of a server and a database that are killed has everything in the end', () =>
    expectFollowedOnPostgres(ROUNDS))

  it('a transaction that takes long holds the feed back, and nothing is left out when it ends', async () => {
    const server = await serve(env)
    const company = await server.diwan.company()
    const list = await newList(company, (await server.diwan.project(company)).id)
    const [slow, undone] = [await newTask(company, list.id), await newTask(company, list.id)]
    const other = new pg.Client(database.url)
    await other.connect()
    await feedSettled(other)
    let after = (await company.api.get('/company/changes')).body.meta.next_cursor
    const follow = async () => {
      const { data, meta } = (await company.api.get(`/company/changes?after=${after}`)).body
      after = meta.next_cursor
      return data.map(({ id }: { id: string }) => id)
    }
    await other.query('begin')
    await other.query(`update tasks set title = 'Slow' where ref = $1`, [slow.id])
    const quick = await newTask(company, list.id)
    expect(await follow()).toEqual([])
    const metrics = await (
      await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
    ).text()
    expect(Number(metrics.match(/^diwan_feed_lag_seconds (\S+)$/m)?.[1])).toBeGreaterThan(0)
    await other.query('commit')
    await feedSettled(other)
    expect((await follow()).sort()).toEqual([slow.id, quick.id].sort())
    await other.query('begin')
    await other.query(`update tasks set title = 'Undone' where ref = $1`, [undone.id])
    await other.query('rollback')
    await feedSettled(other)
    await other.end()
    expect(await follow()).toEqual([])
    await server.end('SIGTERM')
  })

  it('a stream over a restart of its server misses nothing', async () => {
    let server = await serve(env)
    const company = await server.diwan.company()
    const { list, after } = await newListInFeed(company, (await server.diwan.project(company)).id)
    const seen: string[] = []
    let last = after
    const listen = async (url: string) => {
      const answer = await fetch(`${url}/api/v1/company/changes`, {
        headers: { authorization: `Bearer ${company.key}`, accept: 'text/event-stream', 'last-event-id': last },
      })
      let text = ''
      for await (const bytes of answer.body as ReadableStream<Uint8Array>) {
        text += Buffer.from(bytes).toString()
        const whole = text.split('\n\n')
        text = whole.pop() as string
        for (const message of whole) {
          last = message.match(/^id: (.+)$/m)?.[1] ?? last
          const data = message.match(/^data: (.+)$/m)?.[1]
          if (data) seen.push(JSON.parse(data).id)
        }
      }
    }
    const made: string[] = []
    for (let restart = 0; restart < 2; restart++) {
      const listening = listen(server.url).catch(() => {})
      const api = { api: server.diwan.api(company.key) }
      for (let n = 0; n < 5; n++) made.push((await newTask(api, list.id)).id)
      // The first time the server is told to stop, and ends its streams itself; the second time it is killed.
      await server.end(restart === 0 ? 'SIGTERM' : 'SIGKILL')
      await listening
      server = await serve(env)
      made.push((await newTask({ api: server.diwan.api(company.key) }, list.id)).id)
    }
    const listening = listen(server.url).catch(() => {})
    // A transaction of another test may hold the feed back.
    await until(async () => new Set(seen).size >= made.length)
    expect([...new Set(seen)]).toEqual(made)
    await server.end('SIGTERM')
    await listening
  })
})
