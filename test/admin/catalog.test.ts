import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeSchema } from '../../src/db/describe-schema.ts'
import type { Database } from '../../src/db/postgres.ts'
import {
  askCatalog,
  crosses,
  KEYS_WITHOUT_COMPANY,
  REFERENCES,
  type Reference,
  WITHOUT_COMPANY,
  WITHOUT_PRIMARY_KEY,
} from '../support/company-first.ts'
import { openTestDatabase } from '../support/database.ts'

// One company's row cannot point at another's, whatever the code does: the catalog of the database proves it.

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const tables = <T>(query: string) => askCatalog<T>(database.pool, query)

it('src/db/schema.sql is what the migrations make on this engine: npm run schema writes it', async () => {
  expect(await describeSchema(database.db)).toBe(readFileSync('src/db/schema.sql', 'utf8'))
})

it('every table has a company_id that is never null, and a primary key; every unique index starts with it, those of digests aside', async () => {
  const names = (await tables<{ table_name: string }>('select table_name from tables')).map(row => row.table_name)
  expect(names).toEqual(expect.arrayContaining(['users', 'api_keys', 'personal_tokens', 'projects', 'audit_entries']))
  for (const query of [WITHOUT_COMPANY, WITHOUT_PRIMARY_KEY, KEYS_WITHOUT_COMPANY])
    expect([query, await tables(query)]).toEqual([query, []])
})

it('every reference to a table of a company leads with company_id on both sides', async () => {
  const references = await tables<Reference>(REFERENCES)
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter(crosses)).toEqual([])
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

/**
 * What goes on while a company is copied to another cell, is only written together with something else, or belongs to no company
 * (migration 0024).
 */
const WRITTEN_WHILE_MOVING = [
  'app_clients',
  'app_requests',
  'audit_entries',
  'calls_by_day',
  'calls_by_hour',
  'calls_by_key',
  'changes',
  'count_changes',
  'denial_counts',
  'idempotent_answers',
  'requests',
  'retired_slugs',
  'shown_identities',
  'timeline_entries',
  'webhook_attempts',
  'webhook_deliveries',
]

it('every other table refuses writes to a company that is being moved', async () => {
  const open = await tables<{ table_name: string }>(`
    select table_name from tables t
    where (select count(*) from pg_trigger g
      where g.tgrelid = t.oid and g.tgfoid = 'refuse_while_moving'::regproc and g.tgname ~ '_moving_(insert|update)$') < 2
    order by table_name`)
  expect(open.map(({ table_name }) => table_name)).toEqual(WRITTEN_WHILE_MOVING)
})
