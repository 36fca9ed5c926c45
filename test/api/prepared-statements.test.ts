// @module-tag long

import sql, { raw } from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { generate } from '../../cli/src/local/generated-data.ts'
import { preparedStatements } from '../../src/db/prepared-statements.ts'
import { createMint } from '../../src/domain/access/credentials.ts'
import { addKey } from '../../src/domain/access/keyring.ts'
import { SERVER_SECRET, useOwnApp } from '../support/app.ts'
import type { Client } from '../support/diwan.ts'

const app = useOwnApp()
let api: Client
beforeAll(async () => {
  const { db } = app.database
  const { companyId, ownerId } = await generate(db, { tasks: 1_000, companies: 0 }, () => {})
  api = app.diwan.api(
    await addKey(db, { company_id: companyId, name: 'Test', created_by: ownerId }, createMint(SERVER_SECRET, false)),
  )
})

/** What the session that the statements of this test share has prepared, as the database sees it. */
async function kept(): Promise<{ statements: number; bytes: number }> {
  return app.database.db.one(sql`
    select (select count(*) from pg_prepared_statements where name like 'diwan%') as statements,
      (select sum(total_bytes) from pg_backend_memory_contexts where name like 'CachedPlan%')::float8 as bytes`)
}

const MEGABYTE = 1024 * 1024

it('Only texts that come back are prepared, within a bound: those used longest ago are closed, and prepared again', async () => {
  await app.database.db.many(sql`select 'a text that comes once'`)
  for (let use = 0; use < 2; use++) await app.database.db.many(sql`select 'a text that comes back'`)
  const own = sql`select statement from pg_prepared_statements where name like 'diwan%' and statement ~ '^select .a text'`
  expect(await app.database.db.many(own)).toEqual([{ statement: `select 'a text that comes back'` }])

  const evictedBefore = preparedStatements().evicted
  // Each takes about as much as a page of tasks.
  const anything = (n: number) =>
    sql`select count(*) from tasks t join task_lists l using (company_id) where ${raw(
      Array.from({ length: 40 }, (_, m) => `t.title <> 'a title that no task has: ${n} ${m}'`).join(' and '),
    )} limit 0`
  for (let n = 0; n < 100; n++) for (let use = 0; use < 2; use++) await app.database.db.many(anything(n))
  const { statements, bytes } = await kept()
  const { count, evicted, bytes: estimated } = preparedStatements()
  expect(evicted).toBeGreaterThan(evictedBefore)
  expect(statements).toBeLessThanOrEqual(count)
  expect([bytes / MEGABYTE < 40, estimated / MEGABYTE > 20]).toEqual([true, true])
  for (let use = 0; use < 3; use++)
    expect((await api.get('/company/tasks?limit=3')).body).toMatchObject({ meta: { count: 3 } })
})
