import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/db.ts'
import { audit } from '../domain/audit.ts'
import type { ApiError } from '../domain/errors.ts'
import { pathOf } from './request.ts'

/** A denial is kept whatever became of the call's own transaction. */
export function auditDenied(db: Db, request: FastifyRequest, error: ApiError): Promise<void> {
  return record(db, request, { outcome: 'denied', status: error.status, reason: error.message })
}

/** Inside the write's own transaction: both happened or neither. */
export function auditAllowed(tx: Db, request: FastifyRequest, status: number): Promise<void> {
  return record(tx, request, { outcome: 'allowed', status, reason: 'Permitted.' })
}

async function record(
  db: Db,
  request: FastifyRequest,
  result: { outcome: 'denied' | 'allowed'; status: number; reason: string },
): Promise<void> {
  const { who, operation, method, id } = request
  // What the operator does to no company in particular is in the log.
  if (!who || who.company_id === null) return
  const { company_id, key_id, actor } = who
  await audit(db, { company_id, key_id, actor, operation, method, path: pathOf(request), request_id: id, ...result })
}
