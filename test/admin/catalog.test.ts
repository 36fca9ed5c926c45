import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/postgres.ts'
import { KEPT } from '../../src/domain/upkeep/retention.ts'
import { openTestDatabase } from '../support/database.ts'

// One company's row cannot point at another's, whatever the code does: the catalog of the database proves it.

/** What belongs to no company: the companies themselves, and the database's own bookkeeping. */
const ABOVE_COMPANIES = ['companies', ...KEPT.byDatabase]

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const TABLES = `
  select c.oid, c.relname as table_name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($1)`

async function tables<T>(query: string): Promise<T[]> {
  return (await database.pool.query(`with recursive tables as (${TABLES}) ${query}`, [ABOVE_COMPANIES])).rows
}

it('finds the tables that it speaks of', async () => {
  const names = (await tables<{ table_name: string }>('select table_name from tables')).map(row => row.table_name)
  expect(names).toEqual(expect.arrayContaining(['users', 'api_keys', 'personal_tokens', 'projects', 'audit_entries']))
})

it('every table has a company_id that is never null', async () => {
  expect(
    await tables(`
      select table_name from tables t
      where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'company_id' and a.attnotnull
                          and a.atttypid = 'bigint'::regtype)`),
  ).toEqual([])
})

it('every table has a primary key', async () => {
  expect(
    await tables(
      'select table_name from tables t where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)',
    ),
  ).toEqual([])
})

it('every primary key and unique index starts with company_id, those of digests aside', async () => {
  const strays = await tables(`
    select table_name, i.indexrelid::regclass::text as index_name, pg_get_indexdef(i.indexrelid) as definition
    from tables t join pg_index i on i.indrelid = t.oid
    where i.indisunique
      and pg_get_indexdef(i.indexrelid, 1, true) <> 'company_id'
      and not (pg_get_indexdef(i.indexrelid, 1, true) = 'digest' and i.indnkeyatts = 1)`)
  expect(strays).toEqual([])
})

it('every reference to a table of a company leads with company_id on both sides', async () => {
  const references = await tables<{ target: string; from_column: string; to_column: string }>(`
    select table_name, k.conname, k.confrelid::regclass::text as target, here.attname as from_column, there.attname as to_column
    from tables t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
    join pg_attribute here on here.attrelid = k.conrelid and here.attnum = k.conkey[1]
    join pg_attribute there on there.attrelid = k.confrelid and there.attnum = k.confkey[1]`)
  expect(references.length).toBeGreaterThan(10)
  const crossing = references.filter(({ target, from_column, to_column }) =>
    target === 'companies' ? from_column !== 'company_id' : from_column !== 'company_id' || to_column !== 'company_id',
  )
  expect(crossing).toEqual([])
})

// A reference from the feed would have every write hold the row of its company, and so would one from the lines that count, which the upkeep
// removes; denials may be of no company; the log of requests is written so often that the check would cost more than the row; apps that
// ask for access, and what an identity provider told about somebody who has not chosen a company, are of no company yet.
it('every table but these reaches companies, by a reference of its own or through others', async () => {
  expect(
    await tables(`
      , reached as (
        select 'companies'::regclass::oid as oid
        union
        select k.conrelid from pg_constraint k join reached r on k.confrelid = r.oid where k.contype = 'f'
      )
      select table_name from tables where oid not in (select oid from reached) and table_name not in (
        'app_clients', 'app_requests', 'changes', 'count_changes', 'denial_counts', 'requests', 'shown_identities')`),
  ).toEqual([])
})

it('every table tells the planner to expect large companies', async () => {
  expect(
    await tables(`
      select table_name from tables t join pg_attribute a on a.attrelid = t.oid and a.attname = 'company_id'
      where a.attoptions is distinct from '{n_distinct=3}'`),
  ).toEqual([])
})

it('no reference empties company_id when its target goes', async () => {
  expect(
    await tables(`
      select table_name, conname from tables t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
      where k.confdeltype in ('n', 'd') and (k.confdelsetcols is null or k.conkey[1] = any (k.confdelsetcols))`),
  ).toEqual([])
})

it('the database itself refuses a token of a person of another company', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const company = `insert into companies (name, time_zone, plan) values ('x', 'UTC', 'free') returning id`
    const [here, there] = [(await client.query(company)).rows[0].id, (await client.query(company)).rows[0].id]
    const { rows } = await client.query(
      `insert into users (company_id, name, email, role) values ($1, 'x', 'x@example.com', 'owner') returning id`,
      [there],
    )
    const pointing = client.query(
      `insert into personal_tokens (company_id, user_id, name, digest, last_four) values ($1, $2, 'x', 'x', 'x')`,
      [here, rows[0].id],
    )
    await expect(pointing).rejects.toMatchObject({ code: '23503' })
  } finally {
    await client.query('rollback')
    client.release()
  }
})
