import sql, { empty, type Sql } from 'sql-template-tag'
import { type Call, requirePlan } from '../api/gate.ts'
import type { Db } from '../db/db.ts'
import { POSITION } from '../db/positions.ts'
import type { Database } from '../db/postgres.ts'
import type { AdminOperation } from '../domain/access/admin-operations.ts'
import type { ApiKey, Caller, Company } from '../domain/access/caller.ts'
import { isDestructive, OPERATIONS, type Operation, RIGHTS, type Right } from '../domain/access/operations.ts'
import { orNotFound } from '../domain/errors.ts'
import { declareFor, type Endpoint } from '../http/endpoints/declare.ts'
import type { Gate } from '../http/endpoints/gate.ts'
import { type Admission, type Audience, requireWho, type Signed, viewerOf } from './admission.ts'
import type { Administrator } from './callers.ts'

/** Somebody at work: what the API needs to know of its caller, and who it really is. */
export type Worker = Caller & Signed

interface WorkRequirements {
  operation: Operation | AdminOperation
  who: Audience
  timeTracking?: boolean
}

export type WorkEndpoint = WorkRequirements & Endpoint<Call & Signed>

/** Declares an endpoint that is only for people at work. Most are those of the API. */
export const workEndpoint = declareFor<Call & Signed, WorkRequirements>()

/**
 * Admits people to the endpoints of the API, without a key: they work as themselves. Their plan, their allowance and the flag of
 * the API do not matter, because these limit programs. The operator reads.
 */
export function createWorkGate(
  { db, replica }: Pick<Database, 'db' | 'replica'>,
  admission: Admission,
): Gate<Worker, WorkRequirements> {
  const position = replica ? POSITION : empty
  return {
    prefix: '/admin/v1',

    async admit(endpoint, request) {
      const { isClosed: _, ...signed } = await admission.admit(request)
      if (request.who) request.who.company_id = signed.companyId
      requireWho(endpoint.who, signed.by, request.params)
      const { position: at, ...company } = await findCompany(
        db.onBehalfOf(signed.companyId),
        signed.companyId,
        position,
      )
      request.position = at
      requirePlan(company, endpoint)
      return { ...signed, ...callerFor(signed, company) }
    },

    async confirm(endpoint, call) {
      call.by = await admission.confirm(call)
      requireWho(endpoint.who, call.by, call.params)
      Object.assign(call, callerFor(call, call.company))
    },

    isReadOnly: ({ company }) => company.subscription === 'read_only',
    comparesVersions: true,
    retellsSentences: true,
    isAudited: ({ operation }) => isDestructive(operation),
    companyOf: ({ companyId }) => companyId,
    repeater: ({ companyId, by }) =>
      by === 'operator' ? undefined : { company_id: companyId, repeater: `person:${by.id}` },
  }
}

function findCompany(db: Db, id: number, position: Sql): Promise<Company & { position?: string }> {
  return orNotFound(
    db.maybe(sql`
      select id, name, time_zone, plan, rest_api, daily_calls, subscription, version, sandbox_of is not null as sandbox${position}
      from companies where id = ${id}`),
  )
}

/** Members delete only what they have made; leaders have every right. */
function callerFor({ by, digest, session }: Signed, company: Company): Caller {
  const { sight } = viewerOf({ by, companyId: company.id })
  const rights: Right[] = sight === 'member' ? ['manage_files'] : [...RIGHTS]
  const signedIn = { digest, isSession: session !== null }
  return { company, key: { ...NO_KEY, rights }, signer: signerOf(by), sight, signedIn }
}

function signerOf(by: Administrator): Caller['signer'] {
  return by === 'operator' ? { id: 0, name: by, email: '' } : { id: by.id, name: by.name, email: by.email }
}

/** Nobody here has one. `who` says what each endpoint allows. */
const NO_KEY: ApiKey = { id: 0, name: '', access: 'write', operations: [...OPERATIONS], rights: [], expires_at: null }
