import { FairQueue, type QueueBounds } from '../../lib/fair-queue.ts'

/**
 * Limits how many bytes of request bodies are held at one time, with a share for each company. Bytes are counted as they
 * arrive, so that a body which is announced but not sent uses none of it.
 */
export interface BodyBudget {
  open(companyId: number): BodyAccount
}

/** The bytes that one body holds. */
export interface BodyAccount {
  /** Undefined when the bytes fit; else resolves when they do, or rejects with `NoRoom` when that takes too long. */
  take(bytes: number): Promise<void> | undefined
  /** Returns all bytes to the budget, and ends a wait. May be called more than once. */
  close(): void
}

export function createBodyBudget(bounds: QueueBounds): BodyBudget {
  const room = new FairQueue<number>('request bodies', bounds)
  const waiting = new Set<Account>()
  /** May continue even when nothing is left: otherwise incomplete bodies could all wait for each other. */
  let exempt: Account | undefined

  class Account implements BodyAccount {
    readonly #held: (() => void)[] = []
    readonly #companyId: number
    #goOn: AbortController | undefined
    #isClosed = false

    constructor(companyId: number) {
      this.#companyId = companyId
    }

    take(bytes: number): Promise<void> | undefined {
      if (this === exempt) return undefined
      const leave = room.tryEnter(this.#companyId, bytes)
      if (!leave) return this.#wait(bytes)
      this.#held.push(leave)
      return undefined
    }

    async #wait(bytes: number): Promise<void> {
      exempt ??= this
      if (this === exempt) return
      this.#goOn = new AbortController()
      waiting.add(this)
      try {
        this.#held.push(await room.enter(this.#companyId, bytes, this.#goOn.signal))
      } catch (error) {
        if (!this.#goOn.signal.aborted) throw error
      } finally {
        waiting.delete(this)
        if (this.#isClosed) this.#giveBack()
      }
    }

    goOn(): void {
      this.#goOn?.abort()
    }

    close(): void {
      if (this.#isClosed) return
      this.#isClosed = true
      this.goOn()
      waiting.delete(this)
      this.#giveBack()
      if (exempt !== this) return
      // The one that has waited for the longest time.
      exempt = [...waiting][0]
      exempt?.goOn()
    }

    #giveBack(): void {
      for (const leave of this.#held.splice(0)) leave()
    }
  }

  return { open: companyId => new Account(companyId) }
}
