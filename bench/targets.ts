import { type ChildProcess, execFileSync, spawn } from 'node:child_process'

export type Env = Record<string, string>

/** What every server that is measured is started with: no limits, and nothing to do but to answer. */
export const BENCH_ENV: Env = {
  SERVER_SECRET: 'the-secret-of-the-benchmark-which-nobody-guesses',
  PORT: '0',
  BURST_PER_MINUTE: '0',
  DEMO: 'off',
  WORKER: 'off',
  LOG_LEVEL: 'warn',
}

/** A process that is measured. */
export interface Target {
  port: number
  pid: number
  /** How much memory it uses. */
  residentMegabytes(): number
}

interface Running extends Target {
  child: ChildProcess
}

/** Starts each process when it is first needed. Only one process at a time can use the embedded database. */
export function createTargets(isExclusive: boolean) {
  const running = new Map<string, Running>()

  async function stop(): Promise<void> {
    await Promise.all([...running.values()].map(({ child }) => end(child)))
    running.clear()
  }

  async function reach(name: string, command: string[], env: Env): Promise<Target> {
    const there = running.get(name)
    if (there) return there
    if (isExclusive) await stop()
    const target = await start(command, env)
    running.set(name, target)
    return target
  }

  return { reach, stop }
}

/** Starts a process, and waits until it reports the port on which it listens. */
async function start(command: string[], env: Env): Promise<Running> {
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${command.join(' ')} did not start`)))
    child.stdout?.setEncoding('utf8').on('data', text => {
      const listening = /127\.0\.0\.1:(\d+)/.exec(text)
      if (listening) resolve(Number(listening[1]))
    })
  })
  const rss = () => execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })
  return { child, port, pid: child.pid as number, residentMegabytes: () => Number(rss()) / 1024 }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}
