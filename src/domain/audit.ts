import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { type KindWith, RECORD_KINDS, RECORDS } from './records/records.ts'

export const OUTCOMES = ['denied', 'allowed'] as const
export const DOER_KINDS = ['key', 'person', 'operator'] as const

/** Who did it, identified with certainty: a name alone can be anybody's. */
export type Doer =
  | { kind: 'key' | 'person'; id: number; name: string }
  | { kind: 'operator'; id: null; name: 'operator' }

const AUDITED_KINDS = RECORD_KINDS.filter((kind): kind is KindWith<{ isAudited: true }> => RECORDS[kind].isAudited)
export const TARGET_TYPES = [
  'company',
  'user',
  'token',
  'session',
  'sign_in_link',
  'key',
  'webhook',
  'calendar',
  ...AUDITED_KINDS,
] as const

/** What it was done to, with the name it had then. */
export interface Target {
  type: (typeof TARGET_TYPES)[number]
  /** The ref, or the number if it has no ref. */
  id: string | number
  name: string
}

/** The fields that an entry can mention. */
export const AUDIT_FIELDS = [
  'name',
  'email',
  'role',
  'can_manage_api_keys',
  'active',
  'language',
  'invitation',
  'time_zone',
  'second_calendar',
  'plan',
  'rest_api',
  'daily_calls',
  'subscription',
  'require_oidc',
  'access',
  'operations',
  'rights',
  'expires_at',
  'revoked_at',
  'created_by',
  'url',
  'kinds',
  'project',
  'secret',
  'deliveries',
  'credentials',
  'scan_state',
  'created_at',
  'closed_at',
  'deleted_at',
] as const
export type AuditField = (typeof AUDIT_FIELDS)[number]

/** The change of each field; null where values are not recorded. */
export type FieldChanges = Partial<Record<AuditField, { from: unknown; to: unknown } | null>>

/** What a write reports about itself. A write that changed nothing reports nothing. */
export interface AuditNote {
  target: Target
  changes?: FieldChanges
}

export interface AuditEntry extends Partial<AuditNote> {
  /** 0 if it concerns no company. */
  company_id: number
  outcome: (typeof OUTCOMES)[number]
  operation: string
  method: string
  path: string
  status: number
  reason: string
  by: Doer
  actor: string
  request_id: string
}

/** What people are allowed to do, and companies to use: the only fields whose values the audit records. */
const FIELDS_WITH_VALUES = new Set<AuditField>([
  'role',
  'can_manage_api_keys',
  'plan',
  'rest_api',
  'daily_calls',
  'subscription',
  'require_oidc',
  'time_zone',
  'rights',
  'operations',
  'access',
])

/** The fields that have changed; undefined when there are none. In a new record, all values were null before. */
export function changesBetween<T extends object>(
  before: T | undefined,
  after: T,
  fields: (keyof T & AuditField)[],
): FieldChanges | undefined {
  const changed = fields
    .map(field => ({ field, from: before?.[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => !isSame(from, to))
  if (changed.length === 0) return undefined
  return Object.fromEntries(
    changed.map(({ field, from, to }) => [field, FIELDS_WITH_VALUES.has(field) ? { from, to } : null]),
  )
}

/** Lists are compared as sets: rights and operations. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map(value => (Array.isArray(value) ? value.toSorted() : value))
  return JSON.stringify(a) === JSON.stringify(b)
}

/** How many denials of one credential are recorded one by one in a clock hour. Further ones are counted in one entry. */
const DENIALS_KEPT_PER_HOUR = 100

export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.run(sql`insert into audit_entries (${COLUMNS}) values (${valuesOf(entry)})`)
}

/**
 * Limits entries, so that nobody can fill the audit by being refused. It is one statement, and statements for one credential
 * take turns at its row of `denial_counts`, so the count is exact however many nodes there are.
 */
export async function auditDenial(db: Db, credential: string, entry: AuditEntry): Promise<void> {
  await db.run(sql`
    with denied as (
      insert into denial_counts (company_id, credential, hour, count)
      values (${entry.company_id}, ${credential}, date_trunc('hour', now()), 1)
      on conflict (company_id, credential) do update
      set hour = greatest(denial_counts.hour, excluded.hour),
          count = case when denial_counts.hour < excluded.hour then 1 else denial_counts.count + 1 end
      returning company_id, credential, case when count > ${DENIALS_KEPT_PER_HOUR} then hour end as counted_hour
    )
    insert into audit_entries as a (${COLUMNS}, credential, counted_hour)
    select ${valuesOf(entry)}, denied.credential, denied.counted_hour from denied
    on conflict (company_id, credential, counted_hour) where counted_hour is not null do update set count = a.count + 1`)
}

const COLUMNS = sql`company_id, outcome, operation, method, path, status, reason, by_kind, by_id, by_name, actor, target_type,
  target_id, target_name, changes, request_id`

function valuesOf({ by, target, changes = {}, ...entry }: AuditEntry): Sql {
  return sql`${entry.company_id}::bigint, ${entry.outcome}, ${entry.operation}, ${entry.method}, ${entry.path},
    ${entry.status}::integer, ${entry.reason}, ${by.kind}, ${by.id}::bigint, ${by.name}, ${entry.actor},
    ${target?.type ?? null}, ${target ? String(target.id) : null}, ${target?.name ?? null}, ${JSON.stringify(changes)}::jsonb, ${entry.request_id}`
}
