import type { Db } from '../../../src/db/db.ts'
import { signalJobsOf } from '../../../src/domain/upkeep/stored-jobs.ts'
import { auditCommand } from '../local/own-database.ts'
import type { Cells } from './cells.ts'
import { changeState } from './state.ts'

const COUNTED = {
  calls_by_day: ['company_id', 'local_date'],
  calls_by_hour: ['company_id', 'local_date', 'hour'],
  calls_by_key: ['company_id', 'local_date', 'key_id', 'operation', 'status'],
}

/** From here on the company is closed in the source, and removed there in 30 days. */
export async function leave({ source: { db }, cell }: Cells, id: number, name: string): Promise<void> {
  await db.transaction(async tx => {
    await changeState(tx, id, 'leaving', { moving: 'left', moved_to: cell })
    await auditMove(tx, id, name)
  })
}

/**
 * The target serves the company from here on. Calls that read it while it was copied were counted in the source, which counts no
 * more: the target goes on from there.
 */
export async function open({ source, target }: Cells, id: number, ids: number[], name: string): Promise<void> {
  const counts = await Promise.all(
    Object.keys(COUNTED).map(async table => ({ table, rows: await lastDays(source.db, table, ids) })),
  )
  await target.db.transaction(async tx => {
    for (const { table, rows } of counts) await goOnCounting(tx, table as keyof typeof COUNTED, rows)
    await changeState(tx, id, 'arriving', { moving: null, moved_to: null })
    await auditMove(tx, id, name)
  })
  await signalJobsOf(target.db, ids)
}

function lastDays(db: Db, table: string, ids: number[]): Promise<{ row: string }[]> {
  return db.raw<{ row: string }>(
    `select row_to_json(one)::text as row from ${table} one
     where company_id = any ($1::bigint[]) and local_date > current_date - 3`,
    [ids],
  )
}

async function goOnCounting(tx: Db, table: keyof typeof COUNTED, rows: { row: string }[]): Promise<void> {
  const more = table === 'calls_by_day' ? ', last_granted = excluded.last_granted, allowance = excluded.allowance' : ''
  await tx.raw(
    `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)
     on conflict (${COUNTED[table].join(', ')}) do update set calls = excluded.calls${more}`,
    [`[${rows.map(({ row }) => row).join(',')}]`],
  )
}

function auditMove(tx: Db, id: number, name: string): Promise<void> {
  return auditCommand(tx, `company move ${id}`, 'companies:write', { target: { type: 'company', id, name } })
}
