import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { nameAmongAll } from '../domain/access/names.ts'
import { everythingIn, type Viewer } from '../domain/access/sight.ts'
import { type Elsewhere, InAnotherCell } from '../domain/cells/elsewhere.ts'
import { isHere } from '../domain/cells/where.ts'
import { BurstExceeded, forbidden, invalidToken, notFound } from '../domain/errors.ts'
import type { BurstThrottle } from '../domain/ports/burst-throttle.ts'
import { say, wordsOf } from '../domain/sentences/sentences.ts'
import { readId } from '../http/requests/query.ts'
import type { Request } from '../http/requests/request.ts'
import { requireOwnPage } from '../http/requests/session-cookie.ts'
import { type Credential, credentialOf, type SignIn } from '../http/requests/sign-in.ts'
import { type Administrator, findPerson, type Identity, type Lookups, type Person, whoOf } from './callers.ts'
import { holdOperatorSession } from './session-rows.ts'

/** The addresses at which people work on the records of a company, before those that the API gives them. */
export const RECORDS_OF_COMPANY = '/companies/:company/records'

/** Leaders are owners and managers. */
export function isLeader({ role }: Person): boolean {
  return role !== 'member'
}

/** Which people may call an endpoint. The operator may call all of them, except those that are for people only. */
const AUDIENCES = {
  operator: () => false,
  leaders: isLeader,
  owners: ({ role }: Person) => role === 'owner',
  'key administrators': (person: Person) => person.role === 'owner' || person.can_manage_api_keys,
  'the person': (person: Person, params: Record<string, string>) => params.user === String(person.id),
  'the person or leaders': (person: Person, params: Record<string, string>) =>
    params.user === String(person.id) || isLeader(person),
  everyone: () => true,
  /** People at work, as themselves. */
  people: () => true,
  'owners and managers': isLeader,
  'owners of the company': ({ role }: Person) => role === 'owner',
  /** Callers with a code in the body instead of a token. */
  'whoever is invited': () => true,
  /** Callers with a token or a code in the body. */
  'whoever signs in': () => true,
} as const

export type Audience = keyof typeof AUDIENCES

const FOR_PEOPLE_ONLY: Audience[] = ['people', 'owners and managers', 'owners of the company']

export function isFor(who: Audience, by: Administrator, params: Record<string, string>): boolean {
  return by === 'operator' ? !FOR_PEOPLE_ONLY.includes(who) : AUDIENCES[who](by, params)
}

export function requireWho(who: Audience, by: Administrator, params: Record<string, string>): void {
  if (isFor(who, by, params) || who === 'everyone' || isOpenTo(who)) return
  if (who === 'operator') throw forbidden('This is for the operator only.')
  throw forbidden(say('This is for {who} only.', { who: wordsOf(who) }))
}

/** True for those who are called without a credential: the body has one. */
export function isOpenTo(who: Audience): who is 'whoever is invited' | 'whoever signs in' {
  return who === 'whoever is invited' || who === 'whoever signs in'
}

/** The caller, the digest of the credential that the call came with, and the company in the URL, if there is one. */
export interface Signed extends Identity {
  digest: Buffer
  companyId: number
}

/** What the caller sees: members see the projects that are open to them, leaders and the operator all of them. */
export function viewerOf({ by, companyId }: Pick<Signed, 'by' | 'companyId'>): Viewer {
  if (by === 'operator') return everythingIn(companyId)
  return { company: { id: companyId }, signer: { id: by.id }, sight: isLeader(by) ? 'company' : 'member' }
}

export interface AdmissionParts {
  db: Db
  signIn: SignIn
  burst: BurstThrottle
  lookups: Lookups
  elsewhere: Elsewhere
}

/** How people and the operator are recognised, on every surface that they call. */
export interface Admission {
  /** Finds out who calls, and that the company in the URL is there for them. */
  admit(request: Request): Promise<Signed & { isClosed: boolean }>
  /** The caller once more, in the transaction of a write, where they stay what they are until the commit. */
  confirm(call: Signed & { db: Db; params: Record<string, string> }): Promise<Administrator>
}

export function createAdmission({ db, signIn, burst, lookups, elsewhere }: AdmissionParts): Admission {
  return {
    async admit(request) {
      const { params } = request
      const credential = credentialOf(request)
      const signedIn = await signIn.identify(request, credential, lookupsFor(request, credential))
      if (!signedIn) throw invalidToken()
      const { found, digest } = signedIn
      const { by, session } = found === 'operator' ? { by: found, session: null } : found
      request.who = whoOf(by)
      if (by !== 'operator') await throttle(by)
      if (credential.kind === 'session') requireOwnPage(request)
      const company = params.company === undefined ? NO_COMPANY : await findCompany(by, params.company)
      return { by, session, digest, companyId: company.id, isClosed: company.is_closed }
    },

    async confirm(call) {
      await holdPeople(call)
      const { db, by, session, digest, params } = call
      const isOperator = by === 'operator'
      if (isOperator && !session) return by
      const caller = isOperator
        ? (await holdOperatorSession(db, digest, signIn.operatorDigest, readId(params.session ?? ''))) && by
        : await findPerson(db, session ? 'session' : 'token', digest)
      if (!caller) throw invalidToken()
      return caller
    },
  }

  /** Credentials that are not known here may be known in another cell. */
  function lookupsFor({ params, isAskedOfAll }: Request, { secret }: Credential): Lookups {
    return {
      token: async digest => (await lookups.token(digest)) ?? notHere(digest),
      session: async digest => (await lookups.session(digest)) ?? notHere(digest),
    }

    /**
     * A session of the operator is in the cell where it began. That cell answers what concerns no company, and vouches for the
     * session where one is concerned that is here.
     */
    async function notHere(digest: Buffer): Promise<Identity | undefined> {
      const vouched = await elsewhere.credential(secret, digest)
      if (!vouched) return undefined
      if (params.company === undefined && !isAskedOfAll) throw new InAnotherCell(vouched.vouchingCell)
      return { by: 'operator', session: null }
    }
  }

  /** People of a closed company do not get this far. */
  async function findCompany(by: Administrator, handle: string): Promise<AddressedCompany> {
    const id = readId(handle)
    if (id === undefined || (by !== 'operator' && by.company_id !== id)) throw notFound()
    if (by !== 'operator') return { id, is_closed: false }
    const found = await db.maybe<AddressedCompany & { is_here: boolean }>(sql`
      select c.id, c.closed_at is not null as is_closed, ${isHere} as is_here from companies c where c.id = ${id}`)
    if (!found?.is_here) await elsewhere.company(id)
    if (!found) throw notFound()
    return found
  }

  async function throttle({ company_id, id }: Person): Promise<void> {
    const wait = await burst.admit(nameAmongAll('person', company_id, id))
    if (wait > 0) throw new BurstExceeded(wait)
  }
}

/**
 * Locks the person who writes, and the person in the URL, from the first statement to the commit: nobody is promoted, dismissed
 * or deprived of a token in between, and the writes of one person happen one after the other. The locks are exclusive, because
 * shared ones could keep a dismissal waiting forever. They are taken in the order of ids and before any other record, so that
 * there are no deadlocks. References to people (key share) are not blocked.
 */
async function holdPeople({ db, by, companyId, params }: Parameters<Admission['confirm']>[0]): Promise<void> {
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
