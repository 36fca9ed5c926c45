import { Recent } from './recent.ts'

/**
 * Caches the value made for a key, for a while and for a limited number of keys. A value that could not be made is made again
 * at the next request, or after `failuresForMs`.
 */
export class Kept<Key, Value> {
  readonly #values: Recent<Key, Promise<Value>>
  readonly #failuresForMs: number

  constructor(most: number, forMs: number, failuresForMs = 0) {
    this.#values = new Recent(most, forMs)
    this.#failuresForMs = failuresForMs
  }

  get size(): number {
    return this.#values.size
  }

  get(key: Key, make: () => Promise<Value>): Promise<Value> {
    const known = this.#values.peek(key)
    if (known) return known
    const made = make()
    this.#values.set(key, made)
    made.catch(() => this.#forget(key, made))
    return made
  }

  #forget(key: Key, failed: Promise<Value>): void {
    const forget = () => this.#values.peek(key) === failed && this.#values.delete(key)
    if (this.#failuresForMs === 0) forget()
    else setTimeout(forget, this.#failuresForMs).unref()
  }
}
