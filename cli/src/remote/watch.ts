import { setTimeout as sleep } from 'node:timers/promises'
import { eventsOf } from '../../../src/lib/event-stream.ts'
import { command, Failure } from '../frame/command.ts'
import { harmless, isRecord, note, print } from '../frame/output.ts'
import { api, ask, pauseOf, type Remote, refusalOf, URL_OPTION } from './server.ts'

const CHANGES = '/api/v1/company/changes'

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
    const remote = api(url)
    const isWanted = (change: Change) =>
      !kind || kind.includes(change.kind) || kind.includes(`${change.kind}.${change.change}`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
    for await (const change of follow(remote, after ?? (await endOfFeed(remote))))
      if (isWanted(change)) print(json ? JSON.stringify(change) : lineOf(change))
  },
})

interface Change {
  at: string
  kind: string
  change: string
  id: string | number
  project_id: string
  actor: string | null
  fields: string[] | null
}

/** Taken before the stream begins: if it breaks, this is where to continue. */
async function endOfFeed(remote: Remote): Promise<string> {
  const { meta } = (await ask(remote, 'GET', CHANGES)) as { meta: { next_cursor: string } }
  return meta.next_cursor
}

const LONGEST_PAUSE_SECONDS = 60
/** The stream sends a sign of life every 25 seconds. */
const SILENT_FOR_MS = 60_000

/** Ends only when the server says that it must. */
async function* follow(remote: Remote, after: string): AsyncGenerator<Change> {
  let cursor = after
  for (let failures = 0; ; failures++) {
    if (failures > 0) await sleep(1000 * Math.min(2 ** (failures - 1), LONGEST_PAUSE_SECONDS))
    const silence = createSilence()
    try {
      const stream = await open(remote, cursor, silence.signal)
      if ('cursor' in stream) {
        note('The changes since then are no longer kept. From here on nothing is left out')
        cursor = stream.cursor
        continue
      }
      for await (const { id, data } of eventsOf(silence.restartedBy(stream.body))) {
        failures = 0
        if (id !== undefined) cursor = id
        if (data !== '') yield JSON.parse(data)
      }
    } catch (error) {
      if (error instanceof Failure) throw error
      note(`The connection was lost (${reasonOf(error)}): connecting again`)
    } finally {
      silence.end()
    }
  }
}

type Opened = { body: AsyncIterable<Uint8Array> } | { cursor: string }

async function open({ url, headers }: Remote, cursor: string, signal: AbortSignal): Promise<Opened> {
  const response = await fetch(`${url}${CHANGES}`, {
    headers: { ...headers, accept: 'text/event-stream', 'last-event-id': cursor },
    redirect: 'error',
    signal,
  })
  if (response.ok && response.body) return { body: response.body }
  const text = await response.text()
  if (response.status === 410) return { cursor: freshCursor(text) }
  const pause = pauseOf(response)
  if (pause !== undefined && pause <= LONGEST_PAUSE_SECONDS) await sleep(pause * 1000)
  // Errors of a server, or of the proxy in front of it, while it restarts are temporary.
  else if (response.status < 500) throw new Failure(refusalOf(response.status, text))
  throw new Error(refusalOf(response.status, text))
}

function freshCursor(text: string): string {
  const body: unknown = JSON.parse(text)
  const cursor = isRecord(body) && isRecord(body.error) ? body.error.cursor : undefined
  if (typeof cursor !== 'string') throw new Failure(refusalOf(410, text))
  return cursor
}

/** Aborts the request when nothing has arrived for a while: a connection can die silently. */
function createSilence() {
  const abort = new AbortController()
  const giveUp = () => abort.abort(new Error('the server has fallen silent'))
  let timer = setTimeout(giveUp, SILENT_FOR_MS)
  return {
    signal: abort.signal,
    async *restartedBy(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        clearTimeout(timer)
        timer = setTimeout(giveUp, SILENT_FOR_MS)
        yield chunk
      }
    },
    end: () => clearTimeout(timer),
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}

function lineOf({ at, kind, change, id, project_id, actor, fields }: Change): string {
  const what = `${kind}.${change}`.padEnd(22)
  const touched = fields ? ` (${fields.join(', ')})` : ''
  return `${at}  ${what}${String(id).padEnd(16)}${project_id}  ${harmless(actor ?? '-')}${touched}`
}
