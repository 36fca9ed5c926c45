import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Client } from '../support/diwan.ts'

/** A request that was sent once. Without an answer nobody knows whether it was carried out. */
export interface Attempt {
  sentAt: number
  /** How many calls it spends when it is carried out: a batch spends one for each of its tasks. */
  calls: number
  answer?: {
    at: number
    status: number
    /** It has passed the check of the daily allowance, which is where a call is spent. */
    hasPassedAllowance: boolean
    isReplay: boolean
  }
}

/** What a client wants done: one request, which is sent again until it is answered or given up. */
export interface Write {
  /** The Idempotency-Key, for methods that take one. */
  name: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** Each record that it creates carries one of these. */
  marks: string[]
  /** The record that it changes, moves or deletes. */
  target?: string
  /** The title that it gives to its target. */
  title?: string
  /** What the records that it creates or moves are then in: a list, a project, a task that is commented on. */
  places: string[]
  attempts: Attempt[]
  /** The answer that ended it, and the records that this answer shows. */
  answer?: { status: number; ids: string[]; body: unknown }
}

export type Wish = Pick<Write, 'method' | 'path'> & Partial<Write>

/** A client that waits longer than this for an answer gives up. */
const PATIENCE_MS = 15_000

/** Statuses after which a caller tries again: a race was lost, or a part was not available. */
const TRY_AGAIN = [409, 503]

/** Everything that the clients of one company have sent, and what came back. */
export class History {
  readonly attempts: Attempt[] = []
  readonly writes: Write[] = []
  readonly #url: string
  readonly #key: string
  #names = 0
  #isUp = Promise.resolve()

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  /** Nothing is sent until then. What is on its way goes its way. */
  holdUntil(isUp: Promise<void>): void {
    this.#isUp = isUp
  }

  newName(): string {
    return `w${++this.#names}`
  }

  /** Repeats a write until it is answered. One whose answer was lost may be given up: then it stays unknown. */
  async write(wish: Wish, givesUp: () => boolean): Promise<Answer | undefined> {
    const write: Write = { name: this.newName(), marks: [], places: [], attempts: [], ...wish }
    this.writes.push(write)
    for (;;) {
      const answer = await this.send(write)
      if (answer && !TRY_AGAIN.includes(answer.status)) {
        const shown = [answer.body.data ?? []].flat()
        write.answer = { status: answer.status, ids: shown.map(({ id }) => String(id)), body: answer.body }
        return answer
      }
      if (!answer && givesUp()) return undefined
      await sleep(30)
    }
  }

  /** Sends a write once more: it is logged like its other attempts. */
  send(write: Write): Promise<Answer | undefined> {
    const { name, method, path, body, attempts, marks } = write
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': name } : {}
    return this.#attempt({ method, path, headers, ...(body && { body }) }, Math.max(1, marks.length), attempts)
  }

  /** Reads until it is answered. */
  async read(path: string): Promise<Answer> {
    for (;;) {
      const answer = await this.#attempt({ method: 'GET', path, headers: {} }, 1)
      if (answer && !TRY_AGAIN.includes(answer.status)) return answer
      await sleep(30)
    }
  }

  /** For code that reads through a client: each of its calls is logged. */
  readonly call = (send: (api: Client) => Promise<Answer>): Promise<Answer> =>
    send({ get: path => this.read(path) } as Client)

  async #attempt(
    { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body?: object },
    calls: number,
    ofWrite: Attempt[] = [],
  ): Promise<Answer | undefined> {
    await this.#isUp
    const attempt: Attempt = { sentAt: performance.now(), calls }
    this.attempts.push(attempt)
    ofWrite.push(attempt)
    try {
      const response = await fetch(`${this.#url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = { status: response.status, headers: response.headers, body: await response.json() }
      attempt.answer = {
        at: performance.now(),
        status: answer.status,
        hasPassedAllowance: answer.status !== 429 && answer.headers.has('x-ratelimit-remaining'),
        isReplay: answer.headers.has('idempotency-replayed'),
      }
      return answer
    } catch {
      return undefined
    }
  }
}
