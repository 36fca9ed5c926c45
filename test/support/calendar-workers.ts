import { afterAll, beforeAll } from 'vitest'
import { type Database, openPostgres } from '../../src/db/postgres.ts'
import { type CalendarPeople, postgresEnv } from './calendar-people.ts'
import { createPostgresDatabase } from './database.ts'
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts'
import { type Env, type ServerProcess, serve, work } from './server-process.ts'
import { until } from './servers.ts'

/** How many changes have not been written to a calendar yet. */
export const OWED = 'select count(*) from calendar_entries where synced_version < version'

/** A server on PostgreSQL that leaves calendars to workers, and functions to control those workers. */
export function useCalendarWorkers(people: CalendarPeople) {
  const running = {} as { env: Env; database: Database; server: ServerProcess; proxy: FlakyProxy }
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    const env = { ...postgresEnv(database.url), WORKER: 'off' }
    Object.assign(running, {
      env,
      server: await serve(env),
      database: await openPostgres(database.url, { poolSize: 3, onError: () => {} }),
      proxy: await startFlakyProxy(people.caldav.url),
    })
  })
  afterAll(async () => {
    await running.server?.end('SIGTERM')
    await running.database?.close()
    await drop?.()
  })

  const count = async (query: string) => Number((await running.database.pool.query(query)).rows[0].count)
  /** Skips the pauses between retries, so that a test need not wait for them; what a worker is about to take is left to it. */
  const hurry = () =>
    running.database.pool.query(`
      update pgboss.job set start_after = now()
      where id in (select id from pgboss.job where state = 'retry' for update skip locked)`)
  return {
    running,
    count,
    hurry,

    work: () => work(running.env),

    /** Releases at once what a killed worker held, which otherwise takes a minute. Call it only while no worker runs. */
    async bury() {
      await running.database.pool.query(
        `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
      )
      await running.database.pool.query('update calendar_entries set leased_until = null')
    },

    settled: () =>
      until(async () => {
        await hurry()
        return (await count(OWED)) === 0
      }, 150_000),
  }
}
