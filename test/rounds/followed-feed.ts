import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type Database, openPostgres } from '../../src/db/postgres.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { feedSettled } from '../support/feed.ts'
import { findPart } from '../support/parts.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../support/server-process.ts'
import { askPostgres, type StartedPostgres, startPostgres, until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'
import { BusyCompany, type Call, TRAP } from './busy-company.ts'
import { Mirror, readEverything } from './mirror.ts'

interface Rounds {
  writers: number
  seconds: number
  kills: number
}

/** Where a server runs and, if its database is a separate process, how that can be crashed and inspected. */
interface Place {
  env: Env
  crashes?: (() => Promise<void>)[]
  database?: Database
}

export async function expectFollowedOnEmbedded(rounds: Rounds): Promise<void> {
  const env = withoutJobs()
  await setTrap(await openEmbedded(env.DATA_DIR as string, () => {}))
  await expectFollowed({ env }, rounds)
}

/** On a separate PostgreSQL server, because that is killed too. */
export async function expectFollowedOnPostgres(rounds: Rounds): Promise<void> {
  const postgres = await startPostgres(findPart('postgres') as string)
  const { url } = postgres
  // Unlike other tests, this one checks what is still there after a crash.
  await askPostgres(url, 'alter database postgres set synchronous_commit = on')
  const secrets = { SERVER_SECRET, OPERATOR_TOKEN }
  const env = { DATABASE_URL: url, DATA_DIR: newFolder(), ...secrets, WORKER: 'off', BURST_PER_MINUTE: '0' }
  const open = () => openPostgres(url, { poolSize: 2, onError: () => {} })
  await setTrap(await open())
  const database = await open()
  try {
    await expectFollowed({ env, crashes: [() => crashOne(url), () => crashAll(postgres)], database }, rounds)
  } finally {
    await database.close()
    await postgres.stop()
  }
}

async function setTrap(database: Database): Promise<void> {
  await migrate(database)
  await database.pool.query(TRAP)
  await database.close()
}

/** When one of its processes is killed, PostgreSQL ends all the others and recovers from its log. */
async function crashOne(url: string): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await until(() =>
    askPostgres(url, 'select 1').then(
      () => true,
      () => false,
    ),
  )
}

async function crashAll({ halt, resume }: StartedPostgres): Promise<void> {
  await halt('SIGKILL')
  await resume()
}

/**
 * Writers all work on the same projects and a reader knows nothing but the feed, while commits take long or fail, and the
 * server and the database are killed in turn. In the end the reader has seen every acknowledged change and none that was
 * rolled back, and its copy matches the data; and every counter is correct, on PostgreSQL at every moment.
 */
async function expectFollowed(
  { env, crashes = [], database }: Place,
  { writers, seconds, kills }: Rounds,
): Promise<void> {
  let server = await serve(env)
  const { key, id } = await server.diwan.company({ plan: 'enterprise', daily_calls: null })
  const once = (send: (api: Client) => Promise<Answer>) => send(server.diwan.api(key)).catch(() => undefined)
  /** Retries whatever fails on the way, as a client would. */
  const call: Call = async send => {
    for (;;) {
      const answer = await once(send)
      if (answer && answer.status < 500) return answer
      await sleep(50)
    }
  }
  const still = await furnishStill(server, key)
  const company = new BusyCompany(call, once, still)
  const mirror = new Mirror(call)
  const start = await mirror.begin()
  let isOver = false
  // After `isOver` the writers still need a while to finish their last steps.
  let isWritten = false
  const writing = Promise.all(Array.from({ length: writers }, () => company.write(() => isOver)))
  const following = mirror.follow(start, () => isWritten)
  const counting = database && watchCounters(database, id, () => isWritten)

  const restart = async () => {
    await server.end('SIGKILL')
    server = await serve(env)
  }
  const ways = [restart, ...crashes]
  for (let kill = 0; kill < kills; kill++) {
    await sleep((seconds * 1_000) / (kills + 1))
    await ways[kill % ways.length]?.()
  }
  await sleep((seconds * 1_000) / (kills + 1))
  // A slow machine needs longer to do enough work.
  await until(async () => Math.min(company.steps, company.rollbacks) > writers)
  isOver = true
  await writing
  // A transaction that a killed server has left open, or one of the maintenance, holds the feed back for a moment.
  if (database) await feedSettled(database.pool)
  isWritten = true
  await following

  if (counting) expect(await counting).toEqual({ looks: expect.toSatisfy(looks => looks > seconds / 10), wrong: [] })
  const { records: there, counts } = await readEverything(call)
  expect(counts.map(({ of, shown }) => [of, shown])).toEqual(counts.map(({ of, there }) => [of, there]))
  expect([...mirror.records.keys()].sort()).toEqual([...there.keys()].sort())
  for (const [name, record] of there) expect(mirror.records.get(name), name).toEqual(record)
  expect(unseen(company.acknowledged, mirror.seen)).toEqual([])
  expect(company.slipped).toEqual([])
  expect([...mirror.seen.keys()].filter(what => still.tasks.some(id => what.endsWith(id)))).toEqual([])
  expect(mirror.parents).not.toContain(still.list)
  expect(mirror.entries).toBeGreaterThan(writers)
  const engine = database ? 'PostgreSQL' : 'embedded'
  const { steps, rollbacks } = company
  tell(`feed, ${engine}`, { kills, steps, rollbacks, entries: mirror.entries, records: there.size })
  await server.end('SIGTERM')
}

/** Compares every counter with the data again and again, while they change and whatever is killed. */
async function watchCounters({ db }: Database, company: number, isOver: () => boolean) {
  let looks = 0
  const wrong: unknown[] = []
  while (!isOver()) {
    const found = await wrongCounters(db, company).catch(() => undefined)
    if (found) {
      looks++
      wrong.push(...found)
    }
    await sleep(100)
  }
  return { looks, wrong }
}

/** Creates a list in which nothing can ever be changed: see `TRAP`. */
async function furnishStill({ diwan }: ServerProcess, key: string): Promise<{ list: string; tasks: string[] }> {
  const api = diwan.api(key)
  const project = (await api.post('/projects', { name: 'Still' })).body.data
  const list = await newList({ api }, project.id)
  const tasks = await Promise.all(Array.from({ length: 20 }, () => newTask({ api }, list.id, { title: 'Still' })))
  return { list: list.id, tasks: tasks.map(({ id }) => id) }
}

/** Changes that were acknowledged more often than the feed has reported them. */
function unseen(acknowledged: Map<string, number>, seen: Map<string, number>): string[] {
  return [...acknowledged].filter(([what, times]) => (seen.get(what) ?? 0) < times).map(([what]) => what)
}
