import assert from 'node:assert'
import { beforeAll, describe, expect, it } from 'vitest'
import { listCompanies } from '../../src/admin/company-list.ts'
import type { AdminCall } from '../../src/admin/gate.ts'
import type { Db } from '../../src/db/db.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
import { useOwnApp } from '../support/app.ts'
import { type Plan, planOf } from '../support/plans.ts'

const COMPANIES = 10_000

let statements = 0
const app = useOwnApp({
  onStatement: () => {
    statements += 1
  },
})

/** Every hundredth is in Riyadh, in one of two spellings, and every tenth is on another plan. */
beforeAll(async () => {
  await app.database.pool.query(
    `insert into companies (name, time_zone, plan)
     select case when n % 200 = 0 then 'شركة الرياض ' when n % 100 = 0 then 'شَرِكة الرِّياض ' else 'Company ' end || n,
       'Asia/Riyadh', case when n % 10 = 0 then 'pro' else 'free' end
     from generate_series(1, ${COMPANIES}) n`,
  )
  await app.database.pool.query(
    `insert into users (company_id, name, email, role) select id, 'Layla Haddad', 'layla@example.com', 'owner' from companies`,
  )
  await app.database.pool.query(
    `insert into api_keys (company_id, name, digest, last_four, access, operations, rights, created_by)
     select company_id, 'Reporting', int8send(id), 'k7Qp', 'read', '{}', '{}', id from users`,
  )
  await app.database.pool.query(
    `insert into calls_by_day (company_id, local_date, calls, last_granted) select id, '2020-01-01', 99, 1 from companies`,
  )
  await app.database.pool.query('vacuum analyze')
}, 300_000)

const search = async (query: string) => {
  statements = 0
  const { status, body } = await app.diwan.operator.get(`/companies?${query}`)
  expect(status).toBe(200)
  return { ...body, statements }
}

describe('Ten thousand companies', () => {
  it.each([
    ['limit=100', COMPANIES],
    ['limit=100&offset=9900', COMPANIES],
    [`limit=100&q=${encodeURIComponent('الرياض')}`, 100],
    [`q=${encodeURIComponent('شركه')}`, 100],
    ['q=company 77', 110],
    ['q=9999', 1],
    ['q=no such company', 0],
    ['plan=pro', 1_000],
    [`plan=pro&q=${encodeURIComponent('رياض')}`, 100],
    ['plan=gold', 0],
  ])('are found by "%s" in one statement: %i', async (query, total) => {
    const { meta, data, statements } = await search(query.replaceAll(' ', '%20'))
    expect([meta.total, statements]).toEqual([total, 1])
    expect(data.length).toBe(Math.min(total, meta.limit))
  })

  it('are told apart by whether they are closed', async () => {
    const { data } = await search('limit=1')
    await app.diwan.operator.post(`/companies/${data[0].id}/close`, { name: data[0].name })
    expect((await search('closed=true')).data).toMatchObject([{ id: data[0].id }])
    expect((await search('closed=false')).meta.total).toBe((await search('')).meta.total - 1)
    await app.diwan.operator.post(`/companies/${data[0].id}/reopen`)
    expect((await search('closed=true')).data).toEqual([])
  })

  it('are found by id too, in any digits', async () => {
    const { data } = await search('limit=3')
    const [, { id }] = data
    for (const q of [String(id), String(id).replace(/\d/g, digit => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] as string)]) {
      const found = await search(`q=${encodeURIComponent(q)}`)
      expect(found.data.map((company: { id: number }) => company.id)).toContain(id)
    }
  })

  it('are paged by cursor, each once', async () => {
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, meta } = await search(`plan=pro&limit=100${cursor && `&cursor=${cursor}`}`)
      seen.push(...data.map((company: { id: number }) => company.id))
      cursor = meta.next_cursor
    }
    expect(seen).toHaveLength(1_000)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  })

  it('show their keys and the calls of today, and follow a new name', async () => {
    const company = await app.diwan.company({ name: 'مؤسسة النخيل' })
    for (let n = 0; n < 3; n++) await company.api.get('/me')
    await app.diwan.key(company.id)
    await app.database.pool.query(
      `insert into calls_by_day (company_id, local_date, calls, last_granted) values ($1, '2020-01-01', 99, 1)`,
      [company.id],
    )
    const found = await search(`q=${encodeURIComponent('موسسه النخيل')}`)
    expect(found.data).toMatchObject([{ id: company.id, keys_count: 2, calls_today: 3 }])
    await company.admin.patch('', { name: 'Palm' })
    expect((await search(`q=${encodeURIComponent('النخيل')}`)).meta.total).toBe(0)
    expect((await search('q=palm')).data).toMatchObject([{ id: company.id }])
  })
})

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
  const call = {
    db: explained,
    params: {},
    readCursor: createCursors('x'),
    cell: null,
    askOtherCells: async () => new Map(),
  }
  await listCompanies.read(call as unknown as AdminCall, query)
  return read
}

describe('A page of companies reads', () => {
  it('people, keys and calls of its own companies alone, wherever it is', async () => {
    const { users = 0, api_keys = 0, calls_by_day = 0 } = await rowsRead({ limit: '50', offset: '9900' })
    expect(Math.max(users, api_keys, calls_by_day)).toBeLessThanOrEqual(60)
  })

  it('next to nothing when no name has the word', async () => {
    const { companies = 0 } = await rowsRead({ q: 'zzzzzz' })
    expect(companies).toBeLessThan(20)
  })
})
