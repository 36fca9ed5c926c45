// @module-tag long

import assert from 'node:assert'
import sql, { raw, type Sql } from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { generate } from '../../cli/src/local/generated-data.ts'
import { listCompanyTasks } from '../../src/api/company-tasks.ts'
import type { Call } from '../../src/api/gate.ts'
import type { Db } from '../../src/db/db.ts'
import { preparedStatements } from '../../src/db/prepared-statements.ts'
import { createMint } from '../../src/domain/access/credentials.ts'
import { addKey } from '../../src/domain/access/keyring.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
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

const EITHER = (parameter: string) => ['', parameter]
/** The values of each filter of tasks, of which any may be combined. */
const FILTERS = [
  ['created', '-created', 'due', '-due', 'updated', '-updated'].map(sort => `sort=${sort}`),
  ['', 'assignee_email=a@x.test', 'assignee_email=a@x.test&assignee_email=b@x.test'],
  EITHER('unassigned=true'),
  ['', 'completed=true', 'completed=false'],
  EITHER('due_from=2026-01-01'),
  EITHER('due_to=2026-12-31'),
  EITHER('overdue=true'),
  EITHER('updated_since=2026-01-01'),
  EITHER('completed_since=2026-01-01'),
  EITHER('metadata[stage]=review&metadata[crm]=7'),
]
const combined = (filters: string[][]): string[] =>
  filters.reduce((queries, values) => queries.flatMap(query => values.map(value => `${query}&${value}`)), [''])

/** A query for each text that the combinations of the filters have, and how many combinations there are. */
async function oneForEachText() {
  const queries = combined(FILTERS)
  const byText = new Map<string, string>()
  for (const query of queries) {
    const db: Pick<Db, 'many'> = {
      async many<T>({ text }: Sql) {
        byText.set(text, query)
        return [{ page_total: 0 }] as T[]
      },
    }
    const call = {
      db,
      company: { id: 1, time_zone: 'Asia/Riyadh' },
      sight: 'company',
      params: {},
      readCursor: createCursors('x'),
    } as Call
    assert(listCompanyTasks.method === 'GET')
    await listCompanyTasks.read(call, parsed(query))
  }
  return { combinations: queries.length, queries: [...byText.values()] }
}

function parsed(query: string): Record<string, string | string[]> {
  const all = new URLSearchParams(query)
  return Object.fromEntries([...all.keys()].map(name => [name, all.getAll(name)]))
}

/** What the session that the statements of this test share has prepared, as the database sees it. */
async function kept(): Promise<{ statements: number; bytes: number }> {
  return app.database.db.one(sql`
    select (select count(*) from pg_prepared_statements where name like 'diwan%') as statements,
      (select sum(total_bytes) from pg_backend_memory_contexts where name like 'CachedPlan%')::float8 as bytes`)
}

const MEGABYTE = 1024 * 1024

it('The texts for all combinations of filters are few, and take no more than 40 MB prepared', {
  timeout: 180_000,
}, async () => {
  const { combinations, queries } = await oneForEachText()
  expect(combinations).toBe(6_912)
  expect(queries.length).toBeLessThanOrEqual(92)
  const before = await kept()
  for (let use = 0; use < 2; use++)
    for (const query of queries) expect((await api.get(`/company/tasks?limit=1${query}`)).status).toBe(200)
  expect(((await kept()).bytes - before.bytes) / MEGABYTE).toBeLessThan(40)
})

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
