import { expect } from 'vitest'
import type { Launched } from './server-process.ts'

/** The one line of a start that was refused. */
export async function refusal(process: Launched): Promise<string> {
  expect(await process.exited, process.stderr()).toEqual({ code: 1, signal: null })
  expect(process.stdout()).toBe('')
  expect(process.stderr()).toMatch(/^diwan: [^\n]+\n$/)
  return process.stderr()
}
