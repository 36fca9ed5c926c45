import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUnavailable } from '../../src/db/failures.ts'
import { type Database, openPostgres } from '../../src/db/postgres.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { POSTGRES_TEMPLATE, until } from '../support/servers.ts'

// The embedded database has only one session, so nothing is shared there.
describeWith('postgres', 'Statements that share connections', () => {
  const POOL_SIZE = 4
  const PROBE = 1
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const created = await createPostgresDatabase(POSTGRES_TEMPLATE)
    drop = created.drop
    database = await openPostgres(created.url, { poolSize: POOL_SIZE, onError: () => {} })
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })

  const number = async (n: number) => (await database.db.one<{ n: number }>(sql`select ${n}::int as n`)).n
  const sleep = (seconds: number) => database.db.one(sql`select pg_sleep(${seconds}::float)`)
  /** A statement that runs as long as somebody else holds the lock. */
  const slowStatement = () => database.db.one(sql`select pg_advisory_xact_lock(1)`)
  async function holdLock(): Promise<() => Promise<void>> {
    const holder = await database.pool.connect()
    await holder.query('select pg_advisory_lock(1)')
    return async () => {
      await holder.query('select pg_advisory_unlock(1)')
      holder.release()
    }
  }
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

  it('each get their own answer, however many there are at once, on no more connections than the pool has', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const answers = Promise.all(numbers.map(number))
    const others = await database.db.one<{ count: number }>(
      sql`select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
    )
    expect(others.count).toBeLessThanOrEqual(POOL_SIZE + PROBE)
    expect(await answers).toEqual(numbers)
  })

  it('fail each for itself', async () => {
    const divide = (n: number) => database.db.one<{ n: number }>(sql`select 12 / ${n}::int as n`)
    const results = await Promise.allSettled([divide(3), divide(0), divide(4), divide(0), divide(6)])
    const found = results.map(result => (result.status === 'fulfilled' ? result.value.n : 'failed'))
    expect(found).toEqual([4, 'failed', 3, 'failed', 2])
  })

  it('find another connection when one of the shared ones, or all of them, are busy with something long', async () => {
    for (const busy of [1, POOL_SIZE / 2]) {
      const order: string[] = []
      const unlock = await holdLock()
      const slow = []
      for (let n = 0; n < busy; n++) {
        slow.push(slowStatement().then(() => order.push('slow')))
        // Only then is the next not put behind it.
        await pause(60)
      }
      await Promise.all(Array.from({ length: 40 }, (_, n) => number(n)))
      order.push('quick')
      await unlock()
      await Promise.all(slow)
      expect(order).toEqual(['quick', ...Array(busy).fill('slow')])
    }
  })

  it('leave room for transactions', async () => {
    let isOver = false
    const busy = Array.from({ length: 100 }, async () => {
      while (!isOver) await number(1)
    })
    for (let n = 0; n < 20; n++)
      expect(
        await database.db.transaction(async tx => (await tx.one<{ n: number }>(sql`select ${n}::int as n`)).n),
      ).toBe(n)
    isOver = true
    await Promise.all(busy)
  })

  it('in a transaction that had failed are not said to be committed', async () => {
    const work = database.db.transaction(async tx => {
      await tx.run(sql`create table never_there (n int)`)
      await tx.run(sql`select 1 / 0`).catch(() => {})
    })
    await expect(work).rejects.toThrow('rolled back')
  })

  it('hear of a lost connection, and the next ones have another', async () => {
    const lost = Array.from({ length: 5 }, () => sleep(5).then(String, isUnavailable))
    // All are sent together over one connection.
    const sleeping = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await until(async () => (await database.pool.query(sleeping)).rowCount === 1)
    await database.db.transaction(tx =>
      tx.run(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
    expect(await Promise.all(lost)).toEqual([true, true, true, true, true])
    expect(await Promise.all([1, 2, 3].map(number))).toEqual([1, 2, 3])
  })
})
