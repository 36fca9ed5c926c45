import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { documented } from './documented.ts'
import { type Env, embedded, newFolder, type ServerProcess, serve } from './server-process.ts'

const run = promisify(execFile)

/** Somebody who follows a document, with a server that was just started for the first time and its data folder beside them. */
export function useReader() {
  const here = newFolder()
  const elsewhere = join(here, 'elsewhere')
  const reader = { elsewhere, follow, settings: settings() } as {
    server: ServerProcess
    key: string
    /** Replaces the home folder and /tmp of the document. */
    elsewhere: string
    /** The lines with which the README begins a session: the address, the key, and the function that sends a call. */
    settings: string
    follow: typeof follow
  }
  beforeAll(async () => {
    mkdirSync(elsewhere)
    // A folder with tables and no company is as good as a new one, and ready sooner.
    const { DATA_DIR = '' } = embedded(join(here, 'data'))
    reader.server = await serve({ DATA_DIR, BURST_PER_MINUTE: '0' })
    reader.key = reader.server.stdout().match(/API key {4}(svc_api_\w+)/)?.[1] as string
  })
  afterAll(() => reader.server?.end('SIGKILL'))

  /** Runs commands of a document unchanged except for addresses and paths, and returns what they print. */
  async function follow(script: string, more: Env = {}, cwd = here): Promise<string> {
    const { server, key } = reader
    const env = {
      PATH: process.env.PATH,
      HOME: elsewhere,
      DATA_DIR: join(here, 'data'),
      PORT: String(server.port),
      DIWAN_URL: server.url,
      DIWAN_KEY: key,
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      ...more,
    }
    const moved = script
      .replaceAll('http://127.0.0.1:3000', server.url)
      .replaceAll('/tmp', elsewhere)
      .replace(/^npm (run|pack)/gm, `npm --prefix ${resolve('.')} $1`)
    const { stdout } = await run('bash', ['-euc', moved], { cwd, env, timeout: 600_000 })
    return stdout.trim()
  }
  return reader
}

function settings(): string {
  const [first = ''] = documented('README.md', 'A first session')
  return first.replace('export DIWAN_KEY=svc_api_…', ':')
}
