import { expect } from 'vitest'
import type { Launched } from './server-process.ts'

/** The single line that a refused start prints, apart from lines about what it was waiting for. */
export async function refusal(process: Launched): Promise<string> {
  expect(await process.exited, process.stderr()).toEqual({ code: 1, signal: null })
  expect(process.stdout()).toBe('')
  const told = process.stderr().replace(/^[^\n]+…\n/gm, '')
  expect(told).toMatch(/^diwan: [^\n]+\n$/)
  return told
}
