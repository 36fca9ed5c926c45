/** Runs a limited amount of work at a time. More has to wait, up to a limit too. */
export class Places {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    readonly atOnce: number,
    readonly mostWaiting: number,
  ) {}

  get isIdle(): boolean {
    return this.#running === 0
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.atOnce) this.#running++
    else if (this.#waiting.length >= this.mostWaiting) throw new Error('Too much is waiting already')
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever waits longest takes over the place.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
