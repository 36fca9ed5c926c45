import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Env, newFolder, type ServerProcess } from './server-process.ts'

/**
 * For how many milliseconds the thread that answers requests has run so far, as the kernel counts it. On a busy machine a thread
 * does not seem busier for waiting for its turn.
 */
export function ranMs({ pid }: ServerProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1_000_000
}

/** The settings with which a server tells for how long its thread ran without a pause. */
export function tellsItsStretches(): Env {
  return {
    STRETCHES: join(newFolder(), 'stretches'),
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./told-stretches.mjs', import.meta.url))}`,
  }
}

/** For how long it ran without a pause at most, since it had run for so many milliseconds. */
export async function longestStretchMs({ pid, url }: ServerProcess, env: Env, sinceMs: number): Promise<number> {
  // A stretch is written down before anything else is answered.
  await (await fetch(`${url}/health`)).text()
  const lines = readFileSync(`${env.STRETCHES}.${pid}`, 'utf8').trimEnd().split('\n')
  const told = lines.map(line => line.split(' ').map(Number) as [endedAt: number, ms: number])
  return told.reduce((longest, [endedAt, ms]) => (endedAt > sinceMs && ms > longest ? ms : longest), 0)
}
