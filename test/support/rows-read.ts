import type { Db } from '../../src/db/db.ts'
import type { Database } from '../../src/db/postgres.ts'

/** How many rows and index entries were read so far, by the name of the table or index. With two connections at most. */
async function readSoFar({ db, pool }: Database): Promise<Map<string, number>> {
  await onEveryConnection(db, 'select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ name: string; read: number }>(`
    select indexrelname::text as name, idx_tup_read::int as read from pg_stat_user_indexes
    union all select relname::text, seq_tup_read::int from pg_stat_user_tables`)
  return new Map(rows.map(({ name, read }) => [name, read]))
}

/** One of two connections is for single statements, and the other for transactions. */
async function onEveryConnection(db: Db, statement: string): Promise<void> {
  await Promise.all([db.raw(statement, []), db.transaction(tx => tx.raw(statement, []))])
}

/** From now on every statement is planned again, for the tables as they are. */
export function forgetPlans({ db }: Database): Promise<void> {
  return onEveryConnection(db, 'discard plans')
}

/** The rows that some work reads, and where most of them are: the names of tables and indexes. */
export async function rowsReadBy(database: Database, work: () => Promise<unknown>) {
  const before = await readSoFar(database)
  await work()
  const read = [...(await readSoFar(database))].map(([name, rows]) => ({ name, rows: rows - (before.get(name) ?? 0) }))
  return {
    rows: read.reduce((sum, { rows }) => sum + rows, 0),
    mostlyFrom: read
      .filter(({ rows }) => rows > 0)
      .sort((a, b) => b.rows - a.rows)
      .slice(0, 3)
      .map(({ name }) => name),
  }
}
