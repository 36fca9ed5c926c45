import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { EngineName } from './both-engines.ts'
import { createPostgresDatabase } from './database.ts'
import { type Env, embedded, newFolder, type ServerProcess, serve } from './server-process.ts'
import { POSTGRES_TEMPLATE } from './servers.ts'
import { tellingPlaces } from './told-places.ts'

const [BIND, PARSE, QUERY] = [0x42, 0x50, 0x51]

/** Reads what a client sends to PostgreSQL on one connection, and counts how often each statement is carried out. */
function statementReader(counts: Map<string, number>): (bytes: Buffer) => void {
  const prepared = new Map<string, string>()
  const count = (text: string) => counts.set(text, (counts.get(text) ?? 0) + 1)
  let unread: Buffer = Buffer.alloc(0)

  function read(letter: number | undefined, body: Buffer): void {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2)
    if (letter === QUERY) count(first)
    if (letter === PARSE) prepared.set(first, second)
    if (letter === BIND) count(prepared.get(second) ?? '')
  }

  return bytes => {
    unread = Buffer.concat([unread, bytes])
    for (;;) {
      const end = unread.length < 5 ? Number.POSITIVE_INFINITY : 1 + unread.readUInt32BE(1)
      if (unread.length < end) break
      read(unread[0], unread.subarray(5, end))
      unread = unread.subarray(end)
    }
  }
}

/** How often each statement was carried out, by its text. */
type Sent = Map<string, number>

const servers: Server[] = []
const sockets = new Set<Socket>()
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

/** A proxy in front of PostgreSQL that writes down every statement. */
async function startReadingProxy(databaseUrl: string): Promise<{ url: string; sent: () => Sent }> {
  const target = new URL(databaseUrl)
  const sent: Sent = new Map()
  const server = createServer(client => {
    const upstream = connect(Number(target.port), target.hostname)
    const read = statementReader(sent)
    let [hasStarted, first]: [boolean, Buffer] = [false, Buffer.alloc(0)]
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.on('data', chunk => {
      upstream.write(chunk)
      if (hasStarted) return read(chunk)
      // The first message has no letter, only its length.
      first = Buffer.concat([first, chunk])
      hasStarted = first.length >= 4 && first.length >= first.readUInt32BE(0)
      if (hasStarted) read(first.subarray(first.readUInt32BE(0)))
    })
    upstream.on('data', chunk => client.write(chunk))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, sent: () => sent }
}

/** What makes a server write down whatever it sends to the thread of the embedded engine, which speaks the same protocol. */
function writingDown(folder: string): { env: Env; sent: () => Sent } {
  const file = join(folder, 'sent-to-the-engine')
  const module = `
    import { appendFileSync } from 'node:fs'
    import { Worker } from 'node:worker_threads'
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message instanceof Uint8Array) appendFileSync(${JSON.stringify(file)}, message)
      return postMessage.call(this, message, ...rest)
    }`
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` },
    sent() {
      const sent: Sent = new Map()
      statementReader(sent)(readFileSync(file))
      return sent
    },
  }
}

export interface Watched {
  server: ServerProcess
  /** All statements so far. */
  sent: () => Sent
  /** The files that had a part in putting a statement together, by its text. Libraries write their statements themselves. */
  places: () => Map<string, string[]>
  /** The database, once the server has ended. */
  open: () => Promise<{ pool: pg.Pool; close: () => Promise<void> }>
}

/** A server whose statements are all seen on their way to the engine. */
export async function serveWatched(engine: EngineName, settings: Env): Promise<Watched> {
  const folder = newFolder()
  const { env: telling, places } = tellingPlaces()
  const env: Env = { ...embedded(folder), ...telling, ...settings }
  if (engine === 'embedded') {
    const { env: writing, sent } = writingDown(newFolder())
    const NODE_OPTIONS = `${telling.NODE_OPTIONS} ${writing.NODE_OPTIONS}`
    const server = await serve({ ...env, NODE_OPTIONS })
    return { server, sent, places, open: () => openEmbedded(folder, console.error) }
  }
  const database = await createPostgresDatabase(POSTGRES_TEMPLATE)
  const proxy = await startReadingProxy(database.url)
  const open = async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    return { pool, close: () => pool.end().then(database.drop) }
  }
  return { server: await serve({ ...env, DATABASE_URL: proxy.url }), sent: proxy.sent, places, open }
}
