import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Diwan } from '../../../client/src/index.ts'
import { command, Failure, UsageError } from '../frame/command.ts'
import { harmless, note, print, printJson } from '../frame/output.ts'
import { administration, api as apiOf, connect, pagesOf, URL_OPTION } from './server.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const api = command({
  name: 'api',
  summary: 'Make a call of the API with the key in DIWAN_KEY.',
  description:
    'With GET and DELETE the fields are the query, otherwise the body. A path below /admin takes the token of the administration.',
  arguments: [
    { name: 'METHOD', help: METHODS.join(', ') },
    { name: 'PATH', help: 'Below /api/v1: /projects, for example' },
    {
      name: 'FIELD',
      help: 'name=text, name:=JSON, name@FILE for the text of a file (its base64 when the name ends in _base64), or @FILE for a whole body; - is standard input',
      isOptional: true,
      isRest: true,
    },
  ],
  options: {
    paginate: { type: 'flag', help: 'Fetch every page, and print one record a line' },
    raw: { type: 'flag', help: 'Print the body of the answer as it came' },
    include: { type: 'flag', help: 'Print the status and the headers of the answer too' },
    wait: {
      type: 'number',
      default: 60,
      minimum: 0,
      maximum: 3_600,
      value: 'SECONDS',
      help: 'Wait so long in all when calls come too fast',
    },
    ...URL_OPTION,
  },
  examples: [
    'api GET /projects',
    'api POST /projects name="Website launch" is_public:=true',
    'api GET /company/tasks completed=false --paginate',
  ],
  async run({ args: [method = '', path = '', ...fields], options }) {
    const call = await readCall(method.toUpperCase(), path, fields)
    const remote = await (call.path.startsWith('/admin/') ? administration(options.url) : apiOf(options.url))
    const onAnswer = (response: Response) => {
      if (options.include && !options.paginate) printHead(response)
      reportIgnored(response)
    }
    const diwan = connect(remote, { maxWaitMs: options.wait * 1000, onAnswer })
    if (options.paginate) await printEveryPage(diwan, call)
    else await diwan.request(call.method, call.path, { body: call.body, read: options.raw ? printRaw : printBody })
  },
})

interface Call {
  method: string
  path: string
  body: string | undefined
}

async function readCall(method: string, path: string, fields: string[]): Promise<Call> {
  if (!METHODS.includes(method)) throw new UsageError(`METHOD must be one of ${METHODS.join(', ')}`)
  if (!path.startsWith('/')) throw new UsageError('PATH must begin with a slash, as in /projects')
  const address = /^\/(api|admin)\//.test(path) ? path : `/api/v1${path}`
  const [first = ''] = fields
  if (first.startsWith('@')) {
    if (fields.length > 1 || method === 'GET')
      throw new UsageError('@FILE is a whole body: no fields beside it, and not with GET')
    return { method, path: address, body: (await contentOf(first.slice(1))).toString() }
  }
  const values = await Promise.all(fields.map(readField))
  if (method === 'GET' || method === 'DELETE') return { method, path: withQuery(address, values), body: undefined }
  return { method, path: address, body: JSON.stringify(Object.fromEntries(values)) }
}

/** The first of the three signs decides: what follows it is the value, whatever signs that contains. */
async function readField(field: string): Promise<[name: string, value: unknown]> {
  const at = field.search(/[=@]|:=/)
  if (at < 1) throw new UsageError(`FIELD must be name=text, name:=JSON or name@FILE, not ${JSON.stringify(field)}`)
  const name = field.slice(0, at)
  if (field[at] === '=') return [name, field.slice(at + 1)]
  if (field[at] === ':') return [name, parseJson(name, field.slice(at + 2))]
  const content = await contentOf(field.slice(at + 1))
  return [name, content.toString(name.endsWith('_base64') ? 'base64' : 'utf8')]
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${name} must be followed by JSON: ${name}:=true, ${name}:=3, ${name}:='"text"'`)
  }
}

async function contentOf(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin)
  return readFile(file).catch(error => {
    throw new UsageError(`FILE cannot be read: ${error.message}`)
  })
}

function withQuery(path: string, values: [string, unknown][]): string {
  const [address = '', sent = ''] = path.split('?', 2)
  const query = new URLSearchParams(sent)
  for (const [name, value] of values) query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return query.size > 0 ? `${address}?${query}` : address
}

function printHead({ status, headers }: Response): void {
  print(`HTTP ${status}\n${[...headers].map(header => header.join(': ')).join('\n')}\n`)
}

async function printBody(response: Response): Promise<void> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (isJson) printJson(await response.json())
  else await printRaw(response)
}

async function printRaw({ body }: Response): Promise<void> {
  if (body) await pipeline(body, process.stdout, { end: false })
}

const told = new Set<string>()

/** A misspelled name changes nothing, and the server says so in a header. One line is enough for all pages. */
function reportIgnored({ headers }: Response): void {
  for (const what of ['fields', 'parameters']) {
    const names = headers.get(`x-ignored-${what}`)
    if (names === null || told.has(what)) continue
    told.add(what)
    note(`The server ignored unknown ${what}: ${harmless(decoded(names))}`)
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const LONGEST_PAGE = '100'

async function printEveryPage(diwan: Diwan, { method, path }: Call): Promise<void> {
  if (method !== 'GET') throw new UsageError('--paginate is for GET')
  const [address = '', sent = ''] = path.split('?', 2)
  const query = { limit: LONGEST_PAGE, ...Object.fromEntries(new URLSearchParams(sent)) }
  for await (const { data } of pagesOf(diwan, address, query)) {
    if (!Array.isArray(data)) throw new Failure('--paginate is for collections, and this is none')
    for (const record of data) printJson(record)
  }
}
