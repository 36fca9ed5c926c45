/** Admits at most `perMinute` requests of one name in any sixty seconds. What it refuses does not count. */
export interface BurstThrottle {
  /** Seconds to wait, or 0 when the request is admitted. */
  admit(name: string): Promise<number> | number
  close(): Promise<void>
}

export const BURST_WINDOW_MS = 60_000
