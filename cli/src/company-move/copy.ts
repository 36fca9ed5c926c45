import { type Db, transactionOn } from '../../../src/db/db.ts'
import { insertRows, readRows } from '../../../src/db/rows.ts'
import { adoptForeignChanges, FOREIGN_CHANGES, makeRoomForForeignChanges } from '../../../src/domain/feed/restored.ts'
import { Failure } from '../frame/command.ts'
import type { Cells } from './cells.ts'
import { type MovedTable, movedTables, SAME_WRITING, sumOf } from './tables.ts'

/**
 * Copies every row of these companies into the target, in one transaction that compares the rows of each table before it commits:
 * a copy that is there is whole. To the target the company counts as closed until it is opened.
 */
export function copyRows({ source, target }: Cells, ids: number[]): Promise<number> {
  return source.database.withoutDeadline(from =>
    transactionOn(from, async reading => {
      await reading.raw('set transaction isolation level repeatable read, read only', [])
      return target.database.withoutDeadline(to => transactionOn(to, writing => copy(reading, writing, ids)))
    }),
  )
}

async function copy(reading: Db, writing: Db, ids: number[]): Promise<number> {
  await prepare(reading)
  await prepare(writing)
  // No trigger fires, and no foreign key is checked: the rows are those of a database in which all of them hold.
  await writing.raw('set local session_replication_role = replica', [])
  await makeRoomForForeignChanges(writing)
  const tables = await movedTables(reading, ids)
  for (const table of tables) {
    await copyTable(reading, writing, table)
    if (table.name === 'companies') await markArriving(writing, ids)
  }
  await adoptForeignChanges(writing, ids)
  await copyApps(reading, writing, ids)
  return verify(reading, writing, tables)
}

async function prepare(tx: Db): Promise<void> {
  for (const setting of SAME_WRITING.split(';')) await tx.raw(setting, [])
}

/** The next rows are read while these are written. */
async function copyTable(reading: Db, writing: Db, table: MovedTable): Promise<void> {
  const batches = readRows(reading, table)
  const into = table.name === 'changes' ? FOREIGN_CHANGES : table.at
  for (let next = batches.next(); ; ) {
    const { value: rows, done } = await next
    if (done) return
    next = batches.next()
    // Whoever awaits it gets the failure; until then it must not be an unhandled rejection.
    next.catch(() => {})
    await insertRows(writing, table, rows, into)
  }
}

async function markArriving(writing: Db, ids: number[]): Promise<void> {
  await writing.raw(
    `update companies set moving = 'arriving', moved_to = null, closed_at = now() where id = any ($1::bigint[])`,
    [ids],
  )
}

/** Apps belong to no company. Those that hold a credential of this one are known in both cells from now on. */
async function copyApps(reading: Db, writing: Db, ids: number[]): Promise<void> {
  const apps = await reading.raw<{ row: string }>(
    `select row_to_json(a)::text as row from app_clients a
     where a.id in (select c.client_id from app_credentials c where c.company_id = any ($1::bigint[]))`,
    [ids],
  )
  await writing.raw(
    `insert into app_clients select * from json_populate_recordset(null::app_clients, $1::json)
     on conflict (company_id, id) do update set granted_at = greatest(app_clients.granted_at, excluded.granted_at),
       expires_at = greatest(app_clients.expires_at, excluded.expires_at)`,
    [`[${apps.map(({ row }) => row).join(',')}]`],
  )
}

async function verify(reading: Db, writing: Db, tables: MovedTable[]): Promise<number> {
  let total = 0
  for (const table of tables) {
    const [was, is] = await Promise.all([sumOf(reading, table, 'source'), sumOf(writing, table, 'target')])
    if (was.rows !== is.rows || was.digest !== is.digest)
      throw new Failure(
        `The copy of the table ${table.name} is not the same (${was.rows} rows, ${is.rows} copied). Nothing was kept of it`,
      )
    total += was.rows
  }
  return total
}
