import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { POSITION } from '../../src/db/positions.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Replica } from '../../src/db/replica.ts'
import { diwan } from '../support/command.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { faultsIn, found } from '../support/doctor.ts'
import { linesOf } from '../support/exported.ts'
import { findParts } from '../support/parts.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { askPostgres, type StartedPostgres, startPostgres, until } from '../support/servers.ts'
import { type SilentProxy, startSilentProxy } from '../support/silent-proxy.ts'

const parts = findParts()

describe.skipIf(!parts.postgres)('Two nodes, the second of which may read from a replica', () => {
  let primary: StartedPostgres
  let standby: StartedPostgres
  /** Reads from the primary, as if there were no replica. */
  let first: ServerProcess
  let second: ServerProcess
  let company: TestCompany
  let env: Env
  /** Between the second node and the replica. */
  let network: SilentProxy
  let writes = 0

  beforeAll(async () => {
    primary = await startPostgres(parts.postgres as string)
    await askPostgres(primary.url, "alter database postgres set synchronous_commit = 'on'")
    standby = await startPostgres(parts.postgres as string, primary)
    const plain = { SERVER_SECRET, OPERATOR_TOKEN, DATABASE_URL: primary.url, BURST_PER_MINUTE: '0' }
    env = { ...plain, DATA_DIR: newFolder(), DATABASE_REPLICA_URL: standby.url }
    first = await serve({ ...plain, DATA_DIR: newFolder() })
    const { hostname: host, port } = new URL(standby.url)
    network = await startSilentProxy({ host, port: Number(port) })
    second = await serve({ ...env, DATABASE_REPLICA_URL: standby.url.replace(port, String(network.port)) })
    company = await first.diwan.company()
    await isUsed()
  })
  afterAll(async () => {
    await first?.end('SIGKILL')
    await second?.end('SIGKILL')
    await standby?.stop()
    await primary?.stop()
  })

  /** How many reads the second node has got from each server. */
  async function reads(): Promise<{ replica: number; primary: number }> {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const text = await (await fetch(`${second.url}/metrics`, { headers })).text()
    const from = (server: string) =>
      Number(text.match(new RegExp(`^diwan_reads_total\\{from="${server}"\\} (\\d+)$`, 'm'))?.[1] ?? 0)
    return { replica: from('replica'), primary: from('primary') }
  }

  /** Reads until the replica has answered some of it. */
  async function isUsed(): Promise<void> {
    const before = await reads()
    await until(async () => {
      expect((await second.diwan.api(company.key).get('/projects')).status).toBe(200)
      return (await reads()).replica > before.replica + 3
    })
  }

  /** An answer may be some seconds old. */
  const isTold = (state: string, words = '') =>
    until(async () => {
      const { body } = await second.diwan.operator.get('/health')
      const part = body.data.parts.find(({ name }: { name: string }) => name === 'replica')
      return part.state === state && part.message.includes(words)
    })

  /** Writes through the first node, and compares what both nodes show right after that. */
  async function writeAndRead(): Promise<void> {
    const name = `Move${++writes}`
    const day = new Date(Date.UTC(2030, 0, 1 + writes)).toISOString().slice(0, 10)
    const api = company.api
    const project = await api.post('/projects', { name, external_id: name })
    const event = await api.post('/events', { name, starts_at: `${day}T10:00:00Z`, ends_at: `${day}T11:00:00Z` })
    expect([project.status, event.status]).toEqual([201, 201])
    const shown = async ({ diwan: node }: ServerProcess): Promise<Answer[]> => {
      const read: Client = node.api(company.key)
      const work = node.admin(company.id, company.ownerToken)
      return Promise.all([
        read.get(`/projects?external_id=${name}`),
        read.get(`/search?q=${name}`),
        read.get(`/events?from=${day}&to=${day}`),
        work.get(`/records/projects?external_id=${name}`),
      ])
    }
    const [page, search, window, forPeople] = (await shown(second)) as [Answer, Answer, Answer, Answer]
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual([project.body.data.id])
    expect(search.body.data.results.map(({ id }: { id: string }) => id)).toEqual([project.body.data.id])
    expect(window.body.data.map(({ id }: { id: number }) => id)).toEqual([event.body.data.id])
    const bodies = ({ body }: Answer) => body
    expect([page, search, window, forPeople].map(bodies)).toEqual((await shown(first)).map(bodies))
  }

  async function writeAndReadOften(times: number): Promise<void> {
    for (let n = 0; n < times; n++) await writeAndRead()
  }

  it('shows every write at once, and reads from the replica once that has caught up', async () => {
    const scans = async () =>
      Number(
        await askPostgres(standby.url, "select idx_scan + seq_scan from pg_stat_user_tables where relname = 'events'"),
      )
    const before = { reads: await reads(), scans: await scans() }
    await writeAndReadOften(20)
    await isUsed()
    const after = await reads()
    expect(after.replica).toBeGreaterThan(before.reads.replica)
    await until(async () => (await scans()) > before.scans)
    await isTold('ok')
  })

  it('is examined by the doctor, and an export reads all of the company there, up to the last write', async () => {
    expect(await faultsIn(env)).toEqual([])
    const scans = async () =>
      Number(
        await askPostgres(standby.url, "select idx_scan + seq_scan from pg_stat_user_tables where relname = 'folders'"),
      )
    const before = await scans()
    await writeAndRead()
    const folder = join(newFolder(), 'export')
    expect(await diwan(env, 'export', String(company.id), folder)).toMatchObject({ code: 0, stderr: '' })
    expect(linesOf(folder, 'projects').map(({ name }) => name)).toContain(`Move${writes}`)
    await until(async () => (await scans()) > before)
  })

  it('reads from the primary while replay is paused, and says that the replica is behind', async () => {
    await askPostgres(standby.url, 'select pg_wal_replay_pause()')
    await until(async () => (await askPostgres(standby.url, 'select pg_get_wal_replay_pause_state()')) === 'paused')
    await writeAndRead()
    const before = await reads()
    await writeAndReadOften(10)
    expect((await reads()).replica).toBe(before.replica)
    await isTold('degraded', 'behind by')
    await askPostgres(standby.url, 'select pg_wal_replay_resume()')
    await isUsed()
    await isTold('ok')
  })

  it('answers all calls while the replica is killed and comes back', async () => {
    const api = second.diwan.api(company.key)
    const statuses = new Set<number>()
    let isOver = false
    const reading = (async () => {
      while (!isOver) statuses.add((await api.get('/projects?limit=2')).status)
    })()
    await standby.halt('SIGKILL')
    await writeAndReadOften(5)
    await isTold('down')
    const folder = join(newFolder(), 'export')
    const { code, stderr } = await diwan(env, 'export', String(company.id), folder)
    expect([code, stderr]).toEqual([0, expect.stringContaining('The replica was not used: connect ECONNREFUSED')])
    expect(linesOf(folder, 'projects').map(({ name }) => name)).toContain(`Move${writes}`)
    expect((await second.diwan.client('').get('/ready')).status).toBe(200)
    await standby.resume()
    await isUsed()
    isOver = true
    await reading
    expect([...statuses]).toEqual([200])
    expect(second.stderr()).toContain('The replica answers no reads')
  })

  it('answers all calls while the replica says nothing', async () => {
    await isUsed()
    network.silence()
    await writeAndReadOften(5)
    await isTold('down')
    network.speak()
    await isUsed()
  })

  it('answers in place of the replica what comes behind a slow read there, which the replica answers', async () => {
    const states: unknown[] = []
    const onStateChange = (problem: string | undefined) => states.push(problem)
    // Both reads share the one connection there is for each server.
    const database = await openPostgres(primary.url, {
      poolSize: 2,
      onError: () => {},
      replica: { url: standby.url, onStateChange },
    })
    onTestFinished(() => database.close())
    const isFromReplica = async (seconds = 0) => {
      const { position } = await database.db.one<{ position: string }>(sql`select 1 ${POSITION}`)
      const db = (database.replica as Replica).reading(database.db, company.id, position)
      return (await db.one<{ is: boolean }>(sql`select pg_is_in_recovery() as is, pg_sleep(${seconds})`)).is
    }
    await until(isFromReplica)
    expect(await Promise.all([isFromReplica(0.7), isFromReplica()])).toEqual([true, false])
    await until(isFromReplica)
    expect(states).toEqual([undefined])
  })

  it('shows nothing of a replica that was promoted and written to, also when that follows again what it cannot', async () => {
    await askPostgres(standby.url, 'select pg_promote()')
    await askPostgres(standby.url, "update projects set name = 'Of somebody else'")
    const before = await reads()
    await writeAndReadOften(5)
    await isTold('down', 'promoted')
    expect(await faultsIn(env)).toEqual([found('replica', /It was promoted/, /DATABASE_REPLICA_URL/)])

    // It is further ahead than the primary, but on a timeline of its own.
    await askPostgres(standby.url, 'create table ahead as select generate_series(1, 20000)')
    await standby.halt()
    writeFileSync(join(standby.data, 'standby.signal'), '')
    await standby.resume()
    expect(await askPostgres(standby.url, 'select pg_is_in_recovery()')).toBe('true')
    await isTold('down', 'timeline')
    await writeAndReadOften(5)
    expect((await reads()).replica).toBe(before.replica)
  })
})
