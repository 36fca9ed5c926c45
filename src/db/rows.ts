import { humanSize } from '../lib/size.ts'
import type { Db } from './db.ts'

/** A table whose rows are carried from one database to another as text, one JSON object each. */
export interface Table {
  /** Its name outside of the database. */
  name: string
  /** Its name as an SQL identifier. */
  at: string
  /** Without generated columns. */
  columns: string[]
  /** Which rows are carried; all if there is no condition. */
  where?: string
}

/** Tables that each database keeps for itself: its migrations, its upkeep, its secret, and those that check whether it can write. */
const OF_THE_DATABASE = `'migrations', 'upkeep', 'server_secret_mark', 'write_probe', 'durability_probe'`

/** The tables that the migrations have made. */
export function listTables(db: Db): Promise<Table[]> {
  return db.raw<Table>(
    `select c.relname as name, quote_ident(c.relname) as at, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in (${OF_THE_DATABASE})
     order by c.relname`,
    [],
  )
}

const ROWS_AT_ONCE = 250
/** A row with more text than this is read by itself, so that a batch stays small whatever the rows are. */
const LARGE_BYTES = 64 * 1024
/** A little less than the longest string of Node.js. The rows that the program itself writes have a tenth of it at most. */
const LARGEST_ROW_BYTES = 512 * 1024 ** 2 - 1024

/** A row that cannot be carried at all. */
export class RowTooLarge extends Error {}

export async function countRows(db: Db, { at, where = 'true' }: Table): Promise<number> {
  const [counted] = await db.raw<{ rows: number }>(`select count(*) as rows from ${at} where ${where}`, [])
  return counted?.rows ?? 0
}

interface Place {
  table: string
  row: string
  bytes: number
}

/**
 * The rows of a table, in batches of a few megabytes; a row that has more comes alone. Must run inside a transaction that sees
 * one moment, for one table at a time.
 */
export async function* readRows(db: Db, table: Table): AsyncGenerator<string[]> {
  // Without the offset, PostgreSQL would write each row as text several times.
  const query = `
    select case when octet_length(row) <= ${LARGE_BYTES} then row end as row, case when octet_length(row) > ${LARGE_BYTES}
      then json_build_object('table', tableoid::text, 'row', ctid::text, 'bytes', octet_length(row)) end as place
    from (${rowsAsText(table)} offset 0) as_text`
  for await (const rows of readAll<{ row: string | null; place: Place | null }>(db, query)) {
    let batch: string[] = []
    for (const { row, place } of rows) {
      if (row !== null) batch.push(row)
      if (place === null) continue
      if (batch.length > 0) yield batch
      batch = []
      yield [await readRow(db, table, place)]
    }
    if (batch.length > 0) yield batch
  }
}

function rowsAsText({ at, columns, where = 'true' }: Table): string {
  const own = columns.map(name => `own.${quoted(name)}`).join(', ')
  return `select own.tableoid, own.ctid, row_to_json(one)::text as row
          from (select tableoid, ctid, * from ${at} where ${where}) own cross join lateral (select ${own}) one`
}

/** A table in partitions has several rows at one place. */
async function readRow(db: Db, table: Table, { table: partition, row, bytes }: Place): Promise<string> {
  if (bytes > LARGEST_ROW_BYTES)
    throw new RowTooLarge(`A row of the table ${table.name} has ${humanSize(bytes)}, which is more than can be copied`)
  const [read] = await db.raw<{ row: string }>(
    `${rowsAsText(table)} where own.ctid = $1::tid and own.tableoid = $2::oid`,
    [row, partition],
  )
  if (!read) throw new Error(`A row of the table ${table.name} was gone while it was read`)
  return read.row
}

/** The rows of a query of any size, in batches. Must run inside a transaction, for one query at a time. */
export async function* readAll<T>(db: Db, query: string): AsyncGenerator<T[]> {
  await db.raw(`declare reading no scroll cursor for ${query}`, [])
  for (let rows: T[] = []; ; ) {
    rows = await db.raw<T>(`fetch ${ROWS_AT_ONCE} from reading`, [])
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) break
  }
  await db.raw('close reading', [])
}

/** Inserts rows as they were read. */
export async function insertRows(db: Db, { at, columns }: Table, rows: string[], into = at): Promise<void> {
  const names = columns.map(quoted).join(', ')
  await db.raw(
    `insert into ${into} (${names}) overriding system value
     select ${names} from json_populate_recordset(null::${at}, $1::json)`,
    [`[${rows.join(',')}]`],
  )
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export interface Sequence {
  name: string
  last_value: number
  /** Whether that number was given out, or is the next. */
  is_called: boolean
}

/** The current values of all sequences, so that no number is given out twice, even if it was not used. */
export async function readSequences(db: Db): Promise<Sequence[]> {
  const sequences = await db.raw<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by c.relname`,
    [],
  )
  const read: Sequence[] = []
  for (const { name } of sequences) {
    const [values] = await db.raw<Omit<Sequence, 'name'>>(`select last_value, is_called from ${quoted(name)}`, [])
    if (values) read.push({ name, ...values })
  }
  return read
}

export async function continueSequences(db: Db, sequences: Sequence[]): Promise<void> {
  for (const { name, last_value, is_called } of sequences)
    await db.raw('select setval($1::regclass, $2, $3)', [`public.${quoted(name)}`, last_value, is_called])
}
