import sql, { join, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { Id, mustBe } from '../http/answers/schema.ts'
import { descending, orderBy } from '../http/requests/order.ts'
import { isWithin, readSpan, SpanFilters } from './filters.ts'
import type { AdminCall } from './gate.ts'
import { AuditOutcome, DoerKind } from './vocabulary.ts'

export const AuditFilters = {
  outcome: Type.Optional(AuditOutcome({ notBlank: true })),
  operation: Type.Optional(
    Type.String({
      notBlank: true,
      maxLength: 64,
      pattern: '^[a-z_]+:[a-z]+$',
      ...mustBe('an operation such as keys:write'),
      description: 'For example `keys:write`',
    }),
  ),
  by_kind: Type.Optional(DoerKind({ notBlank: true, description: 'Whether a key, a person or the operator did it' })),
  by_id: Type.Optional(Id({ description: 'The id of the key or person who did it' })),
  key_id: Type.Optional(Id({ description: 'The id of the key that did it' })),
  target_id: Type.Optional(
    Type.String({
      notBlank: true,
      maxLength: 64,
      ...mustBe('a ref or an id'),
      description: 'The ref or id of the record that was changed',
    }),
  ),
  ...SpanFilters,
}

type Filters = Type.Static<Type.TObject<typeof AuditFilters>>

export const NEWEST_FIRST = [descending(sql`a.created_at`, 'timestamptz'), descending(sql`a.id`)]

interface Filtered {
  /** What follows FROM. */
  entries: Sql
  /** The same for counting up to a bound: with ORDER BY where PostgreSQL would not use an index without it. */
  counted: Sql
}

export async function filteredEntries(call: AdminCall & { query: Filters }): Promise<Filtered> {
  const { companyId, query } = call
  const narrowing = narrowedBy(query)
  const span = isWithin(await readSpan(call), sql`a.created_at`)
  const conditions = [sql`a.company_id = ${companyId}`, ...narrowing, ...span]
  const entries = sql`audit_entries a where ${join(conditions, ' and ')}`
  return { entries, counted: narrowing.length > 0 ? entries : sql`${entries} order by ${orderBy(NEWEST_FIRST)}` }
}

function narrowedBy({ outcome, operation, by_kind, by_id, key_id, target_id }: Filters): Sql[] {
  const conditions: Sql[] = []
  if (outcome !== undefined) conditions.push(sql`a.outcome = ${outcome}`)
  if (operation !== undefined) conditions.push(sql`a.operation = ${operation}`)
  if (by_kind !== undefined) conditions.push(sql`a.by_kind = ${by_kind}`)
  if (by_id !== undefined) conditions.push(sql`a.by_id = ${by_id}`)
  if (key_id !== undefined) conditions.push(sql`a.by_kind = 'key' and a.by_id = ${key_id}`)
  if (target_id !== undefined) conditions.push(sql`a.target_id = ${target_id}`)
  return conditions
}
