import { type ChildProcess, spawn } from 'node:child_process'
import { until } from './servers.ts'

/** A program that listens at an address, and can be stopped and started again. */
export function childServer(program: string, args: string[], address: string) {
  let child: ChildProcess | undefined
  return {
    async up() {
      if (child) return
      child = spawn(program, args, { stdio: 'ignore' })
      await until(async () => (await fetch(address).catch(() => undefined)) !== undefined)
    },
    async down() {
      const running = child
      child = undefined
      if (!running || running.exitCode !== null) return
      const exited = new Promise(resolve => running.once('exit', resolve))
      running.kill('SIGKILL')
      await exited
    },
  }
}
