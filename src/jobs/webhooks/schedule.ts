const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The pause between each failure and the next attempt; after the last one there is no more. */
export const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Spreads the attempts: what failed together would otherwise come back together. */
const JITTER = 0.2
const LONGEST_MS = 24 * HOUR

/**
 * The pause after this many failed attempts; undefined when there were enough. A receiver that asks for a longer pause gets it,
 * up to a day.
 */
export function pauseAfter(
  attempts: number,
  retryAfterSeconds: number | null,
  pausesMs: readonly number[] = PAUSES_MS,
  random = Math.random(),
): number | undefined {
  const pause = pausesMs[attempts - 1]
  if (pause === undefined) return undefined
  const scheduled = pause * (1 - JITTER + 2 * JITTER * random)
  return Math.max(scheduled, Math.min((retryAfterSeconds ?? 0) * SECOND, LONGEST_MS))
}
