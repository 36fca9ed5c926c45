import { describe, expect, it } from 'vitest'
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
  for (let n = 0; n < 3; n++) await newTask(company, list.id)
  const task = await newTask(company, list.id)
  await newComment(company, `/tasks/${task.id}`)
  const discussion = await newDiscussion(company, project)
  await newComment(company, `/discussions/${discussion.id}`)
  await company.api.patch(`/tasks/${task.id}`, { title: 'Renamed' })
  await company.api.post(`/projects/${project}/folders`, { name: 'Plans' })
  await company.api.post('/events', { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' })
  await company.admin.post('/users', { name: 'x', email: 'x@example.com' })
  await signIn(app.diwan, { token: company.ownerToken })
  return company
}

async function closeLongAgo({ id }: TestCompany): Promise<void> {
  const { name } = (await app.diwan.operator.get(`/companies/${id}`)).body.data
  await app.diwan.operator.post(`/companies/${id}/close`, { name })
  await app.database.pool.query(`update companies set closed_at = now() - interval '30 days' where id = $1`, [id])
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

describe('A company that was closed for 30 days', () => {
  it('is removed too if it has moved to another cell, though nobody may change it', async () => {
    const company = await newCompany()
    const [key] = (await company.admin.get('/keys')).body.data
    await company.admin.post(`/keys/${key.id}/rotate`, {})
    await closeLongAgo(company)
    await app.database.pool.query(`update companies set moving = 'left', moved_to = 2 where id = $1`, [company.id])
    await removed(company)
    expect((await app.diwan.operator.get(`/companies/${company.id}`)).status).toBe(404)
  })

  it('is removed with every row and byte, and no other company loses any', async () => {
    const [company, other] = [await newCompany(), await newCompany()]
    const [rows, bytes] = [await rowsOf(other), await bytesOf(other)]
    expect(Object.keys(await rowsOf(company)).length).toBeGreaterThan(15)
    expect(await bytesOf(company)).not.toEqual([])
    await closeLongAgo(company)
    await removed(company)
    expect(await bytesOf(company)).toEqual([])
    expect((await app.diwan.operator.get(`/companies/${company.id}`)).status).toBe(404)
    expect(await app.diwan.operator.get(`/companies/${other.id}`)).toMatchObject({ status: 200 })
    expect([await lostSince(rows, other), await bytesOf(other)]).toEqual([[], bytes])
    const [entry] = (await app.diwan.operator.get(`/audit?target_id=${company.id}`)).body.data
    expect(entry).toMatchObject({ operation: 'companies:destructive', method: 'DELETE', by: { kind: 'operator' } })
    expect(entry.reason).toContain('30 days')
  })

  it('is removed by whoever comes next when the first was killed on the way', async () => {
    const company = await newCompany()
    await closeLongAgo(company)
    const killed = { ...app.blobs, removeAll: () => Promise.reject(new Error('killed')) }
    await expect(remove(killed)).rejects.toThrow('killed')
    expect((await app.diwan.operator.get(`/companies/${company.id}`)).status).toBe(200)
    await removed(company)
    expect(await bytesOf(company)).toEqual([])
  })

  it('is removed once by several workers at the same moment', async () => {
    const company = await newCompany()
    await closeLongAgo(company)
    await removed(company, () => Promise.all([remove(), remove(), remove()]))
    const { data } = (await app.diwan.operator.get(`/audit?target_id=${company.id}`)).body
    expect(data.filter(({ method }: { method: string }) => method === 'DELETE')).toHaveLength(1)
  })

  it('is removed however many rows it has', async () => {
    const company = await newCompany()
    await app.database.pool.query(
      `insert into calls_by_day (company_id, local_date, calls, last_granted)
       select $1, date '2020-01-01' + n, 1, 1 from generate_series(1, 1201) n`,
      [company.id],
    )
    await closeLongAgo(company)
    await removed(company)
  })

  it('is left alone a day before', async () => {
    const company = await newCompany()
    await closeLongAgo(company)
    await app.database.pool.query(`update companies set closed_at = closed_at + interval '1 day' where id = $1`, [
      company.id,
    ])
    const before = await rowsOf(company)
    await remove()
    expect(await lostSince(before, company)).toEqual([])
  })
})
