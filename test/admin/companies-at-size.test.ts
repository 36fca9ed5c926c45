// @module-tag long

import assert from 'node:assert'
import { expect, it } from 'vitest'
import { listCompanies } from '../../src/admin/company-list.ts'
import type { AdminCall } from '../../src/admin/gate.ts'
import type { Db } from '../../src/db/db.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
import { useOwnApp } from '../support/app.ts'
import { type Plan, planOf } from '../support/plans.ts'

const app = useOwnApp()

/** How many rows of each table the database looks at for a page, by the plan that the server makes once for all values. */
async function rowsRead(query: Record<string, string>): Promise<Record<string, number>> {
  const read: Record<string, number> = {}
  const add = (plan: Plan): void => {
    const table = plan['Relation Name']
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    if (table) read[table] = (read[table] ?? 0) + rows
    for (const below of plan.Plans ?? []) add(below)
  }
  const explained: Pick<Db, 'many'> = {
    async many(statement) {
      add(await planOf(app.database.pool, statement))
      return app.database.db.many(statement)
    },
  }
  assert(listCompanies.method === 'GET')
  const own = { params: {}, readCursor: createCursors('x'), cell: null, askOtherCells: async () => new Map() }
  await listCompanies.read({ db: explained, ...own } as unknown as AdminCall, query)
  return read
}

it('A page of ten thousand companies reads people, keys and calls of its own alone, and next to nothing when none is found', async () => {
  for (const statement of [
    `insert into companies (name, time_zone, plan)
     select 'شَرِكة الرِّياض ' || n, 'Asia/Riyadh', 'pro' from generate_series(1, 10000) n`,
    `insert into users (company_id, name, email, role) select id, 'Layla Haddad', 'layla@example.com', 'owner' from companies`,
    `insert into api_keys (company_id, name, digest, last_four, access, operations, rights, created_by)
     select company_id, 'Reporting', int8send(id), 'k7Qp', 'read', '{}', '{}', id from users`,
    `insert into calls_by_day (company_id, local_date, calls, last_granted) select id, '2020-01-01', 99, 1 from companies`,
    'vacuum analyze',
  ])
    await app.database.pool.query(statement)
  const { users = 0, api_keys = 0, calls_by_day = 0 } = await rowsRead({ limit: '50', offset: '9900' })
  expect(Math.max(users, api_keys, calls_by_day)).toBeLessThanOrEqual(60)
  expect((await rowsRead({ q: 'zzzzzz' })).companies ?? 0).toBeLessThan(20)
}, 300_000)
