/**
 * Admits at most `perMinute` requests of one name in any sixty seconds. What it refuses does not count. A name begins with
 * its kind, of which there are few: `key:5`.
 */
export interface BurstThrottle {
  /** Seconds to wait, or 0 when the request is admitted. */
  admit(name: string): Promise<number> | number
  close(): Promise<void>
}

/** One that counts in this process alone, and can be told that what it admitted last was none of its business. */
export interface LocalThrottle extends BurstThrottle {
  admit(name: string): number
  takeBack(name: string): void
}

export const BURST_WINDOW_MS = 60_000
