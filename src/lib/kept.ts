import { Recent } from './recent.ts'

/**
 * Caches the value made for a key, for a while and for a limited number of keys. A value that could not be made is made again
 * at the next request.
 */
export class Kept<Key, Value> {
  readonly #values: Recent<Key, Promise<Value>>

  constructor(most: number, forMs: number) {
    this.#values = new Recent(most, forMs)
  }

  get size(): number {
    return this.#values.size
  }

  get(key: Key, make: () => Promise<Value>): Promise<Value> {
    const known = this.#values.peek(key)
    if (known) return known
    const made = make()
    this.#values.set(key, made)
    made.catch(() => this.#values.peek(key) === made && this.#values.delete(key))
    return made
  }
}
