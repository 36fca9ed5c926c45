import pg from 'pg'
import { expect, it } from 'vitest'
import { expectFollowedOnEmbedded, expectFollowedOnPostgres } from '../rounds/followed-feed.ts'
import { serveOn } from '../support/both-engines.ts'
import { describeWith } from '../support/describe-with.ts'
import { newList, newTask } from '../support/factories.ts'
import { feedSettled, newListInFeed } from '../support/feed.ts'
import { serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const ROUNDS = { writers: 3, seconds: 3, kills: 2 }

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

describeWith('postgres', 'On PostgreSQL', () => {
  it('whoever follows the feed of a server and a database that are killed has everything in the end', () =>
    expectFollowedOnPostgres(ROUNDS))

  it('a transaction that takes long holds the feed back, and nothing is left out when it ends', async () => {
    const { server, databaseUrl, end } = await serveOn('PostgreSQL')
    const company = await server.diwan.company()
    const list = await newList(company, (await server.diwan.project(company)).id)
    const slow = await newTask(company, list.id)
    const other = new pg.Client(databaseUrl)
    await other.connect()
    await feedSettled(other)
    const after = (await company.api.get('/company/changes')).body.meta.next_cursor
    const page = async () => (await company.api.get(`/company/changes?after=${after}`)).body
    await other.query('begin')
    await other.query(`update tasks set title = 'Slow' where ref = $1`, [slow.id])
    const quick = await newTask(company, list.id)
    expect((await page()).data).toEqual([])
    await other.query('commit')
    await feedSettled(other)
    const told = await page()
    expect(told.data.map(({ id }: { id: string }) => id).sort()).toEqual([slow.id, quick.id].sort())
    await other.end()
    await end()
  })

  it('a stream over a stop and a kill of its server misses nothing', async () => {
    const served = await serveOn('PostgreSQL')
    let { server } = served
    const company = await server.diwan.company()
    const { list, after } = await newListInFeed(company, (await server.diwan.project(company)).id)
    const seen: string[] = []
    let last = after
    const listen = async () => {
      const answer = await fetch(`${server.url}/api/v1/company/changes`, {
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
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const listening = listen().catch(() => {})
      const api = { api: server.diwan.api(company.key) }
      for (let n = 0; n < 5; n++) made.push((await newTask(api, list.id)).id)
      await server.end(signal)
      await listening
      server = await serve(served.env)
      made.push((await newTask({ api: server.diwan.api(company.key) }, list.id)).id)
    }
    const listening = listen().catch(() => {})
    // A transaction of another test may hold the feed back.
    await until(async () => new Set(seen).size >= made.length)
    expect([...new Set(seen)]).toEqual(made)
    await server.end('SIGTERM')
    await listening
    await served.end()
  })
})
