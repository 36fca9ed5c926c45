import { setTimeout as sleep } from 'node:timers/promises'

/** How many turns there are at a time, and how many of them one company may have. */
export interface Bounds {
  atOnce: number
  ofCompany: number
}

interface Turn {
  companyId: number
  ended: Promise<void>
}

/** Tracks who has a turn and who had the last, so that companies come one after the other and none takes all turns. */
export function takeTurns({ atOnce, ofCompany }: Bounds) {
  const running = new Set<Turn>()
  let last = 0

  function havingAll(): number[] {
    const counts = new Map<number, number>()
    for (const { companyId } of running) counts.set(companyId, (counts.get(companyId) ?? 0) + 1)
    return [...counts].flatMap(([companyId, count]) => (count < ofCompany ? [] : companyId))
  }

  return {
    /** What `take` returns for the companies behind the last one that had a turn, unless all turns are taken. */
    next: async <T>(take: (after: number, having: number[]) => Promise<T | undefined>): Promise<T | undefined> =>
      running.size < atOnce ? take(last, havingAll()) : undefined,

    begin(companyId: number, work: Promise<void>): void {
      last = companyId
      const turn: Turn = { companyId, ended: work.finally(() => running.delete(turn)) }
      running.add(turn)
    },

    /** Waits until a turn ends, but no longer than the limit. */
    async change(limitMs: number, stop: AbortSignal): Promise<void> {
      const changed = new AbortController()
      const signal = AbortSignal.any([stop, changed.signal])
      const ends = [...running].map(({ ended }) => ended)
      await Promise.race([...ends, sleep(limitMs, undefined, { signal }).catch(() => {})])
      changed.abort()
    },

    async end(): Promise<void> {
      await Promise.all([...running].map(({ ended }) => ended))
    },
  }
}
