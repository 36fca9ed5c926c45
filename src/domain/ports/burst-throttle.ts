import type { Condition } from './condition.ts'

/**
 * Admits at most `perMinute` requests of one name in any sixty seconds. What it refuses does not count. A name begins with
 * its kind, of which there are few: `key:5`.
 */
export interface BurstThrottle {
  /** Seconds to wait, or 0 when the request is admitted. */
  admit(name: string): Promise<number> | number
  /** Admits so many requests of every one of these names at once, or none of any. */
  admitMany(names: string[], count: number): Promise<Admission> | Admission
  /** Whether the nodes count together. */
  check(): Promise<Condition>
  close(): Promise<void>
}

export interface Admission {
  /** The name that has to wait longest, and for how many seconds; undefined when all of it was admitted. */
  refused?: { name: string; wait: number }
  /** As if what was admitted had not been asked for. */
  takeBack(): Promise<void> | void
}

/** One that counts in this process alone, and can be told that what it admitted last was none of its business. */
export interface LocalThrottle extends BurstThrottle {
  admit(name: string): number
  admitMany(names: string[], count: number): Admission
  takeBack(name: string): void
}

export const NOT_SHARED: Condition = {
  state: 'off',
  message: 'Not set up: this node counts bursts by itself.',
  advice: 'With several nodes, set REDIS_URL to have them count together.',
}

export const UNTHROTTLED: BurstThrottle = {
  admit: () => 0,
  admitMany: () => ({ takeBack() {} }),
  check: async () => ({
    state: 'off',
    message: 'Bursts are not throttled.',
    advice: 'Set BURST_PER_MINUTE to throttle them.',
  }),
  close: async () => {},
}

export const BURST_WINDOW_MS = 60_000
