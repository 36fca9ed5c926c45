import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { readPeriod } from '../api/event-times.ts'
import { toTimestamp } from '../db/instants.ts'
import { companyZone } from '../domain/time/company-zone.ts'
import { HijriFilters } from '../http/answers/hijri.ts'
import type { AdminCall } from './gate.ts'

export const SpanFilters = {
  from: Type.Optional(Type.String({ notBlank: true, description: 'ISO 8601 date or time, included' })),
  to: Type.Optional(Type.String({ notBlank: true, description: 'ISO 8601 date or time, included' })),
  ...HijriFilters('from', 'to'),
}

/** A span from one time on and before another; null means no bound. */
export interface Span {
  from: string | null
  before: string | null
}

/** Reads `from` and `to`. A date is a day in the company zone or, without a company, in UTC. */
export async function readSpan({
  db,
  companyId,
  query: { from, to },
}: AdminCall & { query: { from?: string; to?: string } }): Promise<Span> {
  if (from === undefined && to === undefined) return { from: null, before: null }
  const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const span = readPeriod(await companyZone(db, companyId), { ...bounds, include_past: true })
  return { from: timestampOf(span.from), before: timestampOf(span.before) }
}

function timestampOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms)
}

/** The conditions that a time is within a span. */
export function isWithin({ from, before }: Span, time: Sql): Sql[] {
  return [
    ...(from === null ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(before === null ? [] : [sql`${time} < ${before}::timestamptz`]),
  ]
}
