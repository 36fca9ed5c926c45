import type { CountCalls, CountedCalls } from '../domain/access/call-counts.ts'
import type { Caller, Company } from '../domain/access/caller.ts'
import { digestOf, isWellFormed } from '../domain/access/credentials.ts'
import type { Keyring } from '../domain/access/keyring.ts'
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
import { declareFor, type Endpoint } from '../http/endpoints/declare.ts'
import type { BaseCall } from '../http/endpoints/endpoint.ts'
import type { Gate } from '../http/endpoints/gate.ts'
import { bearerToken, type Reply, type Request, throttledAddress } from '../http/requests/request.ts'

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
}

/** The order of checks for a call to a known route. It has already passed the throttle by IP address. */
export function createGate({
  keyring,
  spend,
  burst,
  countCalls,
  serverSecret,
}: GateParts): Gate<Caller, ApiRequirements> {
  return {
    prefix: '/api/v1',

    async admit(endpoint, request, reply) {
      const digest = readKey(request, serverSecret)
      const known = await identify(digest)
      const { company, key, signature } = known
      const by = { kind: 'key', id: key.id, name: key.name } as const
      request.who = { company_id: company.id, by, credential: `key:${key.id}`, actor: signature.name }
      await throttle(known, digest)
      const caller = await spendCalls(known, digest, endpoint.operation, reply)
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
        await spendCalls(caller, readKey(request, serverSecret), request.operation, reply, calls)
      } catch (error) {
        await takeBack()
        throw error
      }
    },

    isReadOnly: ({ company }) => company.subscription === 'read_only',

    comparesVersions: true,
    isAudited: ({ operation }) => isDestructive(operation),
    companyOf: ({ company }) => company.id,
    repeater: ({ company, key }) => ({ company_id: company.id, key_id: key.id }),
  }

  /** A caller that the cache would refuse is loaded again: only the database may refuse. */
  async function identify(digest: Buffer): Promise<Caller> {
    const remembered = keyring.remembered(digest)
    if (remembered && isServed(remembered.company)) return remembered
    return load(digest)
  }

  async function load(digest: Buffer): Promise<Caller> {
    const caller = await keyring.load(digest)
    if (!caller) throw unauthorized()
    return caller
  }

  async function throttle(caller: Caller, digest: Buffer): Promise<void> {
    const wait = await burst.admit(throttledKey(caller))
    if (wait === 0) return
    // A key that is no longer valid is told so, instead of being asked to wait.
    await load(digest)
    throw new BurstExceeded(wait)
  }

  /** Checks flag, plan and allowance. If spending shows that the cached caller is out of date, the caller is loaded again. */
  async function spendCalls(
    known: Caller,
    digest: Buffer,
    operation: string,
    reply: Reply,
    calls = 1,
  ): Promise<Caller> {
    for (let caller = known; ; caller = await load(digest)) {
      requireAccess(caller.company, reply)
      const result = await spend(caller.company, calls)
      if (result.outcome === 'stale') continue
      setRateHeaders(reply, result.allowance)
      if (result.outcome === 'refused') throw refusal(caller.company, result.allowance, calls)
      const { company, key } = caller
      countWhenAnswered(reply, {
        company_id: company.id,
        key_id: key.id,
        operation,
        ...result.allowance.spentOn,
        calls,
      })
      return caller
    }
  }

  /** Calls are counted by status too. For a client that disconnects before the answer, that is `LEFT_UNANSWERED`. */
  function countWhenAnswered({ raw }: Reply, spent: Omit<CountedCalls, 'status'>): void {
    raw.once('close', () => countCalls({ ...spent, status: raw.headersSent ? raw.statusCode : LEFT_UNANSWERED }))
  }
}

/**
 * Reads the caller from the database, and checks that calls of the company are answered at all. It spends nothing: it is for
 * finding out what a key may call.
 */
export function callerReader({ keyring, serverSecret }: Pick<GateParts, 'keyring' | 'serverSecret'>) {
  return async (request: Request, reply: Reply): Promise<Caller> => {
    const caller = await keyring.load(readKey(request, serverSecret))
    if (!caller) throw unauthorized()
    requireAccess(caller.company, reply)
    return caller
  }
}

/** True when the key may call the endpoint, whatever the record. */
export function isAllowed({ key, company }: Caller, { operation, timeTracking }: ApiRequirements): boolean {
  const hasPlan = !timeTracking || hasTimeTracking(company.plan)
  return hasPlan && permits(key.access, operation) && key.operations.includes(operation)
}

/** The status that other servers log when the client has closed the connection. It is never sent. */
const LEFT_UNANSWERED = 499

function readKey(request: Request, serverSecret: string): Buffer {
  const token = bearerToken(request)
  if (token === undefined || !isWellFormed('svc_api_', token)) throw unauthorized()
  return digestOf(token, serverSecret)
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

function throttledKey({ key }: Caller): string {
  return `key:${key.id}`
}

function refusal({ plan }: Company, { limit, remaining, resetsAt }: Allowance, calls: number) {
  const retryAfter = Math.max(1, Math.ceil(resetsAt - Date.now() / 1000))
  const message = remaining ? allowanceTooSmall(plan, calls, remaining) : allowanceSpent(plan, limit ?? 0)
  return rateLimitExceeded(message, retryAfter)
}

function requireOperation({ key }: Caller, { operation }: ApiRequirements): void {
  if (!permits(key.access, operation))
    throw forbidden(`The key has ${key.access} access, which does not permit ${operation}.`)
  if (!key.operations.includes(operation)) throw forbidden(`The key is not allowed ${operation}.`)
}

function requirePlan({ plan }: Company, { timeTracking }: ApiRequirements): void {
  if (timeTracking && !hasTimeTracking(plan)) throw planUpgradeRequired(noTimeTracking(plan))
}
