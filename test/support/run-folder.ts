import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { endProgramsOf, type RunningProgram, unmountBelow } from './run-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Everything that a run writes is below it. */
    runFolder: string
  }
}

const PREFIX = 'diwan-run-'
const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * One folder for whatever the tests, and the programs that they start, write: `TMPDIR` leads there. It goes with the run,
 * however that ends, and so do the programs: they carry its name in their environment.
 */
export default function setup({ vitest }: TestProject): (() => void) | undefined {
  const run = vitest.getRootProject()
  // Each project asks; the first one makes it for all.
  if (run.getProvidedContext().runFolder) return undefined
  const place = roomiest()
  removeAbandoned(place)
  const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
  // PostgreSQL is another user when we are root.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  run.provide('runFolder', folder)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Before Vitest's own listener, which exits at once.
    process.prependOnceListener(signal, () => {
      try {
        clear(folder)
      } finally {
        process.exit(128 + constants.signals[signal])
      }
    })
  }
  // What is our own child when all goes well, Vitest needs until its very end.
  return () => clear(folder, ({ parent }) => parent !== process.pid)
}

/** In memory where there is room: the tests flush what they write thousands of times. */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize > ROOM_BYTES) return MEMORY
  } catch {
    // There is none on this system.
  }
  return tmpdir()
}

/** What a run that was killed could not take with it. */
function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0
    if (pid > 0 && !isAlive(pid)) clear(join(place, name))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function clear(folder: string, which?: (found: RunningProgram) => boolean): void {
  endProgramsOf(folder, which)
  unmountBelow(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
