import type { Condition } from './condition.ts'
import { ALONE, type SharedPlaces } from './shared-places.ts'

/** How often one person may call the administration surface, with all of their tokens and sessions. */
const PERSON_PER_MINUTE = 600

/** The limit of a name, if `perMinute` is that of addresses and keys. */
export function limitOf(name: string, perMinute: number): number {
  return name.startsWith('person:') ? PERSON_PER_MINUTE : perMinute
}

/**
 * Admits at most so many requests of one name in any sixty seconds: `limitOf` says how many. Refused requests do not count. A
 * name begins with its kind, of which there are few: `key:7:12`.
 */
export interface Throttle {
  /** Seconds to wait, or 0 when the request is admitted. */
  admit(name: string): Promise<number> | number
  /** Admits `count` requests for each of these names at once, or none for any. */
  admitMany(names: string[], count: number): Promise<Admission> | Admission
}

export interface BurstThrottle extends Throttle {
  /** Places that are counted where bursts are. */
  places: SharedPlaces
  /** Whether the nodes share their counts. */
  check(): Promise<Condition>
  close(): Promise<void>
}

export interface Admission {
  /** The name that has to wait longest, and for how many seconds; undefined when everything was admitted. */
  refused?: { name: string; wait: number }
  /** Undoes the admission, as if it had not been requested. */
  takeBack(): Promise<void> | void
}

/** A throttle that counts in this process alone. */
export interface LocalThrottle extends BurstThrottle {
  admit(name: string): number
  admitMany(names: string[], count: number): Admission
}

export const NOT_SHARED: Condition = {
  state: 'off',
  message: 'Not set up: this node counts bursts by itself.',
  advice: 'With several nodes, set REDIS_URL to have them count together.',
}

export const UNTHROTTLED: BurstThrottle = {
  admit: () => 0,
  admitMany: () => ({ takeBack() {} }),
  places: ALONE,
  check: async () => ({
    state: 'off',
    message: 'Bursts are not throttled.',
    advice: 'Set BURST_PER_MINUTE to throttle them.',
  }),
  close: async () => {},
}

export const BURST_WINDOW_MS = 60_000
