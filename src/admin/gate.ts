import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { AdminOperation } from '../domain/access/admin-operations.ts'
import { type CredentialPrefix, type MintedCredential, mintCredential } from '../domain/access/credentials.ts'
import { BurstExceeded, companyIsClosed, forbidden, invalidToken, notFound, orNotFound } from '../domain/errors.ts'
import type { BurstThrottle } from '../domain/ports/burst-throttle.ts'
import { isClosed } from '../domain/upkeep/closed-companies.ts'
import { declareFor, type Endpoint } from '../http/endpoints/declare.ts'
import type { BaseCall } from '../http/endpoints/endpoint.ts'
import type { Gate } from '../http/endpoints/gate.ts'
import { readId } from '../http/requests/query.ts'
import { isRead } from '../http/requests/request.ts'
import { requireOwnPage } from '../http/requests/session-cookie.ts'
import { credentialOf, type SignIn } from '../http/requests/sign-in.ts'
import { type Administrator, createLookups, findPerson, type Identity, type Person, whoOf } from './callers.ts'
import { holdOperatorSession } from './session-rows.ts'
import { type SignInByBody, signInByBody } from './sign-in-by-body.ts'

export type { Administrator, Person }

interface AdminCaller extends Identity {
  /** The digest of the credential that the call came with. */
  digest: Buffer
  /** The company in the URL. `/companies` itself has none, and only the operator gets there. */
  companyId: number
  /** The names of the endpoints that somebody may call in their own company. */
  mayCall: (by: Administrator) => string[]
  mint: (prefix: CredentialPrefix) => MintedCredential
  byBody: SignInByBody
}

export type AdminCall = BaseCall & AdminCaller

/** Leaders are owners and managers. */
export function isLeader({ role }: Person): boolean {
  return role !== 'member'
}

/** Who may call an endpoint, besides the operator, who may call all of them. */
const AUDIENCES = {
  operator: () => false,
  leaders: isLeader,
  'key administrators': (person: Person) => person.role === 'owner' || person.can_manage_api_keys,
  'the person': (person: Person, params: Record<string, string>) => params.user === String(person.id),
  'the person or leaders': (person: Person, params: Record<string, string>) =>
    params.user === String(person.id) || isLeader(person),
  everyone: () => true,
  /** Callers with a code in the body instead of a token. */
  'whoever is invited': () => true,
  /** Callers with a token or a code in the body. */
  'whoever signs in': () => true,
} as const

/** True for endpoints that are called without a credential: the body has one. */
export function isOpen({ who }: Pick<AdminRequirements, 'who'>): boolean {
  return who === 'whoever is invited' || who === 'whoever signs in'
}

/** A caller who has not shown a code yet: in no company and without any right. */
const NOBODY: Person = { id: 0, name: '', company_id: 0, role: 'member', can_manage_api_keys: false }

interface AdminRequirements {
  /** Its name in the audit. */
  operation: AdminOperation
  who: keyof typeof AUDIENCES
  /** What its run passes to `audit` is stored. */
  audited?: boolean
  /** Closes a company or reopens it: it works on a closed company, and its audit entry belongs to no company. */
  opensOrCloses?: boolean
}

export type AdminEndpoint = AdminRequirements & Endpoint<AdminCall>

/** Declares an endpoint of the administration surface. */
export const adminEndpoint = declareFor<AdminCall, AdminRequirements>()

export interface AdminGateParts {
  db: Db
  signIn: SignIn
  burst: BurstThrottle
  serverSecret: string
  publicUrl: string | undefined
  /** The endpoints from which callers are told which they may call. */
  endpoints: (AdminRequirements & { name: string })[]
  onError: (error: unknown) => void
}

