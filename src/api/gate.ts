import type { CountCalls, CountedCalls } from '../domain/access/call-counts.ts'
import type { Caller, Company } from '../domain/access/caller.ts'
import { digestOf, isWellFormed, KEY_PREFIXES } from '../domain/access/credentials.ts'
import type { Keyring } from '../domain/access/keyring.ts'
import { nameAmongAll } from '../domain/access/names.ts'
import { isDestructive, type Operation, permits } from '../domain/access/operations.ts'
import {
  allowanceSpent,
  allowanceTooSmall,
  dailyAllowance,
  hasTimeTracking,
  isServed,
  noApiAccess,
  noTimeTracking,
} from '../domain/access/plans.ts'
import type { Allowance, SpendCalls } from '../domain/access/quota.ts'
import type { Elsewhere } from '../domain/cells/elsewhere.ts'
import {
  BurstExceeded,
  batchExceeded,
  forbidden,
  notFound,
  planUpgradeRequired,
  rateLimitExceeded,
  unauthorized,
} from '../domain/errors.ts'
import type { BurstThrottle } from '../domain/ports/burst-throttle.ts'
import { say } from '../domain/sentences/sentences.ts'
import { declareFor, type Endpoint } from '../http/endpoints/declare.ts'
import type { BaseCall } from '../http/endpoints/endpoint.ts'
import type { Gate } from '../http/endpoints/gate.ts'
import {
  bearerToken,
  isMadeHere,
  type Reply,
  type Request,
  statusOf,
  throttledAddress,
  type Who,
} from '../http/requests/request.ts'

export type Call = BaseCall & Caller

interface ApiRequirements {
  /** The one operation that the key must be granted. An endpoint without one does not compile. */
  operation: Operation
  /** The plan must include time tracking. */
  timeTracking?: boolean
}

export type ApiEndpoint = ApiRequirements & Endpoint<Call>

/** Declares an endpoint of the public API. */
export const endpoint = declareFor<Call, ApiRequirements>()

export interface GateParts {
  keyring: Keyring
  spend: SpendCalls
  burst: BurstThrottle
  countCalls: CountCalls
  serverSecret: string
  elsewhere: Elsewhere
}

/** The order of checks for a call to a known route. It has already passed the throttle by IP address. */
export function createGate({
  keyring,
  spend,
  burst,
  countCalls,
  serverSecret,
  elsewhere,
}: GateParts): Gate<Caller, ApiRequirements> {
  const parts = { keyring, serverSecret, elsewhere }
  const load = callerLoader(parts)
  return {
    prefix: '/api/v1',

    async admit(endpoint, request, reply) {
      const known = await identify(request)
      await throttle(known, request)
      const caller = await spendCalls(known, request, reply)
      keyring.touch(caller)
      requireOperation(caller, endpoint)
      requirePlan(caller.company, endpoint)
      return caller
    },

    async spendMore(caller, calls, request, reply) {
      if (calls === 0) return
      const address = throttledAddress(request)
      const { refused, takeBack } = await burst.admitMany([address, throttledKey(caller)], calls)
      if (refused) throw batchExceeded(refused.name === address ? 'address' : 'key', calls, refused.wait)
      try {
        await spendCalls(caller, request, reply, calls)
      } catch (error) {
        await takeBack()
        throw error
      }
    },

    isReadOnly: ({ company }) => company.subscription === 'read_only',

    comparesVersions: true,
    retellsSentences: false,
    isAudited: ({ operation }) => isDestructive(operation),
    companyOf: ({ company }) => company.id,
    repeater: ({ company, key }) => ({ company_id: company.id, repeater: `key:${key.id}` }),
  }

  /** A caller that the cache would refuse is loaded again: only the database may refuse. */
  async function identify(request: Request): Promise<Caller> {
    const remembered = keyring.remembered(await requireKey(request, parts))
    if (!remembered || !isServed(remembered.company)) return load(request)
    request.who = whoOf(remembered)
    return remembered
  }

  async function throttle(caller: Caller, request: Request): Promise<void> {
    const wait = await burst.admit(throttledKey(caller))
    if (wait === 0) return
    // A key that is no longer valid is told so, instead of being asked to wait.
    await load(request)
    throw new BurstExceeded(wait)
  }

  /** Checks flag, plan and allowance. If spending shows that the cached caller is out of date, the caller is loaded again. */
  async function spendCalls(known: Caller, request: Request, reply: Reply, calls = 1): Promise<Caller> {
    for (let caller = known; ; caller = await load(request)) {
      requireAccess(caller.company, reply)
      const result = await spend(caller.company, calls)
      if (result.outcome === 'stale') continue
      setRateHeaders(reply, result.allowance)
      if (result.outcome === 'refused') throw refusal(caller.company, result.allowance, calls)
      request.position = result.position
      const { company, key } = caller
      countWhenAnswered(reply, {
        company_id: company.id,
        key_id: key.id,
        operation: request.operation,
        ...result.allowance.spentOn,
        calls,
      })
      return caller
    }
  }

  /** Calls are counted by status too. */
  function countWhenAnswered(reply: Reply, spent: Omit<CountedCalls, 'status'>): void {
    reply.raw.once('close', () => countCalls({ ...spent, status: statusOf(reply) }))
  }
}

