import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Env, newFolder } from './server-process.ts'

export interface MovedClock {
  /** What programs that follow this clock are started with. */
  env: Env
  /** In milliseconds, as Date.now. */
  now(): number
  moveOn(days: number): void
  close(): void
}

const DAY_SECONDS = 86_400

/** A clock of its own for the programs that are started with it, which begins now and can be moved on. */
export function startMovedClock(compiler: string): MovedClock {
  const folder = newFolder()
  // A database server may run as another user.
  chmodSync(folder, 0o755)
  const [library, path] = [join(folder, 'clock.so'), join(folder, 'ahead')]
  const source = fileURLToPath(new URL('./moved-clock.c', import.meta.url))
  execFileSync(compiler, ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  const file = openSync(path, 'w+', 0o644)
  let aheadSeconds = 0
  const write = () => writeSync(file, new BigInt64Array([BigInt(aheadSeconds)]), 0, 8, 0)
  write()
  return {
    env: { LD_PRELOAD: library, CLOCK_FILE: path },
    now: () => Date.now() + aheadSeconds * 1000,
    moveOn(days) {
      aheadSeconds += days * DAY_SECONDS
      write()
    },
    close: () => closeSync(file),
  }
}
