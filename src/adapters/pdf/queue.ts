import { unavailable } from '../../domain/errors.ts'

export interface QueueBounds {
  waiting: number
  waitingPerCompany: number
  waitSeconds: number
}

export interface FairQueue<Slot> {
  /** Does the work with a slot when it is the company's turn. Throws `unavailable` when that is not soon. */
  run<T>(companyId: number, signal: AbortSignal | undefined, work: (slot: Slot) => Promise<T>): Promise<T>
  /** Turns away everyone who waits or comes later. */
  close(): void
}

interface WaitingRender<Slot> {
  companyId: number
  begin(slot: Slot): void
  turnAway(): void
}

const busy = () => unavailable('Too many PDFs are being made at the moment. Try again soon.')

/** Turns are remembered for this many companies. */
const COMPANIES_REMEMBERED = 1_000

/**
 * A few slots for all companies, and never more than one for each: whatever one company sends, another finds a slot or is next
 * to get one.
 */
export function createFairQueue<Slot>(slots: Slot[], bounds: QueueBounds): FairQueue<Slot> {
  const free = [...slots]
  const served = new Set<number>()
  const waiting = new Set<WaitingRender<Slot>>()
  const turns = createTurns()
  let isClosed = false

  function wait(companyId: number, signal: AbortSignal | undefined): Promise<Slot> {
    const own = [...waiting].filter(other => other.companyId === companyId)
    const isFull = waiting.size >= bounds.waiting || own.length >= bounds.waitingPerCompany
    if (isClosed || isFull || signal?.aborted) throw busy()
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        clearTimeout(timer)
        signal?.removeEventListener('abort', entry.turnAway)
      }
      const entry: WaitingRender<Slot> = {
        companyId,
        begin(slot) {
          leave()
          resolve(slot)
        },
        turnAway() {
          leave()
          reject(busy())
        },
      }
      const timer = setTimeout(entry.turnAway, bounds.waitSeconds * 1000)
      signal?.addEventListener('abort', entry.turnAway)
      waiting.add(entry)
      serve()
    })
  }

  /** Gives free slots to the companies whose last turn was longest ago. */
  function serve(): void {
    while (free.length > 0) {
      const next = turns.first([...waiting].filter(({ companyId }) => !served.has(companyId)))
      if (!next) return
      served.add(next.companyId)
      turns.took(next.companyId)
      // The slot that was returned last is warm.
      next.begin(free.pop() as Slot)
    }
  }

  return {
    async run(companyId, signal, work) {
      const slot = await wait(companyId, signal)
      try {
        return await work(slot)
      } finally {
        served.delete(companyId)
        free.push(slot)
        serve()
      }
    },

    close() {
      isClosed = true
      for (const entry of waiting) entry.turnAway()
    },
  }
}

function createTurns() {
  /** By company, the latest turn last. */
  const taken = new Map<number, number>()
  let count = 0
  return {
    took(companyId: number): void {
      taken.delete(companyId)
      taken.set(companyId, ++count)
      const [oldest] = taken.keys()
      if (taken.size > COMPANIES_REMEMBERED && oldest !== undefined) taken.delete(oldest)
    },

    /** The earliest entry of the company that has had no turn for the longest time. */
    first<T extends { companyId: number }>(entries: T[]): T | undefined {
      const turn = ({ companyId }: T) => taken.get(companyId) ?? 0
      return entries.reduce<T | undefined>((best, next) => (best && turn(best) <= turn(next) ? best : next), undefined)
    },
  }
}
