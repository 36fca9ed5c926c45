import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ClaimedStep,
  claimStep,
  keepClaim,
  noteDone,
  noteFailure,
  releaseStep,
} from '../../domain/upkeep/upkeep.ts'
import type { WorkerParts } from '../parts.ts'
import { STEPS, type Step } from './steps.ts'

const LOOK_EVERY_MS = 10_000
/** How many steps this process does at the same time: one that takes long does not keep the others waiting. */
const AT_ONCE = 3
/** Shorter than a claim lasts. */
const PIECE_WITHIN_MS = 120_000
const NOTED_EVERY_MS = 30_000

/** Does each step when it is due, until it is stopped. Any number of processes may do so; each step is done by one at a time. */
export function startUpkeep(parts: WorkerParts, steps: Step[] = STEPS): { stop(): Promise<void> } {
  const { db, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const names = steps.map(({ name }) => name)
  const lanes = Array.from({ length: AT_ONCE }, doWhatIsDue)

  return {
    async stop() {
      stopping.abort()
      await Promise.all(lanes)
    },
  }

  async function doWhatIsDue(): Promise<void> {
    while (!signal.aborted) {
      const claimed = await claimStep(db, names).catch(error =>
        log.warn({ err: error }, 'The upkeep could not be looked after'),
      )
      const step = steps.find(({ name }) => name === claimed?.step)
      if (claimed && step) await attempt(step, claimed)
      else await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** A step whose outcome cannot be noted is done again when its claim has expired. */
  async function attempt(step: Step, claimed: ClaimedStep): Promise<void> {
    const count = { removed: 0 }
    try {
      const isDone = await work(step, claimed, count)
      await (isDone ? noteDone : releaseStep)(db, claimed, count.removed)
    } catch (error) {
      log.warn({ err: error, step: step.name }, 'A step of the upkeep failed')
      await noteFailure(db, claimed, count.removed, error as Error).catch(failure =>
        log.warn({ err: failure, step: step.name }, 'A failed step of the upkeep was not noted'),
      )
    }
  }

  /** False when it was interrupted. After each piece the database is left alone for as long as the piece took. */
  async function work(step: Step, claimed: ClaimedStep, count: { removed: number }): Promise<boolean> {
    const pieces = step.run(parts)[Symbol.asyncIterator]()
    for (let notedAt = performance.now(); !signal.aborted; ) {
      const startedAt = performance.now()
      const piece = await inTime(pieces.next())
      if (piece.done) return true
      count.removed += piece.value
      const endedAt = performance.now()
      if (endedAt - notedAt > NOTED_EVERY_MS) {
        if (!(await keepClaim(db, claimed, count.removed))) return false
        count.removed = 0
        notedAt = endedAt
      }
      await sleep(endedAt - startedAt, undefined, { signal }).catch(() => {})
    }
    return false
  }
}

async function inTime<T>(piece: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = sleep(PIECE_WITHIN_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`It made no progress within ${PIECE_WITHIN_MS / 1000} seconds.`)
  })
  late.catch(() => {})
  return Promise.race([piece, late]).finally(() => ended.abort())
}
