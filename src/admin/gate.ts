import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { type CredentialPrefix, type MintedCredential, mintCredential } from '../domain/access/credentials.ts'
import type { Role } from '../domain/access/roles.ts'
import { forbidden, invalidCode, invalidToken, notFound } from '../domain/errors.ts'
import { declareFor, type Endpoint } from '../http/declare.ts'
import type { BaseCall } from '../http/endpoint.ts'
import type { Gate } from '../http/gate.ts'
import { readId } from '../http/query.ts'
import type { Who } from '../http/request.ts'
import type { SignIn } from '../http/sign-in.ts'

export interface Person {
  id: number
  name: string
  company_id: number
  role: Role
  can_manage_api_keys: boolean
}

/** The operator stands above all companies; a person belongs to one. */
export type Administrator = 'operator' | Person

interface AdminCaller {
  by: Administrator
  /** Of the token that the call came with. */
  digest: Buffer
  /** The company of the address; on `/companies` itself there is none, and nobody but the operator gets there. */
  companyId: number
  mint: (prefix: CredentialPrefix) => MintedCredential
  /** The person whom `find` gives for a one-time code, who acts from then on. Wrong codes are slowed like wrong tokens. */
  redeem: (code: string, find: (digest: Buffer) => Promise<Person | undefined>) => Promise<Person>
}

export type AdminCall = BaseCall & AdminCaller

/** Owners and managers lead. */
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
  /** Who comes with a code in the body instead of a token. */
  'whoever is invited': () => true,
} as const

/** Whoever has not shown a code yet: of no company and with no right. */
const NOBODY: Person = { id: 0, name: '', company_id: 0, role: 'member', can_manage_api_keys: false }

interface AdminRequirements {
  /** How the audit calls it. */
  operation: string
  who: keyof typeof AUDIENCES
  /** What its run says by `audit` is kept. */
  audited?: boolean
}

export type AdminEndpoint = AdminRequirements & Endpoint<AdminCall>

/** Declares an endpoint of the administration surface. */
export const adminEndpoint = declareFor<AdminCall, AdminRequirements>()

export interface AdminGateParts {
  db: Db
  signIn: SignIn
  serverSecret: string
}

export function createAdminGate({ db, signIn, serverSecret }: AdminGateParts): Gate<AdminCaller, AdminRequirements> {
  return {
    prefix: '/admin/v1',

    async admit(endpoint, request) {
      const { params } = request
      const redeem: AdminCall['redeem'] = async (code, find) => {
        const person = await signIn.redeem(request, code, find)
        if (!person) throw invalidCode()
        request.who = whoOf(person)
        return person
      }
      if (endpoint.who === 'whoever is invited')
        return { by: NOBODY, digest: Buffer.alloc(0), companyId: 0, mint, redeem }
      const signedIn = await signIn.identify(request, digest => findPerson(db, digest))
      if (!signedIn) throw invalidToken()
      const { by, digest } = signedIn
      request.who = whoOf(by)
      const companyId = params.company === undefined ? 0 : await findCompany(db, by, params.company)
      if (companyId > 0) request.who.company_id = companyId
      requireWho(endpoint, by, params)
      return { by, digest, companyId, mint, redeem }
    },

    async confirm(endpoint, call) {
      if (call.by === NOBODY) return
      await holdPeople(call)
      if (call.by === 'operator') return
      const person = await findPerson(call.db, call.digest)
      if (!person) throw invalidToken()
      requireWho(endpoint, person, call.params)
      call.by = person
    },

    isReadOnly: () => false,
    comparesVersions: false,
    companyOf: ({ companyId }) => companyId,
    isAudited: ({ audited }) => audited ?? false,
    // Answers here can carry secrets, which are shown once and stored nowhere.
    repeater: () => undefined,
  }

  function mint(prefix: CredentialPrefix): MintedCredential {
    const minted = mintCredential(prefix, serverSecret)
    if (prefix === 'svc_') signIn.remember(minted.digest)
    return minted
  }
}

function whoOf(by: Administrator): Who {
  if (by === 'operator') return { company_id: null, by: { kind: by, id: null, name: by }, credential: by, actor: by }
  const { id, name, company_id } = by
  return { company_id, by: { kind: 'person', id, name }, credential: `person:${id}`, actor: name }
}

/**
 * Whoever writes is held from the first statement to the commit, and so is the person whom the address names: nobody is
 * promoted, dismissed or deprived of a token meanwhile, and what a person writes happens one after the other. Exclusively,
 * because those who share could keep a dismissal waiting for ever; in the order of their ids, and before any other record,
 * so that nobody waits in a circle. References to people (key share) pass.
 */
async function holdPeople({ db, by, companyId, params }: AdminCall): Promise<void> {
  const ids = [by === 'operator' ? undefined : by.id, readId(params.user ?? '')].filter(id => id !== undefined)
  if (ids.length === 0) return
  await db.run(sql`
    select from users where company_id = ${companyId} and id = any(${ids}::bigint[]) order by id for no key update`)
}

function findPerson(db: Db, digest: Buffer): Promise<Person | undefined> {
  return db.maybe<Person>(sql`
    select u.id, u.name, u.company_id, u.role, u.can_manage_api_keys
    from personal_tokens t join users u on u.company_id = t.company_id and u.id = t.user_id
    where t.digest = ${digest} and u.active`)
}

async function findCompany(db: Db, by: Administrator, handle: string): Promise<number> {
  const id = readId(handle)
  if (id === undefined || (by !== 'operator' && by.company_id !== id)) throw notFound()
  if (by === 'operator' && !(await db.maybe(sql`select 1 from companies where id = ${id}`))) throw notFound()
  return id
}

function requireWho({ who }: AdminRequirements, by: Administrator, params: Record<string, string>): void {
  if (by !== 'operator' && !AUDIENCES[who](by, params))
    throw forbidden(`This is for ${who === 'operator' ? 'the operator' : who} only.`)
}

/** True for those who may say what others may do. */
export function mayPromote(by: Administrator): by is 'operator' | (Person & { role: 'owner' }) {
  return by === 'operator' || by.role === 'owner'
}
