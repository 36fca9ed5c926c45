import { renameSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { Database } from '../../src/db/postgres.ts'
import { embedded, newFolder } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const TABLE = 'create table kept (n int primary key)'
/** More than the space left in a WAL segment. */
const MEGABYTE_OF_LOG = `select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`

let database: Database
const told: string[] = []

async function open(): Promise<string> {
  const folder = newFolder()
  embedded(folder)
  told.length = 0
  const onError = (error: Error) => told.push(error.message)
  database = await openEmbedded(folder, onError, () => told.push('reopened'))
  await database.pool.query(TABLE)
  return join(folder, 'database')
}

afterEach(() => database.close())

describe('The embedded engine', () => {
  it('that dies fails what is asked of it at once, is opened again, and has all that it acknowledged', async () => {
    const folder = await open()
    const { pool, db } = database
    const log = join(folder, 'pg_wal')
    renameSync(log, `${log}.away`)
    const kept: number[] = []
    const write = (n: number) =>
      db.transaction(async tx => {
        await tx.raw('insert into kept values ($1)', [n])
        await tx.raw(MEGABYTE_OF_LOG, [])
      })
    let failure: unknown
    for (let n = 1; n <= 20 && !failure; n++) {
      await write(n).then(
        () => kept.push(n),
        error => {
          failure = error
        },
      )
    }
    expect(failure).toMatchObject({ code: '57P01', message: expect.stringContaining('could not create file') })
    const asked = [...Array.from({ length: 20 }, () => pool.query('select 1')), write(100), pool.query('checkpoint')]
    const answers = await Promise.allSettled<unknown>(asked)
    expect(answers.map(answer => answer.status === 'rejected' && answer.reason.code)).toEqual(asked.map(() => '57P01'))

    renameSync(`${log}.away`, log)
    await until(async () => told.includes('reopened'))
    const { rows } = await pool.query('select n from kept order by n')
    expect(rows.map(row => row.n)).toEqual(expect.arrayContaining(kept))
    await write(200)
    expect(told[0]).toMatch(/^The embedded database has died: could not create file/)
  })

  it('that is dead closes all the same', async () => {
    const folder = await open()
    renameSync(join(folder, 'pg_wal'), join(folder, 'gone'))
    const fill = async () => {
      for (let n = 0; n < 20; n++) await database.pool.query(MEGABYTE_OF_LOG)
    }
    await expect(fill()).rejects.toMatchObject({ code: '57P01' })
    await database.close()
    await open()
  })

  it('rolls back and forgets for the next client what a client that broke has left', async () => {
    await open()
    const { pool } = database
    const named = { name: 'count', text: 'select count(*)::int as n from kept' }
    expect((await pool.query(named)).rows).toEqual([{ n: 0 }])
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into kept values (1)')
    const last = client.query('insert into kept select n from generate_series(2, 20000) n').catch(error => error)
    client.release(new Error('broken'))
    const { rows } = await pool.query(named)
    expect(rows).toEqual([{ n: 0 }])
    expect(await last).toMatchObject({ message: 'Connection terminated' })
    expect(told).toEqual([])
  })

  it('runs a statement beside a transaction, and never in it', async () => {
    await open()
    const { db } = database
    const count = () => db.one<{ n: number }>(sql`select count(*)::int as n from kept`)
    const undone = db.transaction(async tx => {
      await tx.run(sql`insert into kept values (1)`)
      // It waits until the transaction has ended, so awaiting it here would never return.
      void beside.push(count())
      await tx.run(sql`insert into kept values (2)`)
      throw new Error('undone')
    })
    const beside = [count(), db.run(sql`insert into kept values (3)`)]
    await expect(undone).rejects.toThrow('undone')
    expect(await Promise.all(beside)).toEqual([{ n: 0 }, 1, { n: 1 }])
    expect(await count()).toEqual({ n: 1 })
  })

  it('lets transactions, and others who need the connection, have their turn while statements keep coming', async () => {
    await open()
    const { db, pool } = database
    let isOver = false
    const reading = Array.from({ length: 8 }, async () => {
      while (!isOver) await db.one(sql`select count(*) from kept`)
    })
    for (let n = 1; n <= 20; n++) {
      await db.transaction(tx => tx.run(sql`insert into kept values (${n})`))
      await pool.query('select 1')
    }
    isOver = true
    await Promise.all(reading)
    expect(await db.one(sql`select count(*)::int as n from kept`)).toEqual({ n: 20 })
  })
})
