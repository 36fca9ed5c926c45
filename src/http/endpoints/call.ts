import type { Db, Signer } from '../../db/db.ts'
import type { Replica } from '../../db/replica.ts'
import type { AuditNote } from '../../domain/audit.ts'
import type { Request } from '../requests/request.ts'
import type { BaseCall, Holds, Services } from './endpoint.ts'
import type { Gate } from './gate.ts'

/** What the server provides for every call. */
export interface CallParts {
  db: Db
  replica?: Replica | undefined
  services: Services
  /** The URL at which callers reach the server, if it differs from the one that their requests name. */
  publicUrl: string | undefined
}

/** What the gate found out. The cast holds because each route has called its own gate in `onRequest`. */
export function admittedBy<Admitted extends object>(_gate: Gate<Admitted, never>, request: Request): Admitted {
  return request.admitted as Admitted
}

/** The database on behalf of the caller's company. */
export function databaseOf<Admitted extends object>(
  { db }: CallParts,
  gate: Gate<Admitted, never>,
  request: Request,
): Db {
  return db.onBehalfOf(gate.companyOf(admittedBy(gate, request)), signerOf(request))
}

/** The same, for reads that a replica may answer where there is one, and where the gate knows what it must have replayed. */
export function replicaOf<Admitted extends object>(
  parts: CallParts,
  gate: Gate<Admitted, never>,
  request: Request,
): Db {
  const db = databaseOf(parts, gate, request)
  if (!parts.replica || request.position === undefined) return db
  return parts.replica.reading(db, gate.companyOf(admittedBy(gate, request)), request.position)
}

function signerOf({ who }: Request): Signer | undefined {
  return who ? { actor: who.actor, keyId: who.by.kind === 'key' ? who.by.id : null } : undefined
}

/** Uses `Object.assign` because spreading an object with this many fields takes ten times as long, and every call makes one. */
export function callOf<Admitted extends object>(
  { services }: CallParts,
  gate: Gate<Admitted, never>,
  request: Request,
  db: Db,
  holds: Holds,
  notes: AuditNote[] = [],
): BaseCall & Admitted {
  const admitted = admittedBy(gate, request)
  const { params, headers } = request
  const audit = (note: AuditNote) => void notes.push(note)
  const own = { db, holds, isReadOnly: gate.isReadOnly(admitted), params, headers, audit }
  return Object.assign(own, services, admitted)
}
