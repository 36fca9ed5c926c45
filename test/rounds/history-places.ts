import pg from 'pg'
import { createPostgresDatabase } from '../support/database.ts'
import { feedSettled } from '../support/feed.ts'
import { type Env, embedded, newFolder, OPERATOR_TOKEN, SERVER_SECRET } from '../support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE } from '../support/servers.ts'

/** A place for a server: its settings, what stands still when its database does, and what waits for the database to be at rest. */
export interface HistoryPlace {
  env: Env
  /** The processes of the database, given that of the server. */
  databaseOf(server: number): Promise<number[]>
  settled(): Promise<void>
  remove(): Promise<void>
}

/** The database is in the server's own process. */
export function onEmbedded(): HistoryPlace {
  return { env: embedded(), databaseOf: async server => [server], settled: async () => {}, remove: async () => {} }
}

/** The database server of the run, with a database of its own. */
export async function onPostgres(): Promise<HistoryPlace> {
  const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
  const secrets = { SERVER_SECRET, OPERATOR_TOKEN }
  return {
    env: { DATABASE_URL: url, DATA_DIR: newFolder(), ...secrets, BURST_PER_MINUTE: '0' },
    databaseOf: () => processesOf(url),
    async settled() {
      const pool = new pg.Pool({ connectionString: url })
      await feedSettled(pool)
      await pool.end()
    },
    remove: drop,
  }
}

/** The process that accepts connections comes first, so that none is opened while the others are stopped. */
async function processesOf(url: string): Promise<number[]> {
  const first = await askPostgres(url, `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`)
  const others = `select string_agg(pid::text, ' ') from pg_stat_activity where pid <> pg_backend_pid()`
  return [first, ...(await askPostgres(url, others)).split(' ')].map(Number)
}
