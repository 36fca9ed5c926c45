import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { endProgramsOf, type RunningProgram, unmountBelow } from './run-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that holds everything that a run writes. */
    runFolder: string
  }
}

const PREFIX = 'diwan-run-'
const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * One folder, set as `TMPDIR`, for everything that the tests and the programs that they start write. It is removed when the
 * run ends, however it ends, and the programs are ended too: they are recognised by its name in their environment.
 */
export default function setup({ vitest }: TestProject): (() => void) | undefined {
  const run = vitest.getRootProject()
  // This runs for each project; the first one creates the folder for all.
  if (run.getProvidedContext().runFolder) return undefined
  const place = roomiest()
  removeAbandoned(place)
  const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  run.provide('runFolder', folder)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // This must run before Vitest's own listener, which exits at once.
    process.prependOnceListener(signal, () => {
      try {
        clear(folder)
      } finally {
        process.exit(128 + constants.signals[signal])
      }
    })
  }
  // After a normal run our own children are left alone: Vitest needs them until the very end.
  return () => clear(folder, ({ parent }) => parent !== process.pid)
}

/** In memory if there is enough room, because the tests flush to disk thousands of times. */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize > ROOM_BYTES) return MEMORY
  } catch {
    // This system has no such folder.
  }
  return tmpdir()
}

/** Removes what killed runs have left behind. */
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
