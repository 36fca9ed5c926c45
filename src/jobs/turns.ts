import { setTimeout as sleep } from 'node:timers/promises'

/** Companies that had a turn longer ago than so many others are as good as new. */
const REMEMBERED = 1_000

type Take<T> = (running: number[], served: number[]) => Promise<T | undefined>

/** Who is being served and who was, so that every company has at most one turn at a time and none is passed over. */
export function takeTurns(atOnce: number) {
  const running = new Map<number, Promise<void>>()
  const served = new Set<number>()

  return {
    /** What `take` gives, unless all turns are taken. */
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

    /** Until a turn ends, but no longer than that. */
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
