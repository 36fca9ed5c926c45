/**
 * Caches the value made for a key, for a while and for a limited number of keys. A value that could not be made is made again
 * at the next request.
 */
export class Kept<Key, Value> {
  readonly #values = new Map<Key, { until: number; value: Promise<Value> }>()

  constructor(
    readonly most: number,
    readonly forMs: number,
  ) {}

  get(key: Key, make: () => Promise<Value>): Promise<Value> {
    const now = performance.now()
    const known = this.#values.get(key)
    if (known && now < known.until) return known.value
    const made = { until: now + this.forMs, value: make() }
    this.#values.delete(key)
    this.#values.set(key, made)
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.most) break
      this.#values.delete(oldest)
    }
    made.value.catch(() => this.#values.get(key) === made && this.#values.delete(key))
    return made.value
  }
}
