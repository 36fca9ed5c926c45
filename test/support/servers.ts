import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface StartedServer {
  url: string
  pid: number
  stop(): Promise<void>
}

/** A migrated, empty database on the PostgreSQL server of the run. */
export const POSTGRES_TEMPLATE = 'diwan_template'

/** PostgreSQL refuses to run as root, so it then runs as the user that its package created. */
export function runAs(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The data need not survive a crash of the machine, so nothing waits for a flush. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'max_connections=200',
  'max_prepared_transactions=10',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'checkpoint_timeout=1h',
  'max_wal_size=4GB',
]

export interface StartedPostgres extends StartedServer {
  data: string
  /** Stops it and keeps its data. SIGKILL is a crash: the child processes that are left end once they notice. */
  halt(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port with the same data. */
  resume(settings?: string[]): Promise<void>
}

interface PostgresPlace {
  /** Where its folder is made. */
  place?: string
  /** Added to those above, whenever it is started. */
  settings?: string[]
  env?: Record<string, string>
}

/** An empty server, or one that follows another: it begins as a copy, and replays what is written there. */
export async function startPostgres(
  binFolder: string,
  followed?: StartedPostgres,
  { place = tmpdir(), settings: own = [], env = {} }: PostgresPlace = {},
): Promise<StartedPostgres> {
  const folder = mkdtempSync(join(place, 'diwan-postgres-'))
  const user = runAs()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  if (followed) {
    await followed.halt()
    execFileSync('cp', ['-a', followed.data, data], { ...user, cwd: folder })
    await followed.resume()
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${followed.url}'\n`)
    writeFileSync(join(data, 'standby.signal'), '')
  } else {
    execFileSync(
      join(binFolder, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
      {
        ...user,
        stdio: 'ignore',
        cwd: folder,
      },
    )
  }
  const port = await freePort()
  const address = ['-D', data, '-p', String(port), '-k', folder]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  const halt: StartedPostgres['halt'] = async (signal = 'SIGINT') => {
    if (child) await endChild(child, signal)
  }
  const resume = (settings: string[] = []) =>
    until(async () => {
      const args = [...address, ...[...SETTINGS, ...own, ...settings].flatMap(setting => ['-c', setting])]
      // After a crash it refuses to start until all of its old processes have ended.
      if (!child || hasEnded(child))
        child = spawn(join(binFolder, 'postgres'), args, {
          ...user,
          stdio: 'ignore',
          cwd: folder,
          env: { ...process.env, ...env },
        })
      return canQuery(url)
    })
  await resume()
  return {
    url,
    data,
    get pid() {
      return child?.pid as number
    },
    halt,
    resume,
    async stop() {
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function startRedis(program: string, port?: number): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-redis-'))
  const chosen = port ?? (await freePort())
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn(program, args, { stdio: 'ignore' })
  await until(() => canConnect(chosen))
  return {
    url: `redis://127.0.0.1:${chosen}`,
    pid: child.pid as number,
    stop: () => stopChild(child, 'SIGTERM', folder),
  }
}

/** Below the range from which the kernel assigns ports. */
const PORTS = { first: 10_000, count: 6_000 }
/** Listening on a port at this address reserves it on 127.0.0.1 too, even while the server there is starting or down. */
const RESERVING = '127.99.99.99'
/** Processes with consecutive ids begin at different ports, and each continues after the last port that it tried. */
let portsAsked = process.pid * 100

/** A port that no other test process gets as long as this one runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + (portsAsked++ % PORTS.count)
    const reserved = await listening(port, RESERVING)
    if (!reserved) continue
    const server = await listening(port, '127.0.0.1')
    if (!server) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/** Undefined if the port is taken. An address that does not exist (macOS has one loopback address) counts as free. */
function listening(port: number, host: string): Promise<Server | undefined> {
  return new Promise(resolve => {
    const server = createServer()
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? undefined : server))
      .listen(port, host, () => resolve(server.unref()))
  })
}

/** Even on a busy machine, whatever takes this long will never come. */
export async function until(condition: () => Promise<boolean>, withinMs = 150_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not so within ${withinMs} ms: ${condition}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

function canQuery(url: string): Promise<boolean> {
  return askPostgres(url, 'select 1').then(
    () => true,
    () => false,
  )
}

/** Runs a statement and returns the first value of the result. */
export async function askPostgres(url: string, statement: string): Promise<string> {
  const client = new pg.Client(url)
  // A server that crashes may still answer, and close the connection before we do.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return String(rows[0]?.[0])
  } finally {
    await client.end().catch(() => {})
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  await endChild(child, signal)
  rmSync(folder, { recursive: true, force: true })
}

export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill(signal)
  await exited
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
