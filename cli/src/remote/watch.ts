import { setTimeout as sleep } from 'node:timers/promises'
import { type Change, type Diwan, DiwanError } from '../../../client/src/index.ts'
import { command } from '../frame/command.ts'
import { harmless, note, print } from '../frame/output.ts'
import { api, connect, reasonOf, URL_OPTION } from './server.ts'

export const watch = command({
  name: 'watch',
  summary: 'Follow what changes in a company, as it happens.',
  description: 'Needs an API key in DIWAN_KEY. A connection that ends is opened again, and nothing is left out.',
  options: {
    kind: { type: 'list', value: 'KIND', help: 'Only these: task, task.completed, comment, …' },
    after: { type: 'text', value: 'CURSOR', help: 'Begin behind this cursor instead of now' },
    json: { type: 'flag', help: 'Print each change as a line of JSON, with its cursor' },
    ...URL_OPTION,
  },
  examples: ['watch', 'watch --kind task.completed,file --json'],
  async run({ options: { kind, after, json, url } }) {
    const diwan = connect(api(url), {
      async wait(ms, error) {
        note(`The connection was lost (${reasonOf(error)}): connecting again`)
        await sleep(ms)
      },
    })
    const isWanted = (change: Change) =>
      !kind || kind.includes(change.kind) || kind.includes(`${change.kind}.${change.change}`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
    // Read before the stream begins: if it breaks at once, this is where to continue.
    const from = after ?? (await diwan.company.changes()).meta.next_cursor
    for await (const change of follow(diwan, from))
      if (isWanted(change)) print(json ? JSON.stringify(change) : lineOf(change))
  },
})

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

function lineOf({ at, kind, change, id, project_id, actor, fields }: Change): string {
  const what = `${kind}.${change}`.padEnd(22)
  const touched = fields ? ` (${fields.join(', ')})` : ''
  return `${at}  ${what}${String(id).padEnd(16)}${project_id}  ${harmless(actor ?? '-')}${touched}`
}
