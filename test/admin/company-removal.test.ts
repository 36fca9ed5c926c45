import { expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { furnish } from '../support/furnished.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'

const app = useOwnApp()
const remove = (blobs = app.blobs) => doStep(app, 'closed_companies', blobs)

/**
 * What a node has counted of the last calls is written a few seconds later. Nobody has called for 30 days by then; here it may
 * come in between: then an attempt stops at the keys that are still referred to, and the next goes on.
 */
const removed = (company: TestCompany, attempt: () => Promise<unknown> = () => remove()) =>
  until(async () => {
    await attempt().catch(error => {
      if (error.constraint !== 'calls_by_key_company_id_key_id_fkey') throw error
    })
    return Object.keys(await rowsOf(company)).length === 0
  })

/** A company with rows in nearly every table. */
async function newCompany(): Promise<TestCompany> {
  const { company, named } = await furnish(app.diwan)
  const project = named.project as string
  const list = await newList(company, project)
  const task = await newTask(company, list.id)
  await newComment(company, `/tasks/${task.id}`)
  await newComment(company, `/discussions/${(await newDiscussion(company, project)).id}`)
  await company.api.post(`/projects/${project}/folders`, { name: 'Plans' })
  await company.api.post('/events', { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' })
  await company.admin.post('/users', { name: 'x', email: 'x@example.com' })
  await signIn(app.diwan, { token: company.ownerToken })
  return company
}

async function closeDaysAgo({ id }: TestCompany, days: number): Promise<void> {
  const { name } = (await app.diwan.operator.get(`/companies/${id}`)).body.data
  await app.diwan.operator.post(`/companies/${id}/close`, { name })
  await app.database.pool.query(`update companies set closed_at = now() - make_interval(days => $2) where id = $1`, [
    id,
    days,
  ])
}

/** How many rows each table has of a company; those that have none are left out. */
async function rowsOf({ id }: TestCompany): Promise<Record<string, number>> {
  const { rows: tables } = await app.database.pool.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await app.database.pool.query(`select count(*) as n from ${name} where company_id = $1`, [id])
    if (Number(rows[0].n) > 0) counts[name] = Number(rows[0].n)
  }
  return counts
}

/** The tables that have fewer rows than before. */
async function lostSince(before: Record<string, number>, company: TestCompany): Promise<string[]> {
  const now = await rowsOf(company)
  return Object.keys(before).filter(table => (now[table] ?? 0) < (before[table] as number))
}

async function bytesOf({ id }: TestCompany): Promise<string[]> {
  const digests: string[] = []
  for await (const { companyId, digest } of app.blobs.list()) if (companyId === id) digests.push(digest)
  return digests
}

const statusOf = async ({ id }: TestCompany) => (await app.diwan.operator.get(`/companies/${id}`)).status

it('A company that was closed for 30 days is removed with every row and byte, however many, and no other loses any', async () => {
  const [company, recent, other] = [await newCompany(), await newCompany(), await newCompany()]
  await app.database.pool.query(
    `insert into calls_by_day (company_id, local_date, calls, last_granted)
     select $1, date '2020-01-01' + n, 1, 1 from generate_series(1, 1201) n`,
    [company.id],
  )
  await closeDaysAgo(company, 30)
  await closeDaysAgo(recent, 29)
  const kept = [other, recent]
  const [rows, bytes] = [await Promise.all(kept.map(rowsOf)), await Promise.all(kept.map(bytesOf))]
  expect(Object.keys(await rowsOf(company)).length).toBeGreaterThan(15)
  expect([...bytes, await bytesOf(company)].filter(({ length }) => length === 0)).toEqual([])
  await removed(company)
  expect(await bytesOf(company)).toEqual([])
  expect(await Promise.all([company, other, recent].map(statusOf))).toEqual([404, 200, 200])
  for (const [n, each] of kept.entries())
    expect([await lostSince(rows[n] ?? {}, each), await bytesOf(each)]).toEqual([[], bytes[n]])
  const [entry] = (await app.diwan.operator.get(`/audit?target_id=${company.id}`)).body.data
  expect(entry).toMatchObject({ operation: 'companies:destructive', method: 'DELETE', by: { kind: 'operator' } })
  expect(entry.reason).toContain('30 days')
})

it('A company is removed once, by several workers at the same moment, when the first was killed on the way', async () => {
  const company = await newCompany()
  await closeDaysAgo(company, 30)
  const killed = { ...app.blobs, removeAll: () => Promise.reject(new Error('killed')) }
  await until(() =>
    remove(killed).then(
      () => true,
      error => error.message === 'killed',
    ),
  )
  expect(await statusOf(company)).toBe(200)
  await removed(company, () => Promise.all([remove(), remove(), remove()]))
  expect([await statusOf(company), await bytesOf(company)]).toEqual([404, []])
  const { data } = (await app.diwan.operator.get(`/audit?target_id=${company.id}`)).body
  expect(data.filter(({ method }: { method: string }) => method === 'DELETE')).toHaveLength(1)
})