type KeyParts = Pick<GateParts, 'keyring' | 'serverSecret' | 'elsewhere'>

/**
 * Reads the caller from the database, and checks that calls of the company are answered at all. It spends nothing: it is for
 * finding out what a key may call. A token of an app stands for its key, if it was made for this resource.
 */
export function callerReader(parts: KeyParts) {
  const load = callerLoader(parts)
  return async (request: Request, reply: Reply, resource: string): Promise<Caller> => {
    const caller = await load(request, resource)
    requireAccess(caller.company, reply)
    return caller
  }
}

/** A request is its key's, and so its company's, even if it is refused because the key was revoked or has expired. */
function callerLoader(parts: KeyParts) {
  return async (request: Request, resource?: string): Promise<Caller> => {
    const digest = await requireKey(request, parts, resource)
    const found = await parts.keyring.load(digest)
    if (!found?.is_here) await parts.elsewhere.credential(bearerToken(request) ?? '', digest)
    if (found) request.who = whoOf(found)
    if (!found || found.is_ended) throw unauthorized()
    return found
  }
}

/** Tells whose a request is that was refused before anything was looked up, as far as that is remembered. */
export function rememberedCallers({ keyring, serverSecret }: Omit<KeyParts, 'elsewhere'>) {
  return (request: Request): Who | null => {
    const digest = keyIn(request, serverSecret)
    const caller = digest && keyring.remembered(digest)
    return caller ? whoOf(caller) : null
  }
}

/** True when the key may call the endpoint, whatever the record. */
export function isAllowed({ key, company }: Caller, { operation, timeTracking }: ApiRequirements): boolean {
  const hasPlan = !timeTracking || hasTimeTracking(company.plan)
  return hasPlan && permits(key.access, operation) && key.operations.includes(operation)
}

async function requireKey(request: Request, parts: KeyParts, resource?: string): Promise<Buffer> {
  const digest = keyIn(request, parts.serverSecret) ?? (await keyOfAppIn(request, parts, resource))
  if (!digest) throw unauthorized()
  return digest
}

/**
 * The digest of the key that an app's token stands for. Its resource is what agents call: whoever sends it to the API itself
 * sends it to the wrong place, and only calls that the server makes for an agent pass on what was accepted there.
 */
async function keyOfAppIn(
  request: Request,
  { keyring, serverSecret, elsewhere }: KeyParts,
  resource: string | undefined,
): Promise<Buffer | undefined> {
  const token = bearerToken(request)
  if (token === undefined || !isWellFormed('svc_app_', token)) return undefined
  if (resource === undefined && !isMadeHere(request)) return undefined
  const digest = digestOf(token, serverSecret)
  const key = await keyring.keyOfToken(digest, resource)
  if (!key) await elsewhere.credential(token, digest)
  return key
}

/** The digest of the key that a request carries, if it has the form of one. */
function keyIn(request: Request, serverSecret: string): Buffer | undefined {
  const token = bearerToken(request)
  return token !== undefined && KEY_PREFIXES.some(prefix => isWellFormed(prefix, token))
    ? digestOf(token, serverSecret)
    : undefined
}

function whoOf({ company, key, signer }: Caller): Who {
  const by = { kind: 'key', id: key.id, name: key.name } as const
  return { company_id: company.id, by, credential: `key:${key.id}`, actor: signer.name }
}

function requireAccess(company: Company, reply: Reply): void {
  if (!company.rest_api) throw notFound()
  if (dailyAllowance(company) !== 0) return
  reply.header('x-ratelimit-limit', '0').header('x-ratelimit-remaining', '0')
  throw planUpgradeRequired(noApiAccess(company.plan))
}

function setRateHeaders(reply: Reply, { limit, remaining, resetsAt }: Allowance): void {
  reply.header('x-ratelimit-limit', String(limit ?? 'unlimited'))
  reply.header('x-ratelimit-remaining', String(remaining ?? 'unlimited'))
  reply.header('x-ratelimit-reset', String(resetsAt))
}

function throttledKey({ company, key }: Caller): string {
  return nameAmongAll('key', company.id, key.id)
}

function refusal({ plan }: Company, { limit, remaining, resetsAt }: Allowance, calls: number) {
  const retryAfter = Math.max(1, Math.ceil(resetsAt - Date.now() / 1000))
  const message = remaining ? allowanceTooSmall(plan, calls, remaining) : allowanceSpent(plan, limit ?? 0)
  return rateLimitExceeded(message, retryAfter)
}

function requireOperation({ key }: Caller, { operation }: ApiRequirements): void {
  if (!permits(key.access, operation))
    throw forbidden(
      say('The key has {access} access, which does not permit {operation}.', { access: key.access, operation }),
    )
  if (!key.operations.includes(operation)) throw forbidden(say('The key is not allowed {operation}.', { operation }))
}

export function requirePlan({ plan }: Company, { timeTracking }: Pick<ApiRequirements, 'timeTracking'>): void {
  if (timeTracking && !hasTimeTracking(plan)) throw planUpgradeRequired(noTimeTracking(plan))
}
