import { afterAll, beforeAll } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import { createPostgresDatabase, type Engine } from './database.ts'
import { findPart } from './parts.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withoutJobs,
} from './server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE } from './servers.ts'

export type EngineName = 'embedded' | 'PostgreSQL'

/** The engines that this machine has. */
export const ENGINES: EngineName[] = ['embedded', ...(findPart('postgres') ? (['PostgreSQL'] as const) : [])]

/** The same, as databases call them. */
export const DATABASE_ENGINES: Engine[] = ENGINES.map(name => (name === 'embedded' ? 'embedded' : 'postgres'))

export interface Served {
  server: ServerProcess
  env: Env
  /** Undefined on the embedded engine. */
  databaseUrl: string | undefined
  /** Changes rows behind the server's back. The embedded engine is in the server, which therefore stops and starts again. */
  change(statements: string[]): Promise<void>
  end(): Promise<void>
}

/** A server without jobs on a new database of this engine, unless the settings say otherwise; under another command, if given. */
export async function serveOn(engine: EngineName, settings: Env = {}, under: string[] = []): Promise<Served> {
  const database = engine === 'PostgreSQL' ? await createPostgresDatabase(POSTGRES_TEMPLATE) : undefined
  const own: Env = { DATA_DIR: newFolder(), SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0', WORKER: 'off' }
  const env = { ...(database ? { ...own, DATABASE_URL: database.url } : withoutJobs()), ...settings }
  const served: Served = {
    server: await serve(env, under),
    env,
    databaseUrl: database?.url,
    async change(statements) {
      if (database) {
        for (const statement of statements) await askPostgres(database.url, statement)
        return
      }
      await served.server.end('SIGTERM')
      const opened = await openEmbedded(env.DATA_DIR as string, error => console.error(error))
      for (const statement of statements) await opened.pool.query(statement)
      await opened.close()
      served.server = await serve(env, under)
    },
    async end() {
      await served.server.end('SIGKILL')
      await database?.drop()
    },
  }
  return served
}

/** A server with its jobs, for the tests of a `describe`. */
export function useServerOn(
  engine: EngineName,
  settings: () => Env | Promise<Env> = () => ({}),
  under: string[] = [],
): { server: ServerProcess } {
  const using = { server: {} as ServerProcess }
  let served: Served | undefined
  beforeAll(async () => {
    served = await serveOn(engine, { WORKER: 'on', ...(await settings()) }, under)
    using.server = served.server
  })
  afterAll(() => served?.end())
  return using
}
