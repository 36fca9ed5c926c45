import { setTimeout as sleep } from 'node:timers/promises'

/** The result, or null when it fails or takes longer than the limit. */
export function inTime<T>(asked: Promise<T>, withinMs: number): Promise<T | null> {
  return Promise.race([asked.catch(() => null), sleep(withinMs, null, { ref: false })])
}
