import { setTimeout as sleep } from 'node:timers/promises'
import type { Diwan } from '../../../client/src/index.ts'
import { command } from '../frame/command.ts'
import { harmless, note, print, type Row } from '../frame/output.ts'
import { list, onlyCompany } from './derived.ts'
import { administration, connect, pagesOf, reasonOf, URL_OPTION } from './server.ts'

const COLUMNS = ['at', 'status', 'method', 'path', 'key.name', 'code', 'message', 'ms', 'request_id']
const LOOK_EVERY_MS = 1_000
/** Entries are written a moment after their time, and those of several servers not in the order of their times. */
const MAY_COME_LATE_MS = 30_000
const LONGEST_PAGE = 100

export const requests = command({
  name: 'requests',
  summary: 'Show which calls of API keys failed, and all writes.',
  description: 'Newest first. With --follow, oldest first, and then whatever is added.',
  options: {
    follow: { type: 'flag', help: 'Keep running, and print what is added' },
    'key-id': { type: 'text', value: 'ID', help: 'Only calls of this key' },
    status: { type: 'text', value: 'STATUS', help: 'Only calls that were answered so: 4xx, 5xx, 2xx or a number' },
    method: { type: 'text', value: 'METHOD', help: 'Only calls with this method' },
    operation: { type: 'text', value: 'OPERATION', help: 'Only calls for this operation, such as tasks:write' },
    'request-id': { type: 'text', value: 'ID', help: 'Only the call whose answer had this X-Request-Id' },
    from: { type: 'text', value: 'TIME', help: 'Only calls from this date or time on' },
    to: { type: 'text', value: 'TIME', help: 'Only calls up to this date or time' },
    limit: { type: 'number', default: LONGEST_PAGE, minimum: 1, help: 'Show at most so many of those there are' },
    company: { type: 'text', value: 'ID', help: 'The company; may be left out when there is one' },
    ...URL_OPTION,
    json: { type: 'flag', help: 'Print JSON; with --follow, one entry per line' },
  },
  examples: ['requests --status 5xx', 'requests --follow --key-id 5'],
  async run({ options }) {
    const { follow, company, url, limit, json } = options
    const server = await administration(url)
    const diwan = connect(server)
    const path = `/admin/v1/companies/${encodeURIComponent(company ?? (await onlyCompany(diwan)))}/requests`
    const query = queryOf(options)
    if (!follow) return list(diwan, path, query, COLUMNS, { limit, json })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
    const patient = connect(server, { retryForMs: Infinity, maxWaitMs: Infinity, wait: untilItAnswers })
    for await (const entry of following(await newest(diwan, path, query, limit), patient, path, query))
      print(json ? JSON.stringify(entry) : lineOf(entry))
  },
})

interface Entry {
  at: string
  status: number
  method: string
  path: string
  key: { name: string }
  message: string | null
}

function queryOf(options: Row): Row {
  const names = ['key_id', 'status', 'method', 'operation', 'request_id', 'from', 'to']
  return Object.fromEntries(names.map(name => [name, options[name.replace('_', '-')]]))
}

const untilItAnswers: NonNullable<Parameters<typeof connect>[1]>['wait'] = async (ms, error) => {
  note(`The connection was lost (${reasonOf(error)}): connecting again`)
  await sleep(ms)
}

/** The last entries, oldest first. */
async function newest(diwan: Diwan, path: string, query: Row, most: number): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const { data } of pagesOf(diwan, path, { ...query, limit: Math.min(most, LONGEST_PAGE) })) {
    found.push(...(data as Entry[]))
    if (found.length >= most) break
  }
  return found.slice(0, most).reverse()
}

/** Looks again at the last moments each time, because an entry may appear late, and leaves out what it has seen. */
async function* following(shown: Entry[], diwan: Diwan, path: string, query: Row): AsyncGenerator<Entry> {
  yield* shown
  let [seen, first, last] = [shown, shown.at(-1), shown.at(-1)]
  for (;;) {
    await sleep(LOOK_EVERY_MS)
    const known = new Set(seen.map(entry => JSON.stringify(entry)))
    seen = await newest(diwan, path, { ...query, from: first && last ? since(first, last) : query.from }, Infinity)
    yield* seen.filter(entry => !known.has(JSON.stringify(entry)))
    first ??= seen[0]
    last = seen.at(-1) ?? last
  }
}

/** What is older than the first entry was left out on purpose. */
function since(first: Entry, last: Entry): string {
  return new Date(Math.max(Date.parse(first.at), Date.parse(last.at) - MAY_COME_LATE_MS)).toISOString()
}

function lineOf({ at, status, method, path, key, message }: Entry): string {
  return `${at}  ${status} ${method.padEnd(6)} ${harmless(path)}  ${harmless(key.name)}${message ? `  ${harmless(message)}` : ''}`
}
