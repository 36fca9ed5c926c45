import { createAlarm } from '../lib/alarm.ts'

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
export function takeTurns({ atOnce, ofCompany }: Bounds, stop: AbortSignal) {
  const running = new Set<Turn>()
  const changes = createAlarm()
  stop.addEventListener('abort', changes.ring)
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
      const end = () => {
        running.delete(turn)
        changes.ring()
      }
      const turn: Turn = { companyId, ended: work.finally(end) }
      running.add(turn)
    },

    /** Ends the wait for a change. */
    wake: changes.ring,

    /** Waits until a turn ends, `wake` is called or there is to be no more, but no longer than the limit. */
    change: (limitMs: number): Promise<void> => changes.wait(limitMs),

    async end(): Promise<void> {
      await Promise.all([...running].map(({ ended }) => ended))
    },
  }
}
