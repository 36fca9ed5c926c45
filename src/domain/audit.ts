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

export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.run(sql`
    insert into audit_entries (company_id, outcome, operation, method, path, status, reason, key_id, actor, request_id)
    values (${entry.company_id}, ${entry.outcome}, ${entry.operation}, ${entry.method}, ${entry.path}, ${entry.status},
            ${entry.reason}, ${entry.key_id}, ${entry.actor}, ${entry.request_id})`)
}
