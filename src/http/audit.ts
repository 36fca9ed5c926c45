import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/db.ts'
import { type AuditEntry, audit, auditDenial } from '../domain/audit.ts'
import type { ApiError } from '../domain/errors.ts'
import { pathOf, type Who } from './request.ts'

/** A denial is kept whatever became of the call's own transaction. */
export async function auditDenied(db: Db, request: FastifyRequest, error: ApiError): Promise<void> {
  if (!isOfCompany(request.who)) return
  const entry = entryOf(request, request.who, { outcome: 'denied', status: error.status, reason: error.message })
  await auditDenial(db, request.who.credential, entry)
}

/** Inside the write's own transaction: both happened or neither. */
export async function auditAllowed(tx: Db, request: FastifyRequest, status: number): Promise<void> {
  if (!isOfCompany(request.who)) return
  await audit(tx, entryOf(request, request.who, { outcome: 'allowed', status, reason: 'Permitted.' }))
}

type WhoOfCompany = Who & { company_id: number }

/** What the operator does to no company in particular is in the log. */
function isOfCompany(who: Who | null): who is WhoOfCompany {
  return who !== null && who.company_id !== null
}

function entryOf(
  request: FastifyRequest,
  { company_id, key_id, actor }: WhoOfCompany,
  result: Pick<AuditEntry, 'outcome' | 'status' | 'reason'>,
): AuditEntry {
  const { operation, method, id } = request
  return { company_id, key_id, actor, operation, method, path: pathOf(request), request_id: id, ...result }
}
