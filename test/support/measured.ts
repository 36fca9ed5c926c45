import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { diwan } from './command.ts'
import { type Env, newFolder, type ServerProcess } from './server-process.ts'
import { until } from './servers.ts'

export interface Memory {
  heap: number
  buffers: number
  rss: number
}

/** The setting with which a server tells its size (`memoryOf`). */
export const TELLS_ITS_MEMORY: Env = {
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('./told-memory.mjs', import.meta.url))}`,
}

/** How large a server is once it has let go of what nothing holds. */
export async function memoryOf({ pid, stdout }: ServerProcess): Promise<Memory> {
  const told = () => stdout().match(/^memory .+$/gm) ?? []
  const before = told().length
  process.kill(pid, 'SIGUSR2')
  await until(async () => told().length > before)
  return JSON.parse((told().at(-1) as string).slice('memory '.length))
}

/** A figure of a server's metrics, summed over its labels. */
export async function metricOf({ url }: ServerProcess, name: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const lines = (await answer.text()).matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
}

export interface Backup {
  file: string
  /** How many rows each table has. */
  rows: Map<string, number>
}

/** Takes a backup while the server runs, on either engine. Its first entry tells what is in it. */
export async function takeBackup(env: Env): Promise<Backup> {
  const file = join(newFolder(), 'backup.tar')
  const { code, stderr } = await diwan(env, 'backup', file)
  if (code !== 0) throw new Error(`The backup ended with ${code}: ${stderr}`)
  const manifest = JSON.parse(execFileSync('tar', ['-xOf', file, 'manifest.json'], { encoding: 'utf8' }))
  return { file, rows: new Map(manifest.tables.map(({ name, rows }: { name: string; rows: number }) => [name, rows])) }
}

/** The rows of a table as they are in a backup. */
export function rowsIn({ file, rows }: Backup, table: string): Record<string, unknown>[] {
  if (rows.get(table) === 0) return []
  const parts = execFileSync('tar', ['-xOf', file, '--wildcards', `tables/${table}/*`], { maxBuffer: 2 ** 30 })
  return gunzipSync(parts)
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}
