import type pg from 'pg'
import { errorCode } from './failures.ts'
import { OWN_SESSION, onOwnConnection, settingsOfPooler } from './sessions.ts'

const MINIMUM_VERSION = 150000

interface Checked {
  url: string
  directUrl: string | undefined
  /** The limit for statements of calls. */
  callMs: number
  onError: (error: Error) => void
}

/** Refuses, in one line, what Diwan cannot work with. Tells whether there is a pooler between it and the server. */
export async function checkServer({ url, directUrl, callMs, onError }: Checked): Promise<{ isPooled: boolean }> {
  const look = (variable: string, at: string, isPooled = false) =>
    onOwnConnection({ url: at, statementMs: 0, isPooled }, onError, readFacts).catch(error => {
      if (isOfPooler(error)) return undefined
      throw new Error(`${variable}: the database does not answer (${error.message || error.code})`)
    })
  const alone = (facts?: Facts) => (facts?.has_own_session ? facts : undefined)

  const atUrl = alone(await look('DATABASE_URL', url))
  if (!atUrl && !directUrl)
    throw new Error('DATABASE_DIRECT_URL must be set, to PostgreSQL itself: DATABASE_URL points at a pooler')
  const server = directUrl ? alone(await look('DATABASE_DIRECT_URL', directUrl)) : atUrl
  if (!server) throw new Error('DATABASE_DIRECT_URL must point at PostgreSQL itself, and not at a pooler')
  requireSuitable(server)
  const through = atUrl ?? (await look('DATABASE_URL', url, true))
  if (!through) throw new Error(`DATABASE_URL must point at ${POOLER}`)
  if (through.database !== server.database)
    throw new Error('DATABASE_DIRECT_URL must point at the same database as DATABASE_URL')
  if (!atUrl) requirePooler(through, settingsOfPooler(callMs))
  return { isPooled: !atUrl }
}

interface Facts {
  version: number
  encoding: string
  matches: boolean
  database: string
  has_own_session: boolean
  /** Whether the server knows a prepared statement by the name that we gave it. */
  keeps_names: boolean
  settings: string[]
}

const [OWN_NAME, OWN_VALUE] = OWN_SESSION.split('=')

const FACTS = {
  name: 'diwan_facts',
  text: `
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      'م' ~ '[[:alpha:]]' as matches,
      concat_ws(' ', s.system_identifier, d.oid) as database,
      current_setting('${OWN_NAME}', true) is not distinct from '${OWN_VALUE}' as has_own_session,
      exists (select from pg_prepared_statements where name = 'diwan_facts') as keeps_names,
      array(select name || '=' || setting from pg_settings) as settings
    from pg_control_system() s, pg_database d where d.datname = current_database()`,
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(FACTS)
  return rows[0] as Facts
}

const PROTOCOL_VIOLATION = '08P01'

/** What PgBouncer answers to a setting that it cannot pass on. PostgreSQL takes all that we send. */
function isOfPooler(error: unknown): boolean {
  return errorCode(error) === PROTOCOL_VIOLATION && String(error).includes('startup parameter')
}

function requireSuitable({ version, encoding, matches }: Facts): void {
  if (version < MINIMUM_VERSION) throw new Error('DATABASE_URL must point at PostgreSQL 15 or newer')
  if (encoding !== 'UTF8') throw new Error('DATABASE_URL must point at a database with the encoding UTF8')
  if (!matches) {
    throw new Error(
      'DATABASE_URL must point at a database whose LC_CTYPE knows Arabic letters: create it with ' +
        "`create database diwan template template0 encoding 'UTF8' lc_ctype 'C.UTF-8' lc_collate 'C.UTF-8'`",
    )
  }
}

const POOLER = 'PgBouncer 1.21 or newer, with pool_mode = transaction and max_prepared_statements above 0'

/** A pooler that follows prepared statements gives them names of its own; otherwise they are gone with the next transaction. */
function requirePooler({ keeps_names, settings }: Facts, needed: string[]): void {
  if (keeps_names) throw new Error(`DATABASE_URL must point at ${POOLER}`)
  const missing = needed.filter(setting => !settings.includes(setting))
  if (missing.length === 0) return
  const query = needed.map(setting => `set ${setting}`).join('; ')
  throw new Error(
    `DATABASE_URL must point at a pooler whose connections have ${missing.join(', ')}: ` +
      `in pgbouncer.ini give the database connect_query='${query}'`,
  )
}
