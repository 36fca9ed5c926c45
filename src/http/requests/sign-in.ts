import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type CredentialPrefix, digestOf, isWellFormed } from '../../domain/access/credentials.ts'
import { nameAmongAll } from '../../domain/access/names.ts'
import { InAnotherCell } from '../../domain/cells/elsewhere.ts'
import { BurstExceeded } from '../../domain/errors.ts'
import type { Throttle } from '../../domain/ports/burst-throttle.ts'
import { addressKey } from '../../lib/address-key.ts'
import { bearerToken } from './request.ts'
import { sessionCookie } from './session-cookie.ts'

/** How many good tokens are remembered before those that were not used lately are forgotten. */
const MOST_REMEMBERED = 10_000

/** Checks every credential but API keys. Failures are counted by address; too many of them throw. */
export interface SignIn {
  /** The digest of the operator token: the operator's sessions belong to it. */
  operatorDigest: Buffer
  isOperator(request: FastifyRequest): Promise<boolean>
  /** The operator, or whoever `find` returns for the digest of a personal token or of a session; undefined for nobody. */
  identify<Found>(
    request: FastifyRequest,
    credential: Credential,
    find: Record<Credential['kind'], Find<Found>>,
  ): Promise<SignedIn<Found> | undefined>
  /** Whoever `find` returns for the digest of a one-time code, or undefined. After too many failures no code is looked up. */
  redeem<Found>(
    request: FastifyRequest,
    prefix: CredentialPrefix,
    code: string,
    find: Find<Found>,
  ): Promise<Found | undefined>
  /** What an attempt at signing in returns, or undefined. After too many failures it is not made. */
  attempt<Found>(request: FastifyRequest, find: () => Promise<Found | undefined>): Promise<Found | undefined>
  /** Counts a failure of a known person who may not come in, whatever the address. Throws after too many. */
  countFailureOf(person: { company_id: number; id: number }): Promise<void>
  /** Marks a token or a session that was just made as good, although it was not used yet. */
  remember(digest: Buffer): void
}

export interface Credential {
  kind: 'token' | 'session'
  secret: string
}

/** A token in the header takes precedence over a session cookie. */
export function credentialOf(request: FastifyRequest): Credential {
  const secret = request.headers.authorization === undefined ? sessionCookie(request) : undefined
  return secret === undefined ? { kind: 'token', secret: bearerToken(request) ?? '' } : { kind: 'session', secret }
}

const PREFIXES = { token: 'svc_', session: 'svc_ses_' } as const

type Find<Found> = (digest: Buffer) => Promise<Found | undefined>

interface SignedIn<Found> {
  /** `operator` for the operator token, which needs no lookup. */
  found: 'operator' | Found
  digest: Buffer
}

export interface SignInParts {
  failures: Throttle
  serverSecret: string
  operatorToken: string
}

/**
 * After too many failures in a minute an address is refused before anything is looked up, unless it sends the operator's token,
 * which is compared in memory, or a token that was good the last time, which is looked up as usual. So people who work here are
 * not locked out when somebody else guesses from behind the same address.
 */
export function createSignIn({ failures, serverSecret, operatorToken }: SignInParts): SignIn {
  const operator = digestOf(operatorToken, serverSecret)
  let [recent, earlier] = [new Set<string>(), new Set<string>()]
  const asking = new Map<string, Promise<unknown>>()

  return {
    operatorDigest: operator,

    async isOperator(request) {
      const digest = digestOf(bearerToken(request) ?? '', serverSecret)
      if (timingSafeEqual(digest, operator)) return true
      await fail(nameOf(request))
      return false
    },

    async identify(request, { kind, secret }, find) {
      const digest = digestOf(secret, serverSecret)
      if (kind === 'token' && timingSafeEqual(digest, operator)) return { found: 'operator', digest }
      if (!isWellFormed(PREFIXES[kind], secret)) return fail(nameOf(request))
      const found = await findUnlessSlowed(digest, nameOf(request), find[kind])
      return found && { found, digest }
    },

    async redeem(request, prefix, code, find) {
      if (!isWellFormed(prefix, code)) return fail(nameOf(request))
      return countUnlessGood(nameOf(request), () => find(digestOf(code, serverSecret)))
    },

    attempt: (request, find) => countUnlessGood(nameOf(request), find),

    countFailureOf: ({ company_id, id }) => fail(`sign-in-${nameAmongAll('person', company_id, id)}`),

    remember: digest => remember(digest.toString('latin1')),
  }

  async function fail(name: string): Promise<undefined> {
    const wait = await failures.admit(name)
    if (wait > 0) throw new BurstExceeded(wait)
  }

  async function findUnlessSlowed<T>(digest: Buffer, address: string, find: Find<T>): Promise<T | undefined> {
    const token = digest.toString('latin1')
    const look = () => rememberGood(token, () => find(digest))
    // Concurrent requests with the same new token are one guess: the others wait for the result of the first.
    if (!isGood(token)) await asking.get(token)
    if (isGood(token)) return findAgain(token, address, look)
    const guessing = countUnlessGood(address, look)
    const settled = guessing.then(
      () => asking.delete(token),
      () => asking.delete(token),
    )
    asking.set(token, settled)
    return guessing
  }

  /** A token of another cell counts as good here: that cell checks it, and counts what fails there. */
  async function rememberGood<T>(token: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const person = await find()
      if (person !== undefined) remember(token)
      return person
    } catch (error) {
      if (error instanceof InAnotherCell) remember(token)
      throw error
    }
  }

  /** Counts a failure first and takes it back on success: otherwise concurrent guesses would all be looked up. */
  async function countUnlessGood<T>(address: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const { refused, takeBack } = await failures.admitMany([address], 1)
    if (refused) throw new BurstExceeded(refused.wait)
    let isFailure = false
    try {
      const person = await find()
      isFailure = person === undefined
      return person
    } finally {
      if (!isFailure) await takeBack()
    }
  }

  async function findAgain<T>(token: string, address: string, find: () => Promise<T | undefined>) {
    const person = await find()
    if (person !== undefined) return person
    recent.delete(token)
    earlier.delete(token)
    return fail(address)
  }

  function isGood(token: string): boolean {
    return recent.has(token) || earlier.has(token)
  }

  function remember(token: string): void {
    if (recent.size >= MOST_REMEMBERED) [recent, earlier] = [new Set(), recent]
    recent.add(token)
  }
}

function nameOf(request: FastifyRequest): string {
  return `sign-in:${addressKey(request.ip)}`
}
