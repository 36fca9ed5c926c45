import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { FairQueue } from '../lib/fair-queue.ts'
import { Kept } from '../lib/kept.ts'
import { QUEUES } from '../queues.ts'
import { createLocalNames, type LocalNames } from './local-names.ts'

/** The addresses of a host, looked up for a company. */
export type Resolve = (host: string, companyId: number) => Promise<LookupAddress[]>

export interface NameResolverOptions {
  /** Addresses with ports; without them, the name servers of this machine are asked. */
  nameServers?: string[]
  localNames?: LocalNames
}

const LOOK_UP_WITHIN_MS = 5_000
/** The first question and a second one, in case that one was lost. */
const QUESTIONS = { timeout: 1_500, tries: 2 }
const REMEMBERED_NAMES = 1_000
const REMEMBERED_MS = 30_000
const FAILURE_REMEMBERED_MS = 5_000

/**
 * Looks up host names that strangers have chosen. It asks the name servers itself: the look-ups of the operating system cannot
 * be cancelled, and share a few threads with everything that reads files. What a company asks for delays no other.
 */
export function createNameResolver({
  nameServers,
  localNames = createLocalNames(),
}: NameResolverOptions = {}): Resolve {
  const remembered = new Kept<string, LookupAddress[]>(REMEMBERED_NAMES, REMEMBERED_MS, FAILURE_REMEMBERED_MS)
  const queue = new FairQueue<number>('host names', QUEUES.names)

  return (host, companyId) => remembered.get(`${companyId} ${host}`, () => queue.run(companyId, () => lookUp(host)))

  async function lookUp(host: string): Promise<LookupAddress[]> {
    const local = await localNames.addressesOf(host)
    if (local) return local
    const resolver = new Resolver(QUESTIONS)
    if (nameServers) resolver.setServers(nameServers)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      resolver.cancel()
    }, LOOK_UP_WITHIN_MS)
    try {
      return await resolveFirst(resolver, await localNames.spellingsOf(host))
    } catch (error) {
      throw isLate ? Object.assign(new Error('No name server answered in time'), { code: 'ETIMEOUT' }) : error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The addresses of the first spelling that has any. */
async function resolveFirst(resolver: Resolver, spellings: string[]): Promise<LookupAddress[]> {
  let problem: unknown
  for (const name of spellings) {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family: index === 0 ? 4 : 6 })) : [],
    )
    if (addresses.length > 0) return addresses
    problem = answers.map(answer => answer.status === 'rejected' && answer.reason).find(Boolean)
    if ((problem as NodeJS.ErrnoException | undefined)?.code === 'ECANCELLED') break
  }
  throw problem
}
