/** Thrown when too much is waiting already, or no room became free in time. Another attempt may succeed soon. */
export class NoRoom extends Error {
  constructor(queue: string, problem: string) {
    super(problem)
    // Shown in the log, which must say what is overloaded.
    this.name = `NoRoom (${queue})`
  }
}

/** How much a queue lets in, and how much of it for one key. Work weighs 1 unless it says otherwise. */
export interface QueueBounds {
  total: number
  perKey: number
  waiting: number
  waitingPerKey: number
  /** Whoever has waited for this long is refused. */
  waitMs: number
  /** A key whose work usually takes longer than this gets less room, because it keeps what it has for longer. */
  quickMs?: number
  /** How much a key may have while others come as well, if that is less. */
  besideOthers?: number
}

/** Gives the room back. */
type Leave = () => void

interface Line<Key> {
  key: Key
  held: number
  waiting: Set<Waiting>
  /** How long its work takes: a moving average in which recent work counts most. */
  usualMs: number
}

interface Visit<Key> {
  key: Key
  at: number
}

interface Waiting {
  weight: number
  admit(): void
  refuse(problem: string): void
}

/** However slow its work, a key may do this much at a time. */
const LEAST_PER_KEY = 2
/** Whoever has come within this time counts as coming: between two of its calls it has nothing to do here. */
const COMING_MS = 1_000

/**
 * Limits what is done at the same time. Whoever finds no room waits; keys take turns, so that one with much to do does not
 * delay the others. Room is never left empty while somebody waits who may have it.
 */
export class FairQueue<Key> {
  readonly #name: string
  readonly #bounds: QueueBounds
  /** The keys that have or want room. The one whose turn is next comes first. */
  readonly #lines = new Map<Key, Line<Key>>()
  /** The two keys that were let in last, and when. */
  #latest: Visit<Key> | undefined
  #latestOther: Visit<Key> | undefined
  #held = 0
  #waiting = 0
  #isClosed = false

  constructor(name: string, bounds: QueueBounds) {
    this.#name = name
    this.#bounds = bounds
  }

  /** Does the work when there is room. Throws `NoRoom` when that is not soon, or when the signal is aborted before. */
  async run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = this.tryEnter(key) ?? (await this.#wait(key, 1, signal))
    try {
      if (signal?.aborted) throw this.#noRoom(LEFT)
      return await work()
    } finally {
      leave()
    }
  }

  /** Undefined when there is no room now. */
  tryEnter(key: Key, weight = 1): Leave | undefined {
    const line = this.#lineOf(key)
    if (this.#isClosed || line.waiting.size > 0 || !this.#fits(line, weight)) return undefined
    return this.#letIn(line, weight)
  }

  /** Waits for room. Throws `NoRoom` when that is not soon, or when the signal is aborted before. */
  async enter(key: Key, weight = 1, signal?: AbortSignal): Promise<Leave> {
    return this.tryEnter(key, weight) ?? this.#wait(key, weight, signal)
  }

  /** Refuses everyone who waits or comes later. */
  close(): void {
    this.#isClosed = true
    for (const { waiting } of [...this.#lines.values()]) for (const each of [...waiting]) each.refuse('It was closed')
  }

  #wait(key: Key, weight: number, signal: AbortSignal | undefined): Promise<Leave> {
    const { waiting, waitingPerKey, waitMs } = this.#bounds
    const line = this.#lineOf(key)
    if (this.#isClosed || this.#waiting >= waiting || line.waiting.size >= waitingPerKey)
      throw this.#noRoom('Too much is waiting already')
    if (signal?.aborted) throw this.#noRoom(LEFT)
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        line.waiting.delete(self)
        this.#waiting--
      }
      const self: Waiting = {
        weight,
        admit: () => {
          stop()
          resolve(this.#letIn(line, weight))
        },
        refuse: problem => {
          stop()
          this.#forgetIfIdle(line)
          reject(this.#noRoom(problem))
          // Those behind it may be lighter.
          this.#admitWaiting()
        },
      }
      const leave = () => self.refuse(LEFT)
      const timer = setTimeout(() => self.refuse(`There was no room within ${waitMs} ms`), waitMs)
      signal?.addEventListener('abort', leave)
      this.#lines.set(key, line)
      line.waiting.add(self)
      this.#waiting++
    })
  }

  /** A new one is kept only once somebody is in it. */
  #lineOf(key: Key): Line<Key> {
    return this.#lines.get(key) ?? { key, held: 0, waiting: new Set(), usualMs: 0 }
  }

  #fits(line: Line<Key>, weight: number): boolean {
    return this.#held + weight <= this.#bounds.total && line.held + weight <= this.#mostOf(line)
  }

  #mostOf({ key, usualMs }: Line<Key>): number {
    const { perKey, quickMs, besideOthers = perKey } = this.#bounds
    const most = besideOthers < perKey && this.#hasOthersThan(key) ? besideOthers : perKey
    if (quickMs === undefined || usualMs <= quickMs) return most
    return Math.min(most, Math.max(LEAST_PER_KEY, Math.floor((perKey * quickMs) / usualMs)))
  }

  #hasOthersThan(key: Key): boolean {
    const other = this.#latest?.key === key ? this.#latestOther : this.#latest
    return other !== undefined && performance.now() - other.at < COMING_MS
  }

  #letIn(line: Line<Key>, weight: number): Leave {
    const since = performance.now()
    if (this.#latest && this.#latest.key !== line.key) this.#latestOther = this.#latest
    this.#latest = { key: line.key, at: since }
    let isIn = true
    this.#lines.set(line.key, line)
    line.held += weight
    this.#held += weight
    return () => {
      if (!isIn) return
      isIn = false
      line.usualMs += (performance.now() - since - line.usualMs) / 8
      line.held -= weight
      this.#held -= weight
      if (this.#waiting > 0) {
        this.#goLast(line)
        this.#admitWaiting()
      }
      this.#forgetIfIdle(line)
    }
  }

  /** One of each key at a time: whoever was admitted is visited again after all others. */
  #admitWaiting(): void {
    for (const line of this.#lines.values()) {
      if (this.#isClosed || this.#waiting === 0 || this.#held >= this.#bounds.total) return
      const [next] = line.waiting
      if (!next || !this.#fits(line, next.weight)) continue
      next.admit()
      this.#goLast(line)
    }
  }

  #goLast(line: Line<Key>): void {
    this.#lines.delete(line.key)
    this.#lines.set(line.key, line)
  }

  #forgetIfIdle({ key, held, waiting }: Line<Key>): void {
    if (held === 0 && waiting.size === 0) this.#lines.delete(key)
  }

  #noRoom(problem: string): NoRoom {
    return new NoRoom(this.#name, problem)
  }
}

const LEFT = 'It was given up while it waited'
