import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const PATIENCE_MS = 5_000

export interface RunningProgram {
  pid: number
  parent: number
  name: string
}

/**
 * Ends every program that was started with the folder in its environment, whichever process is its parent by now. It blocks
 * while it waits, because nothing runs after an interrupt. Without /proc, only the terminal's own interrupt ends them.
 */
export function endProgramsOf(folder: string, which: (found: RunningProgram) => boolean = () => true): void {
  const startedAt = Date.now()
  for (;;) {
    const left = programsOf(folder).filter(which)
    const waitedMs = Date.now() - startedAt
    if (left.length === 0 || waitedMs > 2 * PATIENCE_MS) return
    // PostgreSQL frees its shared memory when it is told to stop, but not when it is killed.
    for (const { pid, name } of left) send(pid, name === 'postgres' && waitedMs < PATIENCE_MS ? 'SIGINT' : 'SIGKILL')
    sleepSync(50)
  }
}

/** A disk that a test has mounted would otherwise prevent the removal of its folder. */
export function unmountBelow(folder: string): void {
  const places = read('/proc/mounts')
    .split('\n')
    .map(line => line.split(' ')[1] ?? '')
  for (const place of places.filter(path => path.startsWith(`${folder}/`)).reverse()) {
    spawnSync('umount', ['-l', place], { stdio: 'ignore' })
  }
}

function programsOf(folder: string): RunningProgram[] {
  return pids()
    .filter(pid => pid !== process.pid && read(`/proc/${pid}/environ`).includes(folder))
    .map(pid => {
      const status = read(`/proc/${pid}/status`)
      return { pid, parent: Number(status.match(/^PPid:\t(\d+)/m)?.[1]), name: status.match(/^Name:\t(.*)/)?.[1] ?? '' }
    })
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Empty when the program has ended, or is not ours. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
