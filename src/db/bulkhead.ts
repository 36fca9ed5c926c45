/** Thrown when no slot became free in time. The caller may retry soon. */
export class NoRoom extends Error {}

/** Limits concurrent work, with a share for each company: one that sends a lot has to wait, and does not delay the others. */
export interface Bulkhead {
  /** Runs the work when a slot is free; throws `NoRoom` when none becomes free in time. */
  run<T>(companyId: number, work: () => Promise<T>): Promise<T>
}

export interface BulkheadLimits {
  /** How much work may run at the same time: each piece of running work occupies one slot. */
  slots: number
  /** How many of the slots one company may occupy. */
  perCompany: number
  /** Work that has waited for this long is refused: a later answer would be of no use to anybody. */
  waitAtMostMs?: number
  mostWaitingPerCompany?: number
  mostWaiting?: number
}

interface Waiting {
  admit(): void
}

interface Share {
  companyId: number
  running: number
  waiting: Set<Waiting>
  /** How long its work takes: a moving average in which recent work counts most. */
  usualMs: number
}

/** A company whose work usually takes longer than this gets fewer slots, because it occupies each of them for longer. */
const QUICK_MS = 100
const LEAST_PER_COMPANY = 2

export function createBulkhead({
  slots,
  perCompany,
  waitAtMostMs = 5_000,
  mostWaitingPerCompany = 500,
  mostWaiting = 5_000,
}: BulkheadLimits): Bulkhead {
  const shares = new Map<number, Share>()
  let running = 0
  let waiting = 0

  function hasRoom(share: Share): boolean {
    const atItsPace = Math.floor((perCompany * QUICK_MS) / Math.max(share.usualMs, QUICK_MS))
    return running < slots && share.running < Math.min(perCompany, Math.max(LEAST_PER_COMPANY, atItsPace))
  }

  function shareOf(companyId: number): Share {
    let share = shares.get(companyId)
    if (!share) {
      share = { companyId, running: 0, waiting: new Set(), usualMs: 0 }
      shares.set(companyId, share)
    }
    return share
  }

  function forgetIfIdle({ companyId, running, waiting }: Share): void {
    if (running === 0 && waiting.size === 0) shares.delete(companyId)
  }

  function enter(share: Share): void {
    share.running++
    running++
  }

  function leave(share: Share, tookMs: number): void {
    share.usualMs += (tookMs - share.usualMs) / 8
    share.running--
    running--
    if (waiting > 0) {
      goLast(share)
      admitNext()
    }
    forgetIfIdle(share)
  }

  function goLast(share: Share): void {
    shares.delete(share.companyId)
    shares.set(share.companyId, share)
  }

  /** Admits one of each company in turn: a company whose work has ended or was admitted goes to the end of the queue. */
  function admitNext(): void {
    for (const share of shares.values()) {
      if (running >= slots) return
      const [next] = share.waiting
      if (next === undefined || !hasRoom(share)) continue
      next.admit()
      goLast(share)
    }
  }

  function wait(share: Share): Promise<void> {
    if (share.waiting.size >= mostWaitingPerCompany || waiting >= mostWaiting)
      throw new NoRoom('Too many calls are waiting for the database')
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        share.waiting.delete(self)
        waiting--
      }
      const self: Waiting = {
        admit() {
          end()
          enter(share)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        end()
        forgetIfIdle(share)
        reject(new NoRoom(`The database had no room within ${waitAtMostMs} ms`))
      }, waitAtMostMs)
      share.waiting.add(self)
      waiting++
    })
  }

  return {
    async run(companyId, work) {
      const share = shareOf(companyId)
      if (share.waiting.size === 0 && hasRoom(share)) enter(share)
      else await wait(share)
      const startedAt = performance.now()
      try {
        return await work()
      } finally {
        leave(share, performance.now() - startedAt)
      }
    },
  }
}
