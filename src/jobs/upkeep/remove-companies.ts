import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { LOCKS, takeLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/db.ts'
import { audit } from '../../domain/audit.ts'
import { say } from '../../domain/sentences/sentences.ts'
import { isPastReopening, KEPT_CLOSED_DAYS } from '../../domain/upkeep/closed-companies.ts'
import type { WorkerParts } from '../parts.ts'

type RemovalParts = Pick<WorkerParts, 'db' | 'blobs' | 'log'>

/** How many rows one transaction removes: it takes milliseconds, however much there is to remove. */
const AT_ONCE = 500

/**
 * Removes companies that were closed too long ago to be reopened: first their rows, table by table, then their bytes, and the
 * companies themselves last. What was removed stays removed; after a kill the next attempt continues from there. A company that
 * cannot be removed does not keep the others from it.
 */
export async function* removeClosedCompanies(parts: RemovalParts): AsyncGenerator<number> {
  const { db, log } = parts
  // Sandboxes first, since they refer to their companies: nulls come last.
  const closed = await db.many<{ id: number }>(
    sql`select c.id from companies c where ${isPastReopening} order by c.sandbox_of, c.id`,
  )
  if (closed.length === 0) return
  const tables = await tablesChildrenFirst(db)
  let failure: unknown
  for (const { id } of closed) {
    try {
      yield* remove(parts, id, tables)
    } catch (error) {
      log.warn({ err: error, company: id }, 'A closed company could not be removed')
      failure ??= error
    }
  }
  if (failure) throw failure
}

async function* remove({ db, blobs, log }: RemovalParts, id: number, tables: string[]): AsyncGenerator<number> {
  for (const table of tables) {
    for (let removed = AT_ONCE; removed === AT_ONCE; ) {
      removed = await removeSome(db, table, id)
      yield removed
    }
  }
  await blobs.removeAll(id)
  if (await removeCompany(db, id)) log.info({ company: id }, 'A closed company was removed')
}

/**
 * Every table with a company, each before those that it refers to; those without references come last, because removing other
 * rows writes into the feed. The database is asked for them, so that no table is ever forgotten.
 */
async function tablesChildrenFirst(db: Db): Promise<string[]> {
  const tables = await db.many<{ name: string; refers_to: string[] }>(sql`
    select c.relname as name, array(
      select distinct k.confrelid::regclass::text from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid not in (c.oid, 'companies'::regclass)) as refers_to
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`)
  const ordered: string[] = []
  for (let rest = tables; rest.length > 0; ) {
    const free = rest.filter(({ name }) => !rest.some(other => other.refers_to.includes(name)))
    if (free.length === 0)
      throw new Error(`These tables refer to each other: ${rest.map(({ name }) => name).join(', ')}`)
    ordered.push(...free.map(({ name }) => name))
    rest = rest.filter(table => !free.includes(table))
  }
  const isAlone = (name: string) =>
    !tables.some(table => (table.name === name && table.refers_to.length > 0) || table.refers_to.includes(name))
  return [...ordered.filter(name => !isAlone(name)), ...ordered.filter(isAlone)]
}

function removeSome(db: Db, table: string, companyId: number): Promise<number> {
  return db.onBehalfOf(companyId).transaction(async tx => {
    await takeLock(tx, LOCKS.removalOf(companyId))
    await lookUpByIndex(tx)
    return tx.run(sql`
      delete from ${raw(table)} where company_id = ${companyId} and ctid = any (array(
        select ctid from ${raw(table)} where company_id = ${companyId} limit ${AT_ONCE}))`)
  })
}

/**
 * Every table that may refer to a removed row is checked for it. If a company has nothing left there, only an index makes that
 * fast.
 */
async function lookUpByIndex(tx: Db): Promise<void> {
  await tx.run(sql`
    select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`)
}

/** False when another worker was faster. */
function removeCompany(db: Db, id: number): Promise<boolean> {
  return db.transaction(async tx => {
    await lookUpByIndex(tx)
    const removed = await tx.maybe<{ name: string }>(
      sql`delete from companies c where c.id = ${id} and ${isPastReopening} returning c.name`,
    )
    if (!removed) return false
    // There is no caller: it is recorded as an action of the operator's service.
    await audit(tx, {
      company_id: 0,
      outcome: 'allowed',
      operation: 'companies:destructive',
      method: 'DELETE',
      path: `/admin/v1/companies/${id}`,
      status: 200,
      reason: say('Removed by Diwan: it was closed for {days} days.', { days: KEPT_CLOSED_DAYS }).en,
      by: { kind: 'operator', id: null, name: 'operator' },
      actor: 'operator',
      target: { type: 'company', id, name: removed.name },
      request_id: randomUUID(),
    })
    return true
  })
}
