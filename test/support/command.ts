import { type Env, launch } from './server-process.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command of the compiled program until it exits. */
export async function diwan(env: Env, ...args: string[]): Promise<Ended> {
  const command = launch(env, args)
  const { code } = await command.exited
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

/** Runs a command with `--json` and returns what it prints. */
export async function diwanJson(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await diwan(env, ...args, '--json')
  if (code !== 0) throw new Error(`diwan ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
