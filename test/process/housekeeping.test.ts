import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { Database } from '../../src/db/postgres.ts'
import { embedded, newFolder } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

let database: Database
beforeAll(async () => {
  const folder = newFolder()
  embedded(folder)
  database = await openEmbedded(folder, error => expect.fail(error.message))
  await database.pool.query('create table grown (n int primary key); create table left_alone (n int primary key)')
})
afterAll(() => database.close())

const countsOf = async (table: string) => {
  const { rows } = await database.pool.query<{ analyzed: number; vacuumed: number }>(
    `select analyze_count::int as analyzed, vacuum_count::int as vacuumed from pg_stat_user_tables where relname = $1`,
    [table],
  )
  return rows[0] as (typeof rows)[0]
}

describe('A table of the embedded database', () => {
  it('is analyzed when it has grown, and others are left alone', async () => {
    await database.pool.query('insert into grown select generate_series(1, 500); insert into left_alone values (1)')
    await until(async () => (await countsOf('grown')).analyzed > 0)
    expect(await countsOf('left_alone')).toEqual({ analyzed: 0, vacuumed: 0 })
  })

  it('is vacuumed when most of it was deleted', async () => {
    await database.pool.query('insert into grown select generate_series(501, 3000); delete from grown where n > 10')
    await until(async () => (await countsOf('grown')).vacuumed > 0)
  })
})
