import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { type AuditEntry, type AuditNote, audit, auditDenial } from '../../domain/audit.ts'
import type { ApiError } from '../../domain/errors.ts'
import { wordsOf } from '../../domain/sentences/sentences.ts'
import { pathOf, type Who } from '../requests/request.ts'

/** A denial is recorded even when the call's own transaction is rolled back. */
export async function auditDenied(db: Db, request: FastifyRequest, error: ApiError): Promise<void> {
  const { who } = request
  if (!who) return
  const result = { outcome: 'denied', status: error.status, reason: error.message } as const
  await auditDenial(db, who.credential, entryOf(request, who, result))
}

/** Runs inside the write's own transaction, so that both happen or neither. Each thing that was changed has an entry. */
export async function auditAllowed(tx: Db, request: FastifyRequest, status: number, notes: AuditNote[]): Promise<void> {
  for (const note of notes) {
    const result = { outcome: 'allowed', status, reason: wordsOf('Permitted.').en, ...note } as const
    await audit(tx, entryOf(request, request.who as Who, result))
  }
}

type Result = Pick<AuditEntry, 'outcome' | 'status' | 'reason'> & Partial<AuditNote>

function entryOf(request: FastifyRequest, { company_id, by, actor }: Who, result: Result): AuditEntry {
  const { operation, method, id } = request
  return { company_id: company_id ?? 0, by, actor, operation, method, path: pathOf(request), request_id: id, ...result }
}
