import { setTimeout as sleep } from 'node:timers/promises'

/** A company whose last turn was before those of this many others counts as new. */
const REMEMBERED = 1_000

type Take<T> = (running: number[], served: number[]) => Promise<T | undefined>

/** Tracks who is being served and who was, so that each company has at most one turn at a time and none is passed over. */
export function takeTurns(atOnce: number) {
  const running = new Map<number, Promise<void>>()
  const served = new Set<number>()

  return {
    /** What `take` returns, unless all turns are taken. */
    next: async <T>(take: Take<T>): Promise<T | undefined> =>
      running.size < atOnce ? take([...running.keys()], [...served]) : undefined,

    begin(companyId: number, work: Promise<void>): void {
      served.delete(companyId)
      served.add(companyId)
      const [longestPast] = served
      if (served.size > REMEMBERED && longestPast !== undefined) served.delete(longestPast)
      running.set(
        companyId,
        work.finally(() => running.delete(companyId)),
      )
    },

    /** Waits until a turn ends, but no longer than the limit. */
    async change(limitMs: number, stop: AbortSignal): Promise<void> {
      const changed = new AbortController()
      const signal = AbortSignal.any([stop, changed.signal])
      await Promise.race([...running.values(), sleep(limitMs, undefined, { signal }).catch(() => {})])
      changed.abort()
    },

    async end(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
