import type { AdminOperation } from '../domain/access/admin-operations.ts'
import type { Mint } from '../domain/access/credentials.ts'
import type { Elsewhere } from '../domain/cells/elsewhere.ts'
import { companyIsClosed } from '../domain/errors.ts'
import { requireOpen } from '../domain/upkeep/closed-companies.ts'
import { declareFor, type Endpoint } from '../http/endpoints/declare.ts'
import type { BaseCall } from '../http/endpoints/endpoint.ts'
import type { Gate } from '../http/endpoints/gate.ts'
import type { PassOn } from '../http/requests/pass-on.ts'
import { isRead } from '../http/requests/request.ts'
import type { SignIn } from '../http/requests/sign-in.ts'
import { type Admission, type Audience, isFor, isLeader, isOpenTo, requireWho, type Signed } from './admission.ts'
import type { Administrator, Lookups, Person } from './callers.ts'
import { type SignInByBody, signInByBody } from './sign-in-by-body.ts'

export type { Administrator, Person }
export { isLeader }

/** `companyId` is 0 at `/companies` itself, where only the operator gets. */
interface AdminCaller extends Signed {
  /** The names of the endpoints that somebody may call in their own company. */
  mayCall: (by: Administrator) => string[]
  mint: Mint
  byBody: SignInByBody
  /** What the other cells answer to the same request; undefined for one that is away. Empty where there are none. */
  askOtherCells: () => Promise<Map<number, unknown>>
}

export type AdminCall = BaseCall & AdminCaller

/** True for endpoints that are called without a credential: the body has one. */
export function isOpen({ who }: { who: Audience }): boolean {
  return isOpenTo(who)
}

/** A caller who has not shown a code yet: in no company and without any right. */
const NOBODY: Person = { id: 0, name: '', email: '', company_id: 0, role: 'member', can_manage_api_keys: false }

/** Room for a token or a code, in whichever way it is written. Anybody may send it, so it is little. */
const OPEN_BODY_BYTES = 8 * 1024

interface AdminRequirements {
  /** Its name in the audit. */
  operation: AdminOperation
  who: Audience
  /** What its run passes to `audit` is stored. */
  audited?: boolean
  /** Closes a company or reopens it: it works on a closed company, and its audit entry belongs to no company. */
  opensOrCloses?: boolean
}

export type AdminEndpoint = AdminRequirements & Endpoint<AdminCall>

/** Declares an endpoint of the administration surface. */
export const adminEndpoint = declareFor<AdminCall, AdminRequirements>()

export interface AdminGateParts {
  admission: Admission
  signIn: SignIn
  lookups: Lookups
  mint: Mint
  elsewhere: Elsewhere
  passOn: PassOn | undefined
  publicUrl: string | undefined
  /** The endpoints from which callers are told which they may call. */
  endpoints: { name: string; who: Audience }[]
}

export function createAdminGate(parts: AdminGateParts): Gate<AdminCaller, AdminRequirements> {
  const { admission, signIn, lookups, elsewhere, passOn, publicUrl, endpoints } = parts

  return {
    prefix: '/admin/v1',

    async admit(endpoint, request, reply) {
      const byBody = signInByBody(request, reply, { signIn, lookups, elsewhere, publicUrl })
      const askOtherCells = async () => passOn?.toOthers(request) ?? new Map()
      const common = { mint, mayCall, byBody, askOtherCells }
      if (isOpen(endpoint)) {
        request.bodyLimitBytes = OPEN_BODY_BYTES
        return { by: NOBODY, session: null, digest: Buffer.alloc(0), companyId: 0, ...common }
      }
      const { isClosed, ...signed } = await admission.admit(request)
      const { by, companyId } = signed
      if (request.who && companyId > 0 && !endpoint.opensOrCloses) request.who.company_id = companyId
      requireWho(endpoint.who, by, request.params)
      if (isClosed && !endpoint.opensOrCloses && !isRead(request)) throw companyIsClosed()
      return { ...signed, ...common }
    },

    async confirm(endpoint, call) {
      if (call.by === NOBODY) return
      call.by = await admission.confirm(call)
      requireWho(endpoint.who, call.by, call.params)
      if (call.by === 'operator' && !endpoint.opensOrCloses) await requireOpen(call.db, call.companyId)
    },

    isReadOnly: () => false,
    comparesVersions: false,
    retellsSentences: true,
    companyOf: ({ companyId }) => companyId,
    isAudited: ({ audited }) => audited ?? false,
    // Repeated requests are not recognised, because their answers would be stored, and answers here can contain secrets that
    // are shown once and stored nowhere.
    repeater: () => undefined,
  }

  function mint(...[prefix, companyId]: Parameters<Mint>): ReturnType<Mint> {
    const minted = parts.mint(prefix, companyId)
    if (prefix === 'svc_' || prefix === 'svc_ses_') signIn.remember(minted.digest)
    return minted
  }

  function mayCall(by: Administrator): string[] {
    const user = by === 'operator' ? '' : String(by.id)
    return endpoints.filter(({ who }) => isFor(who, by, { user })).map(({ name }) => name)
  }
}

/** True for those who may decide what others may do. */
export function mayPromote(by: Administrator): by is 'operator' | (Person & { role: 'owner' }) {
  return by === 'operator' || by.role === 'owner'
}
