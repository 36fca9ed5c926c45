import { Readable } from 'node:stream'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Language } from '../domain/languages.ts'
import { retold } from '../domain/sentences/retold.ts'
import { Raw } from '../http/endpoints/endpoint.ts'
import { orderBy } from '../http/requests/order.ts'
import { BYTE_ORDER_MARK, csvLine } from '../lib/csv.ts'
import { NEWEST_FIRST } from './audit-filters.ts'

const COLUMNS = [
  'id',
  'created_at',
  'outcome',
  'operation',
  'method',
  'path',
  'status',
  'reason',
  'actor',
  'by_kind',
  'by_id',
  'by_name',
  'target_type',
  'target_id',
  'target_name',
  'changes',
  'request_id',
  'count',
] as const

type Row = Record<(typeof COLUMNS)[number], unknown> & { id: number; at: string; reason: string }

/** The most entries in memory at a time, however many there are. */
const ROWS_AT_ONCE = 500

/**
 * All matching entries, newest first, in batches: each begins where the last one ended, and none holds a connection in between.
 */
export function auditCsv(db: Db, entries: Sql, language: Language): Raw {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="audit.csv"',
    'content-language': language,
    vary: 'accept, accept-language',
  }
  return new Raw(200, headers, Readable.from(linesOf(db, entries, language)))
}

async function* linesOf(db: Db, entries: Sql, language: Language): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([...COLUMNS])
  let last: Row | undefined
  do {
    const rows: Row[] = await db.many<Row>(sql`
      select a.id, a.created_at, a.created_at::text as at, a.outcome, a.operation, a.method, a.path, a.status, a.reason, a.actor,
        a.by_kind, a.by_id, a.by_name, a.target_type, a.target_id, a.target_name, a.changes, a.request_id, a.count
      from ${entries} ${last ? sql`and (a.created_at, a.id) < (${last.at}::timestamptz, ${last.id}::bigint)` : empty}
      order by ${orderBy(NEWEST_FIRST)} limit ${ROWS_AT_ONCE}`)
    const told = rows.map(row => ({ ...row, reason: retold(row.reason)[language] }))
    yield told.map(row => csvLine(COLUMNS.map(column => row[column]))).join('')
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
  } while (last)
}
