import { setTimeout as sleep } from 'node:timers/promises'

/** What comes of it, or null when it fails or takes longer than that. */
export function inTime<T>(asked: Promise<T>, withinMs: number): Promise<T | null> {
  return Promise.race([asked.catch(() => null), sleep(withinMs, null, { ref: false })])
}
