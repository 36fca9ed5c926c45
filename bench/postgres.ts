import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, runAs, until } from '../test/support/servers.ts'

/** A separate PostgreSQL for the benchmark, durable as in production. Its folder is kept, so that the data is made only once. */
export async function startBenchPostgres(binFolder: string, folder: string) {
  const user = runAs()
  const data = join(folder, 'postgres')
  if (!existsSync(data)) {
    mkdirSync(data, { recursive: true })
    if (user) chownSync(data, user.uid, user.gid)
    execFileSync(
      join(binFolder, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      { ...user, stdio: 'ignore', cwd: '/' },
    )
  }
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=512MB',
    'max_wal_size=4GB',
    'max_connections=100',
  ]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])]
  const child = spawn(join(binFolder, 'postgres'), args, { ...user, stdio: 'ignore', cwd: '/' })
  const exited = new Promise(resolve => child.once('exit', resolve))
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await until(() => answers(url('postgres')))
  return {
    pid: child.pid as number,
    /** The address of a database, which is created if it does not exist yet. */
    async database(name: string): Promise<string> {
      const client = new pg.Client(url('postgres'))
      await client.connect()
      const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
      if (rowCount === 0) await client.query(`create database ${name}`)
      await client.end()
      return url(name)
    },
    async stop() {
      child.kill('SIGINT')
      await exited
    },
  }
}

/** A server that follows the one of this URL. Its data is a copy that is made each time, and removed at the end. */
export async function startBenchReplica(binFolder: string, url: string) {
  const user = runAs()
  const folder = mkdtempSync(join(tmpdir(), 'diwan-bench-replica-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const [data, port] = [join(folder, 'data'), await freePort()]
  const copy = ['-D', data, '-d', url, '--write-recovery-conf', '--checkpoint=fast', '--wal-method=stream']
  execFileSync('pg_basebackup', copy, { ...user, stdio: 'ignore', cwd: '/' })
  const args = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const child = spawn(join(binFolder, 'postgres'), args, { ...user, stdio: 'ignore', cwd: '/' })
  const exited = new Promise(resolve => child.once('exit', resolve))
  const own = Object.assign(new URL(url), { port: String(port) }).href
  await until(() => answers(own))
  return {
    url: own,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
