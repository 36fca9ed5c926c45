import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askPostgres, endChild, freePort, runAs, until } from './servers.ts'

export interface PgBouncer {
  readonly pid: number
  /** The URL of a database behind it. */
  through(url: string): string
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** PgBouncer as it is deployed, apart from addresses, for every database of a server. `changes` are to its file. */
export async function startPgbouncer(
  program: string,
  server: string,
  changes: (file: string) => string = file => file,
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-pgbouncer-'))
  const [users, file] = [join(folder, 'users'), join(folder, 'pgbouncer.ini')]
  const { hostname, port: serverPort, username } = new URL(server)
  const port = await freePort()
  const deployed = readFileSync('deploy/pgbouncer.ini', 'utf8')
    .replace('diwan = host=postgres port=5432', `* = host=${hostname} port=${serverPort}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('auth_type = scram-sha-256', 'auth_type = trust')
    .replace(/auth_file = .*/, `auth_file = ${users}`)
  writeFileSync(users, `"${username}" ""\n`)
  writeFileSync(file, changes(deployed))
  // As root it refuses to run.
  const user = runAs()
  for (const path of user ? [folder, users, file] : []) chownSync(path, user?.uid as number, user?.gid as number)
  chmodSync(folder, 0o700)

  let child: ChildProcess
  const through = (url: string) => Object.assign(new URL(url), { port: String(port) }).href
  const resume = async () => {
    child = spawn(program, ['--quiet', file], { ...user, stdio: 'ignore', cwd: folder })
    await until(() =>
      askPostgres(through(server), 'select 1').then(
        () => true,
        () => false,
      ),
    )
  }
  const halt = () => endChild(child, 'SIGKILL')
  await resume()
  return {
    get pid() {
      return child.pid as number
    },
    through,
    halt,
    resume,
    async stop() {
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
