import { expect } from 'vitest'
import { diwan, type Ended } from './command.ts'
import type { Env } from './server-process.ts'
import { freePort } from './servers.ts'

interface Finding {
  name: string
  state: string
  message: string
  advice: string | null
}

/** The findings that need attention. A sound installation has none. */
export async function faultsIn(env: Env, ended?: Promise<Ended>): Promise<Finding[]> {
  const { code, stdout, stderr } = await (ended ??
    diwan({ PORT: String(await freePort()), ...env }, 'doctor', '--json'))
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  const wrong = findings.filter(({ state }) => state === 'down' || state === 'degraded')
  expect([code, ok]).toEqual(wrong.length > 0 ? [1, false] : [0, true])
  return wrong
}

export const found = (name: string, message: RegExp, advice: RegExp) => ({
  name,
  state: expect.stringMatching(/down|degraded/),
  message: expect.stringMatching(message),
  advice: expect.stringMatching(advice),
})
