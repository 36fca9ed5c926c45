import { vi } from 'vitest'
import { runCommand } from '../../cli/src/command-line.ts'
import type { Ended } from './command.ts'
import type { Env } from './server-process.ts'

/**
 * Runs a command in the process of the test, with only the given environment and its output captured. It takes a tenth of the time
 * of a process of its own. One runs at a time, because all of them write to the one standard output.
 */
export async function diwan(env: Env, ...args: string[]): Promise<Ended> {
  const { env: ownEnv, exitCode } = process
  const listeners = (['SIGINT', 'SIGTERM'] as const).map(signal => [signal, process.listeners(signal)] as const)
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map(name => {
    const write = (text: string | Uint8Array, ...rest: unknown[]) => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      const done = rest.find(each => typeof each === 'function') as (() => void) | undefined
      if (done) queueMicrotask(done)
      return true
    }
    return vi.spyOn(process[name], 'write').mockImplementation(write as never)
  })
  process.env = { PATH: ownEnv.PATH, TMPDIR: ownEnv.TMPDIR, ...env }
  process.exitCode = undefined
  try {
    const failed = await runCommand(args)
    return { code: failed ?? Number(process.exitCode ?? 0), ...output }
  } finally {
    process.exitCode = exitCode
    process.env = ownEnv
    for (const spy of spies) spy.mockRestore()
    for (const [signal, known] of listeners)
      for (const listener of process.listeners(signal))
        if (!known.includes(listener)) process.removeListener(signal, listener)
  }
}

/** Runs a command with `--json` and returns what it prints. */
export async function diwanJson(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await diwan(env, ...args, '--json')
  if (code !== 0) throw new Error(`diwan ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