export function createAdminGate(parts: AdminGateParts): Gate<AdminCaller, AdminRequirements> {
  const { db, signIn, burst, serverSecret, publicUrl, endpoints, onError } = parts
  const lookups = createLookups(db, signIn, onError)

  return {
    prefix: '/admin/v1',

    async admit(endpoint, request, reply) {
      const { params } = request
      const common = { mint, mayCall, byBody: signInByBody(request, reply, { signIn, lookups, publicUrl }) }
      if (isOpen(endpoint)) return { by: NOBODY, session: null, digest: Buffer.alloc(0), companyId: 0, ...common }
      const signedIn = await signIn.identify(request, credentialOf(request), lookups)
      if (!signedIn) throw invalidToken()
      const { found, digest } = signedIn
      const { by, session } = found === 'operator' ? { by: found, session: null } : found
      request.who = whoOf(by)
      if (by !== 'operator') await throttle(by)
      if (session) requireOwnPage(request)
      const company = params.company === undefined ? NO_COMPANY : await findCompany(db, by, params.company)
      const companyId = company.id
      if (companyId > 0 && !endpoint.opensOrCloses) request.who.company_id = companyId
      requireWho(endpoint, by, params)
      if (company.is_closed && !endpoint.opensOrCloses && !isRead(request)) throw companyIsClosed()
      return { by, session, digest, companyId, ...common }
    },

    async confirm(endpoint, call) {
      if (call.by === NOBODY) return
      await holdPeople(call)
      call.by = await confirmedCaller(call)
      requireWho(endpoint, call.by, call.params)
      if (call.by === 'operator' && !endpoint.opensOrCloses && (await isClosed(call.db, call.companyId)))
        throw companyIsClosed()
    },

    isReadOnly: () => false,
    comparesVersions: false,
    companyOf: ({ companyId }) => companyId,
    isAudited: ({ audited }) => audited ?? false,
    // Repeated requests are not recognised, because their answers would be stored, and answers here can contain secrets that
    // are shown once and stored nowhere.
    repeater: () => undefined,
  }

  async function throttle({ id }: Person): Promise<void> {
    const wait = await burst.admit(`person:${id}`)
    if (wait > 0) throw new BurstExceeded(wait)
  }

  function mint(prefix: CredentialPrefix): MintedCredential {
    const minted = mintCredential(prefix, serverSecret)
    if (prefix === 'svc_' || prefix === 'svc_ses_') signIn.remember(minted.digest)
    return minted
  }

  function mayCall(by: Administrator): string[] {
    const allowed = endpoints.filter(({ who }) => by === 'operator' || AUDIENCES[who](by, { user: String(by.id) }))
    return allowed.map(({ name }) => name)
  }

  async function confirmedCaller({ db, by, session, digest, params }: AdminCall): Promise<Administrator> {
    const isOperator = by === 'operator'
    if (isOperator && !session) return by
    const caller = isOperator
      ? (await holdOperatorSession(db, digest, signIn.operatorDigest, readId(params.session ?? ''))) && by
      : await findPerson(db, session ? 'session' : 'token', digest)
    if (!caller) throw invalidToken()
    return caller
  }
}

/**
 * Locks the person who writes, and the person in the URL, from the first statement to the commit: nobody is promoted, dismissed
 * or deprived of a token in between, and the writes of one person happen one after the other. The locks are exclusive, because
 * shared ones could keep a dismissal waiting forever. They are taken in the order of ids and before any other record, so that
 * there are no deadlocks. References to people (key share) are not blocked.
 */
async function holdPeople({ db, by, companyId, params }: AdminCall): Promise<void> {
  const company = by === 'operator' ? companyId : by.company_id
  const ids = [by === 'operator' ? undefined : by.id, readId(params.user ?? '')].filter(id => id !== undefined)
  if (ids.length === 0) return
  await db.run(sql`
    select from users where company_id = ${company} and id = any(${ids}::bigint[]) order by id for no key update`)
}

interface AddressedCompany {
  id: number
  is_closed: boolean
}
const NO_COMPANY: AddressedCompany = { id: 0, is_closed: false }

/** People of a closed company do not get this far. */
async function findCompany(db: Db, by: Administrator, handle: string): Promise<AddressedCompany> {
  const id = readId(handle)
  if (id === undefined || (by !== 'operator' && by.company_id !== id)) throw notFound()
  if (by !== 'operator') return { id, is_closed: false }
  return orNotFound(
    db.maybe<AddressedCompany>(sql`select id, closed_at is not null as is_closed from companies where id = ${id}`),
  )
}

function requireWho({ who }: AdminRequirements, by: Administrator, params: Record<string, string>): void {
  if (by !== 'operator' && !AUDIENCES[who](by, params))
    throw forbidden(`This is for ${who === 'operator' ? 'the operator' : who} only.`)
}

/** True for those who may decide what others may do. */
export function mayPromote(by: Administrator): by is 'operator' | (Person & { role: 'owner' }) {
  return by === 'operator' || by.role === 'owner'
}
