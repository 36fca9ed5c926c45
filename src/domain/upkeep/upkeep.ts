import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Condition } from '../ports/condition.ts'
import { inBoth, joined, say, type Words } from '../sentences/sentences.ts'

/** A step that is done regularly, as the database knows it. */
export interface KnownStep {
  name: string
  everySeconds: number
}

/** A step that no other process does in the meantime. */
export interface ClaimedStep {
  step: string
  claim: string
}

/** Longer than a piece of a step may take: the process has been killed by then, and another does the step. */
const CLAIMED_FOR_SECONDS = 180
const RETRIED_AFTER_SECONDS = 300
/** A time that is further ahead than it can be, by more than this, was noted while the clock was ahead. */
const AHEAD_SECONDS = 60

/**
 * Makes the steps known. A new one is due after its period; one that is known stays due when it was. The others, which are not
 * steps of this release, rest: they are due never. If they are steps of another release that runs beside this one, its workers
 * wake them again.
 */
export async function registerSteps(db: Db, steps: KnownStep[]): Promise<void> {
  const names = steps.map(({ name }) => name)
  await db.run(sql`update upkeep set due_at = ${never} where step <> all(${names}) and due_at < ${never}`)
  await db.run(sql`
    insert into upkeep (step, every, due_at)
    select step, make_interval(secs => every), now() + make_interval(secs => every)
    from unnest(${names}::text[], ${steps.map(({ everySeconds }) => everySeconds)}::float[]) as known (step, every)
    order by step
    on conflict (step) do update set every = excluded.every, due_at = least(upkeep.due_at, excluded.due_at)
    where upkeep.every <> excluded.every or upkeep.due_at = ${never}`)
}

const never = sql`'infinity'::timestamptz`

/**
 * Takes the step that has been due the longest, and then those that rest: they are known here. What a clock that was ahead has put off
 * is due too, and no claim holds that lasts for longer than one can.
 */
export function claimStep(db: Db, names: string[]): Promise<ClaimedStep | undefined> {
  return db.maybe<ClaimedStep>(sql`
    update upkeep set claim = ${randomUUID()}, claimed_until = ${claimEnd}
    where step = (
      select step from upkeep
      where step = any(${names}) and (due_at <= now() or due_at > now() + every + ${ahead})
        and (claimed_until is null or claimed_until <= now() or claimed_until > ${claimEnd} + ${ahead})
      order by due_at limit 1 for update skip locked)
    returning step, claim`)
}

const ahead = sql`make_interval(secs => ${AHEAD_SECONDS})`
const claimEnd = sql`now() + make_interval(secs => ${CLAIMED_FOR_SECONDS})`
const isClaimed = ({ step, claim }: ClaimedStep) => sql`step = ${step} and claim = ${claim}`

/** Notes progress. False when another process has the step by now. */
export async function keepClaim(db: Db, claimed: ClaimedStep, removed: number): Promise<boolean> {
  const kept = await db.run(sql`
    update upkeep set claimed_until = ${claimEnd}, removed = removed + ${removed} where ${isClaimed(claimed)}`)
  return kept === 1
}

/** The step was not finished, for no fault of its own: it is due again at once. */
export async function releaseStep(db: Db, claimed: ClaimedStep, removed: number): Promise<void> {
  await db.run(sql`
    update upkeep set claim = null, claimed_until = null, removed = removed + ${removed} where ${isClaimed(claimed)}`)
}

export async function noteDone(db: Db, claimed: ClaimedStep, removed: number): Promise<void> {
  await db.run(sql`
    update upkeep set claim = null, claimed_until = null, removed = removed + ${removed}, done_at = now(), due_at = now() + every,
      failure = null, failing_since = null, failures = 0
    where ${isClaimed(claimed)}`)
}

export async function noteFailure(db: Db, claimed: ClaimedStep, removed: number, { message }: Error): Promise<void> {
  await db.run(sql`
    update upkeep set claim = null, claimed_until = null, removed = removed + ${removed},
      due_at = now() + least(every, make_interval(secs => ${RETRIED_AFTER_SECONDS})),
      failure = ${message}, failing_since = coalesce(failing_since, now()), failures = failures + 1
    where ${isClaimed(claimed)}`)
}

export interface StepState {
  step: string
  done_at: string
  /** It has not run to its end for two of its periods. */
  is_overdue: boolean
  failure: string | null
  failing_since: string | null
  failures: number
  removed: number
}

export function readUpkeep(db: Db): Promise<StepState[]> {
  return db.many<StepState>(sql`
    select step, done_at, done_at < now() - 2 * every as is_overdue, failure, failing_since, failures, removed
    from upkeep where due_at < ${never} order by step`)
}

/** Whether every step is done when it is due; if not, which is not, since when and why. */
export async function checkUpkeep(db: Db): Promise<Condition> {
  const steps = await readUpkeep(db)
  const troubled = steps.filter(({ is_overdue, failure }) => is_overdue || failure !== null)
  if (troubled.length === 0)
    return { state: 'ok', message: say('{count} steps, each done when it was due.', { count: steps.length }) }
  const advice = troubled.every(({ failure }) => failure === null)
    ? 'Check that a worker runs: WORKER is not off, or `npm run worker` runs elsewhere.'
    : 'Put right what the message says. A step that failed is tried again within five minutes, and stops no other.'
  return { state: 'degraded', message: joined(troubled.map(describe), inBoth(' ')), advice }
}

function describe({ step, done_at, failure, failing_since }: StepState): Words {
  return failure === null
    ? say('The step {step} has not been done since {time}.', { step, time: String(done_at) })
    : say('The step {step} fails since {time}: {why}.', {
        step,
        time: String(failing_since),
        why: failure.replace(/\.$/, ''),
      })
}
