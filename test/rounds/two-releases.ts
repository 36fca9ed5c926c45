import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** An answer of the service; undefined where the call was cut off, and nobody knows whether it was carried out. */
export type Ask = (
  path: string,
  sent: { method: string; headers: Record<string, string>; body: unknown },
) => Promise<{ status: number; text: string } | undefined>

/** How often a call that was cut off is sent again. */
const MOST_ATTEMPTS = 1_500

/** Clients who work while releases are exchanged under them, and what the service has acknowledged and told to them. */
export class LoadUnderUpgrade {
  readonly failed: string[] = []
  readonly tasks: string[] = []
  readonly discussions: string[] = []
  readonly told: string[] = []
  readonly cursors: string[] = []
  /** How often a call was sent again. */
  repeated = 0
  private sent = 0

  constructor(
    private readonly ask: Ask,
    private readonly place: { key: string; projectId: string; listId: string },
  ) {}

  /** What the feed and the receivers of webhooks should have been told: each of these once. */
  everything(): string[] {
    return this.tasks.flatMap(id => [`created ${id}`, `updated ${id}`]).sort()
  }

  /** Sends a call until it is answered. What was cut off is repeated safely: with the same Idempotency-Key, or the same values. */
  async call(method: string, path: string, body?: unknown) {
    const repeatable: Record<string, string> =
      method === 'POST' ? { 'idempotency-key': `${process.pid}-${this.sent++}` } : {}
    const headers = { authorization: `Bearer ${this.place.key}`, ...repeatable }
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const answer = await this.ask(`/api/v1${path}`, { method, headers, body })
      if (answer && answer.status < 300) return JSON.parse(answer.text)
      if (answer) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      this.repeated++
      await sleep(100)
    }
    throw new Error(`${method} ${path} was never answered`)
  }

  /** Creates, changes and reads until it is stopped; what was acknowledged is written down. */
  async write(isOver: () => boolean): Promise<void> {
    const { listId, projectId } = this.place
    for (let n = 0; !isOver(); n++) {
      const { data } = await this.call('POST', `/lists/${listId}/tasks`, { title: 'شراء الأثاث' })
      const changed = await this.call('PATCH', `/tasks/${data.id}`, { notes: 'Two desks' })
      this.tasks.push(data.id)
      const read = await this.call('GET', `/tasks/${data.id}`)
      expect(read.data).toEqual(changed.data)
      await this.call('GET', '/company/tasks?limit=5')
      if (n % 15 === 0) {
        const title = `Moving day ${this.discussions.length} ${Math.random()}`
        await this.call('POST', `/projects/${projectId}/discussions`, { title, body: 'When?' })
        this.discussions.push(title)
      }
      await sleep(100)
    }
  }

  /** Follows the feed, as a client that keeps a copy does. */
  async follow(from: string, isOver: () => boolean): Promise<void> {
    let after = from
    for (let isLast = false; !isLast; ) {
      isLast = isOver()
      const { data, meta } = await this.call('GET', `/company/changes?limit=500&after=${after}`)
      for (const { kind, change, id, cursor } of data) {
        this.cursors.push(cursor)
        if (kind === 'task') this.told.push(`${change} ${id}`)
      }
      after = meta.next_cursor
      await sleep(100)
    }
  }

  async endOfFeed(): Promise<string> {
    return (await this.call('GET', '/company/changes')).meta.next_cursor
  }

  /** Everything that was acknowledged was told, once, and nothing else. */
  expectToldOnce(): void {
    expect(this.failed).toEqual([])
    expect(this.told.toSorted()).toEqual(this.everything())
    expect(new Set(this.cursors).size).toBe(this.cursors.length)
  }
}
