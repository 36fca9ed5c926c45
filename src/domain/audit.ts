import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'

export interface AuditEntry {
  company_id: number
  outcome: 'denied' | 'allowed'
  operation: string
  method: string
  path: string
  status: number
  reason: string
  key_id: number | null
  actor: string
  request_id: string
}

/** Denials of one credential that are kept one by one, in an hour of the clock. Those beyond are counted in one entry. */
const DENIALS_KEPT_PER_HOUR = 100

export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.run(sql`insert into audit_entries (${COLUMNS}) values (${valuesOf(entry)})`)
}

/**
 * Nobody can fill the audit by being refused. It is one statement, and those of one credential take turns at its row of
 * `denials`, so the count is exact however many nodes there are.
 */
export async function auditDenial(db: Db, credential: string, entry: AuditEntry): Promise<void> {
  await db.run(sql`
    with denied as (
      insert into denials (company_id, credential, hour, count)
      values (${entry.company_id}, ${credential}, date_trunc('hour', now()), 1)
      on conflict (company_id, credential) do update
      set hour = greatest(denials.hour, excluded.hour),
          count = case when denials.hour < excluded.hour then 1 else denials.count + 1 end
      returning company_id, credential, case when count > ${DENIALS_KEPT_PER_HOUR} then hour end as counted_hour
    )
    insert into audit_entries as a (${COLUMNS}, credential, counted_hour)
    select ${valuesOf(entry)}, denied.credential, denied.counted_hour from denied
    on conflict (company_id, credential, counted_hour) where counted_hour is not null do update set count = a.count + 1`)
}

const COLUMNS = sql`company_id, outcome, operation, method, path, status, reason, key_id, actor, request_id`

function valuesOf(entry: AuditEntry) {
  return sql`${entry.company_id}::bigint, ${entry.outcome}, ${entry.operation}, ${entry.method}, ${entry.path},
    ${entry.status}::integer, ${entry.reason}, ${entry.key_id}::bigint, ${entry.actor}, ${entry.request_id}`
}
