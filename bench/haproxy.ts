import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '../test/support/servers.ts'

/** HAProxy as it is deployed, without TLS, which the load generator does not speak. */
export async function startBenchHaproxy(program: string, addresses: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-bench-haproxy-'))
  const [file, port] = [join(folder, 'haproxy.cfg'), await freePort()]
  const servers = addresses.map((address, n) => `  server node-${n + 1} ${address}\n`)
  const deployed = readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace(/^frontend http\n(.+\n)+\n/m, '')
    .replace(/bind "\$\{HTTPS_BIND\}".*/, `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server node-.*\n/gm, '')
  writeFileSync(file, deployed + servers.join(''))
  const child = spawn(program, ['-f', file], { stdio: 'ignore' })
  const exited = new Promise(resolve => child.once('exit', resolve))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok === true)
  return {
    port,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
