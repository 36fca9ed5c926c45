/**
 * Remembers values by their keys: the latest ones, up to a number, and none that is older than a while. A value becomes the
 * latest when it is set or got. So this shrinks by itself, also when nobody asks any more.
 */
export class Recent<Key, Value> {
  /** The oldest first. */
  readonly #entries = new Map<Key, { value: Value; since: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    readonly most: number,
    readonly forMs: number,
  ) {}

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    const value = this.peek(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /** Like `get`, but the value does not become younger. */
  peek(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    return entry && !this.#isTooOld(entry) ? entry.value : undefined
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, since: performance.now() })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.most && oldest !== undefined) this.#entries.delete(oldest)
    this.#timer ??= setTimeout(() => this.#forgetOld(), this.forMs).unref()
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  #isTooOld({ since }: { since: number }): boolean {
    return performance.now() - since >= this.forMs
  }

  #forgetOld(): void {
    this.#timer = undefined
    for (const [key, entry] of this.#entries) {
      if (!this.#isTooOld(entry)) break
      this.#entries.delete(key)
    }
    if (this.#entries.size > 0) this.#timer = setTimeout(() => this.#forgetOld(), this.forMs).unref()
  }
}
