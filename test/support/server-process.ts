import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, inject } from 'vitest'
import { Diwan } from './diwan.ts'
import { endChild, until } from './servers.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-process-tests'
export const SERVER_SECRET = 'server-secret-of-the-process-tests'

export type Env = Record<string, string>

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A process that we started, whether it serves or not. */
export interface Launched {
  pid: number
  stdout(): string
  stderr(): string
  exited: Promise<Exit>
  hasExited(): boolean
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<Exit>
}

/** A process that serves requests. */
export interface ServerProcess extends Launched {
  url: string
  port: number
  /** Acts as the operator, if OPERATOR_TOKEN was set to that of the tests. */
  diwan: Diwan
  startedInMs: number
}

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

const running = new Set<ChildProcess>()
const folders = new Set<string>()

/** Kills every process that this test file has started and not ended yet. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map(child => endChild(child, 'SIGKILL')))
}

// What a failed test leaves running is ended after its file.
afterAll(async () => {
  await endAll()
  // Processes that a killed server had started may go on writing there for a moment.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Starts `node dist/main.js` with only the given environment, plus PATH and the folder for temporary files. */
export function launch(env: Env, args: string[] = ['serve'], under: string[] = [], main = MAIN): Launched {
  const [program, ...rest] = [...under, process.execPath, main, ...args] as [string, ...string[]]
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', text => {
      output[name] += text
    })
  }
  let hasExited = false
  const exited = new Promise<Exit>(resolve =>
    child.once('close', (code, signal) => {
      running.delete(child)
      hasExited = true
      resolve({ code, signal })
    }),
  )
  return {
    pid: child.pid as number,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    hasExited: () => hasExited,
    end(signal) {
      child.kill(signal)
      return exited
    },
  }
}

/** Starts a server on a port chosen by the kernel, and waits until it answers. */
export async function serve(env: Env, under: string[] = [], main = MAIN): Promise<ServerProcess> {
  const startedAt = performance.now()
  const server = launch({ PORT: '0', ...env }, ['serve'], under, main)
  const url = await answering(server)
  if (url === undefined) throw new Error(`The server ended instead of serving: ${server.stderr()}`)
  const startedInMs = performance.now() - startedAt
  const token = env.OPERATOR_TOKEN ?? OPERATOR_TOKEN
  return { ...server, url, port: Number(new URL(url).port), diwan: new Diwan(url, token), startedInMs }
}

/** Waits until it answers and returns its address, or undefined if it ended instead. */
export async function answering(server: Launched, withinMs = 150_000): Promise<string | undefined> {
  let url: string | undefined
  await until(async () => {
    url = server.stdout().match(/^Diwan is running at (http:\S+)\/api\/v1$/m)?.[1]
    return url !== undefined || server.hasExited()
  }, withinMs)
  if (url !== undefined) await until(async () => (await fetch(`${url}/ready`)).status === 200, withinMs)
  return url
}

/** Starts a process that only works on jobs, and waits until it does. */
export async function work(env: Env): Promise<Launched> {
  const worker = launch(env, ['worker'])
  await until(async () => worker.stdout().includes('working on jobs') || worker.hasExited(), 150_000)
  if (worker.hasExited()) throw new Error(`The worker ended instead of working: ${worker.stderr()}`)
  return worker
}

/** A folder that is removed after the tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-process-'))
  folders.add(folder)
  return folder
}

/** The settings of an embedded server whose folder holds a migrated, empty database. */
export function embedded(folder = newFolder()): Env {
  cpSync(inject('embeddedTemplate'), folder, { recursive: true })
  return { DATA_DIR: folder, DEMO: 'off', SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }
}

/** The settings of a node on a PostgreSQL database. */
export function withPostgres(databaseUrl: string, more: Env = {}): Env {
  return {
    DATA_DIR: newFolder(),
    DATABASE_URL: databaseUrl,
    SERVER_SECRET,
    OPERATOR_TOKEN,
    BURST_PER_MINUTE: '0',
    ...more,
  }
}

/** The settings of an embedded server without jobs: it compiles no rules for the virus scan, and starts faster. */
export function withoutJobs(folder?: string): Env {
  return { ...embedded(folder), WORKER: 'off' }
}

/** True when a connection to the port is refused. */
export function refuses(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })
}

/** The strace command to put before a program, which stays our own child; undefined if strace is missing or not permitted. */
export function strace(...options: string[]): string[] | undefined {
  const probe = spawnSync('strace', ['-D', '-o', '/dev/null', 'true'])
  return probe.status === 0 ? ['strace', '-D', '-f', ...options] : undefined
}
