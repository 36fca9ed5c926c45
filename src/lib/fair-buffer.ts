interface Share<Entry> {
  entries: Entry[]
  weight: number
}

/**
 * Collects entries of several owners, up to a weight in all. When it is full, the owner with the most loses the older half of
 * its entries: nobody can crowd out what others have.
 */
export class FairBuffer<Owner, Entry> {
  #shares = new Map<Owner, Share<Entry>>()
  #weight = 0
  #dropped = 0

  constructor(
    readonly most: number,
    readonly weigh: (entry: Entry) => number,
  ) {}

  /** How many entries were lost so far. */
  get dropped(): number {
    return this.#dropped
  }

  add(owner: Owner, entry: Entry): void {
    const share = this.#shares.get(owner) ?? { entries: [], weight: 0 }
    this.#shares.set(owner, share)
    const weight = this.weigh(entry)
    share.entries.push(entry)
    share.weight += weight
    this.#weight += weight
    while (this.#weight > this.most) this.#makeRoom()
  }

  /** Hands over all entries, those of each owner from the oldest to the newest. */
  take(): Entry[] {
    const taken = [...this.#shares.values()].flatMap(({ entries }) => entries)
    this.#shares = new Map()
    this.#weight = 0
    return taken
  }

  /** Looking through all owners is rare, because it makes room for many entries. */
  #makeRoom(): void {
    const [first, ...others] = this.#shares.values()
    if (!first) return
    const largest = others.reduce((most, share) => (share.weight > most.weight ? share : most), first)
    const gone = largest.entries.splice(0, Math.ceil(largest.entries.length / 2))
    const weight = gone.reduce((sum, entry) => sum + this.weigh(entry), 0)
    largest.weight -= weight
    this.#weight -= weight
    this.#dropped += gone.length
  }
}
