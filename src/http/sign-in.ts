import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { digestOf, isWellFormed } from '../domain/access/credentials.ts'
import { BurstExceeded } from '../domain/errors.ts'
import type { LocalThrottle } from '../domain/ports/burst-throttle.ts'
import { addressKey } from '../lib/address-key.ts'
import { bearerToken } from './request.ts'

/** How many good tokens are remembered before those that were not used lately are forgotten. */
const MOST_REMEMBERED = 10_000

/** Where every token but an API key is taken. What fails is counted by address, and throws when it was too often. */
export interface SignIn {
  isOperator(request: FastifyRequest): boolean
  /** The operator, whom `find` gives for the digest of a personal token, or nobody. */
  identify<Person>(request: FastifyRequest, find: FindPerson<Person>): Promise<SignedIn<Person> | undefined>
  /** Whom `find` gives for the digest of a one-time code, or nobody. After too many failures no code is looked up at all. */
  redeem<Person>(request: FastifyRequest, code: string, find: FindPerson<Person>): Promise<Person | undefined>
  /** Of a token that was made here: it is good without having been seen. */
  remember(digest: Buffer): void
}

type FindPerson<Person> = (digest: Buffer) => Promise<Person | undefined>

interface SignedIn<Person> {
  by: 'operator' | Person
  digest: Buffer
}

export interface SignInParts {
  failures: LocalThrottle
  serverSecret: string
  operatorToken: string
}

/**
 * After so many failures in a minute an address is refused before anything is looked up, unless it comes with the
 * operator's token, which is compared in memory, or with one that was good the last time: that one is looked up as ever.
 * So nobody who works here is kept out by somebody else's guesses from behind the same address.
 */
export function createSignIn({ failures, serverSecret, operatorToken }: SignInParts): SignIn {
  const operator = digestOf(operatorToken, serverSecret)
  let [recent, earlier] = [new Set<string>(), new Set<string>()]
  const asking = new Map<string, Promise<unknown>>()

  return {
    isOperator(request) {
      const digest = digestOf(bearerToken(request) ?? '', serverSecret)
      if (timingSafeEqual(digest, operator)) return true
      fail(nameOf(request))
      return false
    },

    async identify(request, find) {
      const token = bearerToken(request) ?? ''
      const digest = digestOf(token, serverSecret)
      if (timingSafeEqual(digest, operator)) return { by: 'operator', digest }
      if (!isWellFormed('svc_', token)) return fail(nameOf(request))
      const by = await findUnlessSlowed(digest, nameOf(request), find)
      return by && { by, digest }
    },

    async redeem(request, code, find) {
      if (!isWellFormed('svc_inv_', code)) return fail(nameOf(request))
      return countUnlessGood(nameOf(request), () => find(digestOf(code, serverSecret)))
    },

    remember: digest => remember(digest.toString('latin1')),
  }

  function fail(address: string): undefined {
    const wait = failures.admit(address)
    if (wait > 0) throw new BurstExceeded(wait)
  }

  async function findUnlessSlowed<T>(digest: Buffer, address: string, find: FindPerson<T>): Promise<T | undefined> {
    const token = digest.toString('latin1')
    // Requests that begin at once with one new token are one guess: the others wait to hear about the first.
    if (!isGood(token)) await asking.get(token)
    if (isGood(token)) return findAgain(token, address, () => find(digest))
    const guessing = guess(token, address, () => find(digest))
    const settled = guessing.then(
      () => asking.delete(token),
      () => asking.delete(token),
    )
    asking.set(token, settled)
    return guessing
  }

  async function guess<T>(token: string, address: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const person = await countUnlessGood(address, find)
    if (person !== undefined) remember(token)
    return person
  }

  /** Counted as a failure until it is known to be none, or those that come at once would all be looked up. */
  async function countUnlessGood<T>(address: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    fail(address)
    let isFailure = false
    try {
      const person = await find()
      isFailure = person === undefined
      return person
    } finally {
      if (!isFailure) failures.takeBack(address)
    }
  }

  async function findAgain<T>(token: string, address: string, find: () => Promise<T | undefined>) {
    const person = await find()
    if (person !== undefined) {
      remember(token)
      return person
    }
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
