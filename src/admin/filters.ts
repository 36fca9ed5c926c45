import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { readWindow } from '../api/event-times.ts'
import { toTimestamp } from '../db/instants.ts'
import { companyZone } from '../domain/company-zone.ts'
import { unprocessable } from '../domain/errors.ts'
import type { AdminCall } from './gate.ts'

// Filters of lists. One that cannot be parsed is refused: without it the answer would be about something else.

export const SpanFilters = {
  from: Type.Optional(Type.String({ description: 'ISO 8601 date or time, included' })),
  to: Type.Optional(Type.String({ description: 'ISO 8601 date or time, included' })),
}

/** Refuses a filter that is given but blank. */
export function requireNoBlank(filters: object, query: object): void {
  const sent = new Map<string, unknown>(Object.entries(query))
  const blank = Object.keys(filters).find(name => isBlank(sent.get(name)))
  if (blank) throw unprocessable(blank, "can't be blank")
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

export function oneOf(field: string, values: readonly string[], text: string): string {
  if (!values.includes(text)) throw unprocessable(field, `must be one of ${values.join(', ')}`)
  return text
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
  const span = readWindow(await companyZone(db, companyId), { ...bounds, include_past: true })
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
