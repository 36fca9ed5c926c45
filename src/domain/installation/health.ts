import { setTimeout as sleep } from 'node:timers/promises'
import type { CONDITIONS, Condition } from '../ports/condition.ts'
import { type Said, say, wordsOf } from '../sentences/sentences.ts'

/**
 * The parts that the service depends on, and advice for when one of them does not work. A running server watches them all; the
 * doctor looks at those that it reaches itself.
 */
export const ADVICE = {
  database: 'Check that the database runs, accepts writes and has disk space, and that DATABASE_URL is right.',
  replica:
    'Check that the replica runs, follows the primary and keeps up, and that DATABASE_REPLICA_URL is right. Until then the primary answers all reads.',
  redis: 'Check that Redis runs and that REDIS_URL is right. It is used again as soon as it answers.',
  scanner: 'Check that clamd runs and that CLAMD_URL is right. Uploads wait to be scanned until it answers.',
  mail: 'Check that the mail server runs and that SMTP_URL is right. Mails wait and are tried again.',
  identity_provider:
    'Check that the identity provider runs and that OIDC_ISSUER is right. Until it answers, people sign in with tokens.',
  jobs: 'Check that a worker runs, and look at the failed jobs.',
  upkeep: 'Check that a worker runs, and put right what its message says.',
  feed: 'Find the transaction that is open, in pg_locks and pg_stat_activity, and end it.',
  storage: 'Check that the files folder in DATA_DIR, or the bucket of S3_URL, can be written and has room.',
} as const satisfies Record<string, Said>

export type PartName = keyof typeof ADVICE
export const PARTS = Object.keys(ADVICE) as PartName[]

/** How each part is checked. */
export type Checks = Record<PartName, () => Promise<Condition>>

/** What was found out about one thing, in words for the operator. They are in English; who answers another reader retells them. */
export interface Finding<Name extends string = string> {
  name: Name
  state: (typeof CONDITIONS)[number]
  message: string
  /** What to do about it. */
  advice: string | null
}

interface PartHealth extends Finding<PartName> {
  /** When this process first saw the part in its current state. */
  since: string
}

export interface Health {
  look(): Promise<PartHealth[]>
  /** What the last look found; looks if there was none. */
  seen(): Promise<PartHealth[]>
  close(): void
}

/** Checks run regularly, so that `since` is correct even when nobody has asked meanwhile. */
const LOOK_EVERY_MS = 60_000
const ANSWER_WITHIN_MS = 2_000
/** Requests in quick succession get the same result: a check writes to the disk and calls the mail server. */
const STAYS_TRUE_MS = 1_000

export function createHealth(checks: Checks): Health {
  const seen = new Map<PartName, PartHealth>()
  let looking: { at: number; parts: Promise<PartHealth[]> } | undefined
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()

  function look(): Promise<PartHealth[]> {
    if (!looking || performance.now() - looking.at > ANSWER_WITHIN_MS + STAYS_TRUE_MS)
      looking = { at: performance.now(), parts: Promise.all(PARTS.map(observe)) }
    return looking.parts
  }

  async function observe(name: PartName): Promise<PartHealth> {
    const found = await examine(name, checks[name], ANSWER_WITHIN_MS)
    const before = seen.get(name)
    const since = before?.state === found.state ? before.since : new Date().toISOString()
    const part = { ...found, since }
    seen.set(name, part)
    return part
  }

  const lastSeen = async () => (seen.size < PARTS.length ? look() : [...seen.values()])
  return { look, seen: lastSeen, close: () => clearInterval(timer) }
}

/** Checks a part. What the check throws, and that it does not answer in time, is what is wrong with it. */
export async function examine<Name extends PartName>(
  name: Name,
  check: () => Promise<Condition>,
  withinMs: number,
  whatToDo: Said = ADVICE[name],
): Promise<Finding<Name>> {
  const answered = new AbortController()
  const late = sleep(withinMs, undefined, { signal: answered.signal, ref: false }).then(() => {
    throw new Error(english(say('No answer within {seconds} seconds.', { seconds: withinMs / 1000 })))
  })
  try {
    const { state, message, advice = state === 'ok' ? null : whatToDo } = await Promise.race([check(), late])
    return { name, state, message: english(message), advice: advice && english(advice) }
  } catch (error) {
    return { name, state: 'down', message: reasonOf(error), advice: english(whatToDo) }
  } finally {
    late.catch(() => {})
    answered.abort()
  }
}

const english = (said: Said) => wordsOf(said).en

/** A connection attempt at several addresses fails with an error that has no message of its own. */
export function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] }
  return message || errors?.[0]?.message || code || english('It failed without a reason.')
}
