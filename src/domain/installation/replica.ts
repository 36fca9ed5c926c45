import type { Replica } from '../../db/replica.ts'
import type { Condition } from '../ports/condition.ts'
import { say } from '../sentences/sentences.ts'

/** One that works is a few milliseconds behind. */
const CATCHES_UP_WITHIN_MS = 1_000

/** The condition of the replica, if there is one. It is no condition of being ready: whatever it does not answer, the primary does. */
export async function checkReplica(replica: Replica | undefined): Promise<Condition> {
  if (!replica)
    return {
      state: 'off',
      message: 'Not set up: the primary answers all reads.',
      advice: 'Set DATABASE_REPLICA_URL to have a replica answer pages and searches.',
    }
  const { isCaughtUp, lagSeconds } = await replica.look(CATCHES_UP_WITHIN_MS)
  if (isCaughtUp) return { state: 'ok', message: 'Answers reads, and has replayed all that is written.' }
  if (lagSeconds === null)
    return { state: 'degraded', message: 'The replica has replayed nothing yet: the primary answers all reads.' }
  return {
    state: 'degraded',
    message: say('The replica is behind by {seconds} seconds: the primary answers reads that it cannot.', {
      seconds: Math.ceil(lagSeconds),
    }),
  }
}
