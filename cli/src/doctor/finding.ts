import { setTimeout as sleep } from 'node:timers/promises'
import type { CONDITIONS, Condition } from '../../../src/domain/ports/condition.ts'

/** What was found out about one thing, in words for the operator. */
export interface Finding {
  name: string
  state: (typeof CONDITIONS)[number]
  message: string
  /** What to do about it. */
  advice: string | null
}

export const ok = (name: string, message: string): Finding => ({ name, state: 'ok', message, advice: null })
export const off = (name: string, message: string): Finding => ({ name, state: 'off', message, advice: null })
/** It works, but should not stay that way. */
export const doubtful = (name: string, message: string, advice: string): Finding => ({
  name,
  state: 'degraded',
  message,
  advice,
})
export const fault = (name: string, message: string, advice: string): Finding => ({
  name,
  state: 'down',
  message,
  advice,
})

const ANSWER_WITHIN_MS = 20_000

/** A part is checked as the server checks it. What it throws is the problem. */
export async function look(name: string, advice: string, check: () => Promise<Condition>): Promise<Finding> {
  const answered = new AbortController()
  const late = sleep(ANSWER_WITHIN_MS, undefined, { signal: answered.signal }).then(() => {
    throw new Error(`No answer within ${ANSWER_WITHIN_MS / 1000} seconds.`)
  })
  late.catch(() => {})
  try {
    const condition = await Promise.race([check(), late])
    const { state, message } = condition
    return { name, state, message, advice: state === 'degraded' ? (condition.advice ?? advice) : null }
  } catch (error) {
    return fault(name, wordsOf(error), advice)
  } finally {
    answered.abort()
  }
}

/** A connection attempt to several addresses fails with an error that has no message of its own. */
export function wordsOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] }
  return message || errors?.[0]?.message || code || 'It failed without a reason.'
}
