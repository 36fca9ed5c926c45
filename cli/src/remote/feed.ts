import { setTimeout as sleep } from 'node:timers/promises'
import { type Change, type Diwan, DiwanError } from '../../../client/src/index.ts'
import type { Options } from '../frame/command.ts'
import { note } from '../frame/output.ts'
import { api, connect, reasonOf, URL_OPTION } from './server.ts'

export const FEED_OPTIONS = {
  kind: { type: 'list', value: 'KIND', help: 'Only these: task, task.completed, comment, …' },
  after: { type: 'text', value: 'CURSOR', help: 'Begin behind this cursor instead of now' },
  ...URL_OPTION,
} as const satisfies Options

/** A client that outlives restarts of the server. */
export function connectPatiently(url: string | undefined): Diwan {
  return connect(api(url), {
    async wait(ms, error) {
      note(`The connection was lost (${reasonOf(error)}): connecting again`)
      await sleep(ms)
    },
  })
}

/** What changes in the company, of these kinds, until the program is told to stop. */
export async function* followFeed(
  diwan: Diwan,
  { kind, after }: { kind: string[] | undefined; after: string | undefined },
): AsyncGenerator<Change> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  const isWanted = (change: Change) =>
    !kind || kind.includes(change.kind) || kind.includes(`${change.kind}.${change.change}`)
  // Read before the stream begins: if it breaks at once, this is where to continue.
  const from = after ?? (await diwan.company.changes()).meta.next_cursor
  for await (const change of follow(diwan, from)) if (isWanted(change)) yield change
}

/** Ends only when the server says that it must. */
async function* follow(diwan: Diwan, after: string): AsyncGenerator<Change> {
  for (let cursor = after; ; ) {
    try {
      yield* diwan.changes({ after: cursor, giveUpAfterMs: Number.POSITIVE_INFINITY })
    } catch (error) {
      if (!(error instanceof DiwanError) || error.code !== 'cursor_expired' || !error.cursor) throw error
      note('The changes since then are no longer kept. From here on nothing is left out')
      cursor = error.cursor
    }
  }
}
