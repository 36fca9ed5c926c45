import pg from 'pg'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { createDb } from '../../src/db/db.ts'
import { checkFeed, feedLagSeconds } from '../../src/domain/feed/lag.ts'
import { type Said, wordsOf } from '../../src/domain/sentences/sentences.ts'
import { useOwnApp } from '../support/app.ts'
import { newList, newTask } from '../support/factories.ts'
import { askPostgres } from '../support/servers.ts'

const app = useOwnApp()
const isPostgres = process.env.TEST_ENGINE === 'postgres'

it('Nothing lags while no transaction is open', async () => {
  const company = await app.diwan.company()
  await newList(company, (await app.diwan.project(company)).id)
  const { body } = await app.diwan.operator.get('/health')
  const feed = body.data.parts.find(({ name }: { name: string }) => name === 'feed')
  expect(feed).toMatchObject({ state: 'ok', advice: null })
  // On PostgreSQL other tests write at the same time, into other databases of the same server.
  expect(body.data.feed_lag_seconds).toBeLessThan(isPostgres ? 30 : 0.001)
})

describe.skipIf(!isPostgres)('A change that is committed and not shown', () => {
  const clients: pg.Client[] = []
  const drops: string[] = []
  const server = inject('postgresUrl') as string

  /** Another database on the same server, and a role that may do nothing special. */
  async function strangers(): Promise<{ url: URL; role: string; database: string }> {
    const name = `stranger_${process.pid}_${Math.random().toString(36).slice(2)}`
    await askPostgres(server, `create role ${name} login`)
    await askPostgres(server, `create database ${name} owner ${name}`)
    drops.push(name)
    const url = new URL(server)
    url.username = name
    url.pathname = `/${name}`
    return { url, role: name, database: name }
  }

  async function connect(url: URL): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url.href, application_name: 'report' })
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }

  /** The app's database, as a role sees it that may not look at the transactions of others. */
  async function seenWithoutPrivileges() {
    const { role } = await strangers()
    const [{ name }] = (await app.database.pool.query('select current_database() as name')).rows
    await app.database.pool.query(`grant select on companies, changes to ${role}`)
    const url = new URL(server)
    url.username = role
    url.pathname = `/${name}`
    const pool = new pg.Pool({ connectionString: url.href, max: 1 })
    pools.push(pool)
    return createDb(pool)
  }
  const pools: pg.Pool[] = []

  async function newChange(): Promise<void> {
    const company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    await newTask(company, list.id)
    await app.database.pool.query(`update changes set at = now() - interval '2 minutes' where company_id = $1`, [
      company.id,
    ])
  }

  afterEach(async () => {
    await Promise.all(clients.splice(0).map(client => client.end()))
    await Promise.all(pools.splice(0).map(pool => pool.end()))
    await app.database.pool.query('delete from changes')
    for (const name of drops.splice(0)) {
      await askPostgres(server, `drop database ${name} with (force)`)
      await app.database.pool.query(`drop owned by ${name}`)
      await askPostgres(server, `drop role ${name}`)
    }
  })

  it('is counted from, and who holds it back is named, also when it is another role in another database', async () => {
    const seen = await seenWithoutPrivileges()
    const { url, role, database } = await strangers()
    const holder = await connect(url)
    await holder.query('begin')
    await holder.query('select pg_current_xact_id()')
    expect(await feedLagSeconds(seen)).toBeLessThan(60)
    await newChange()
    expect(await feedLagSeconds(seen)).toBeGreaterThan(119)
    const { rows } = await holder.query('select pg_backend_pid() as pid')
    // Other tests have transactions on the same server, and one of them may have begun earlier.
    await expect.poll(async () => wordsOf((await checkFeed(seen)).message).en).toContain(`process ${rows[0].pid}`)
    const { state, ...told } = await checkFeed(seen)
    const [message, advice] = [wordsOf(told.message).en, wordsOf(told.advice as Said).en]
    expect(state).toBe('degraded')
    expect(message).toMatch(/^No change of the last 1[2-9]\d seconds is shown\. A transaction \(/)
    for (const detail of [`process ${rows[0].pid}`, `role ${role}`, `database ${database}`, 'application report'])
      expect(message).toContain(detail)
    expect(advice).toContain(`select pg_terminate_backend(${rows[0].pid})`)
    await holder.query('rollback')
    // Again, a transaction of another test may hold the change back for a moment.
    await expect.poll(() => feedLagSeconds(seen)).toBeLessThan(60)
    await expect.poll(() => checkFeed(seen)).toMatchObject({ state: 'ok' })
  })
})
