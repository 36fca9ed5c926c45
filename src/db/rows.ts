import type { Db } from './db.ts'

/** A table whose rows are carried from one database to another as text, one JSON object each. */
export interface Table {
  /** What it is called outside of the database. */
  name: string
  /** As SQL names it. */
  at: string
  /** Without those that PostgreSQL computes. */
  columns: string[]
  /** The condition on a row that is carried; without one, all are. */
  where?: string
}

/** What each database has of its own: which migrations it has seen, and what it finds out with whether it can write. */
const OF_THE_DATABASE = `'migrations', 'write_probe', 'durability_probe'`

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

function selection({ at, columns, where = 'true' }: Table): string {
  return `select ${columns.map(quoted).join(', ')} from ${at} where ${where}`
}

export async function countRows(db: Db, { at, where = 'true' }: Table): Promise<number> {
  const [counted] = await db.raw<{ rows: number }>(`select count(*) as rows from ${at} where ${where}`, [])
  return counted?.rows ?? 0
}

/** The rows of a table, some at a time. Inside a transaction, and one table at a time. */
export async function* readRows(db: Db, table: Table): AsyncGenerator<string[]> {
  const query = `select row_to_json(one)::text as row from (${selection(table)}) one`
  for await (const rows of readAll<{ row: string }>(db, query)) yield rows.map(({ row }) => row)
}

/** What a query finds, some at a time, however much it is. Inside a transaction, and one query at a time. */
export async function* readAll<T>(db: Db, query: string): AsyncGenerator<T[]> {
  await db.raw(`declare reading no scroll cursor for ${query}`, [])
  for (let rows: T[] = []; ; ) {
    rows = await db.raw<T>(`fetch ${ROWS_AT_ONCE} from reading`, [])
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) break
  }
  await db.raw('close reading', [])
}

/** Adds rows as they were read. */
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

interface Sequence {
  name: string
  last_value: number
  is_called: boolean
}

/** Where the numbers of each table have come to. Those that were given and not used are never given again. */
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
