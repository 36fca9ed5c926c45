import type pg from 'pg'
import './types.ts'
import { eachHost } from '../lib/each-host.ts'
import { beyondUs, editedOf, readApplied } from './migrate.ts'
import { migrationNames } from './migration-files.ts'
import { clientClass } from './several-hosts.ts'

/** What an operator may need to know about a database, found without changing anything. */
export interface Inspection {
  version: number
  encoding: string
  /** Whether the ctype knows Arabic letters. */
  knowsArabic: boolean
  takesWrites: boolean
  mayCreate: boolean
  maxConnections: number
  /** How far the clock of the database is ahead of ours. */
  aheadMs: number
  /** Null when the database has no table of ours. */
  migrations: {
    missing: string[]
    /** Those of newer releases. */
    unknown: string[]
    edited: string[]
    /** The one that this release cannot work with. */
    beyond: string[]
  } | null
  /** What recognises the server secret; null before the first start. */
  secretMark: { salt: string; fingerprint: string } | null
}

export type Query = Pick<pg.Client, 'query'>

const CONNECT_WITHIN_MS = 5_000

/** Also connects to servers that are too old for Diwan, or otherwise unsuitable. */
export async function askPostgres<T>(url: string, look: (client: Query) => Promise<T>): Promise<T> {
  const Client = clientClass(url)
  const client = new Client({
    connectionString: eachHost(url)[0],
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
    application_name: 'diwan doctor',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await look(client)
  } finally {
    await client.end().catch(() => {})
  }
}

interface Facts {
  version: number
  encoding: string
  knows_arabic: boolean
  takes_writes: boolean
  may_create: boolean
  max_connections: number
  now_ms: number
  has_migrations: boolean
  has_secret_mark: boolean
}

// The letter is computed from a setting, so that PostgreSQL does not evaluate it in advance: other encodings may not have it.
const FACTS = `
  select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
    case when current_setting('server_encoding') <> 'UTF8' then true
      else chr(1605 + 0 * current_setting('server_version_num')::int) ~ '[[:alpha:]]' end as knows_arabic,
    not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes_writes,
    has_schema_privilege(current_schema(), 'create') and has_database_privilege(current_database(), 'create') as may_create,
    current_setting('max_connections')::int as max_connections,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
    to_regclass('migrations') is not null as has_migrations,
    to_regclass('server_secret_mark') is not null as has_secret_mark`

export async function inspect(client: Query): Promise<Inspection> {
  const askedAt = Date.now()
  const { rows } = await client.query<Facts>(FACTS)
  const answeredAt = Date.now()
  const facts = rows[0] as Facts
  return {
    version: facts.version,
    encoding: facts.encoding,
    knowsArabic: facts.knows_arabic,
    takesWrites: facts.takes_writes,
    mayCreate: facts.may_create,
    maxConnections: facts.max_connections,
    aheadMs: Math.round(facts.now_ms - (askedAt + answeredAt) / 2),
    migrations: facts.has_migrations ? await compareMigrations(client) : null,
    secretMark: facts.has_secret_mark ? await readSecretMark(client) : null,
  }
}

async function compareMigrations(client: Query): Promise<Inspection['migrations']> {
  const applied = await readApplied(client)
  const known = await migrationNames()
  const beyond = await beyondUs(applied)
  return {
    missing: known.filter(name => !applied.has(name)),
    unknown: [...applied.keys()].filter(name => !known.includes(name)),
    edited: await editedOf(applied),
    beyond: beyond ? [beyond.name] : [],
  }
}

async function readSecretMark(client: Query): Promise<Inspection['secretMark']> {
  const { rows } = await client.query<{ salt: string; fingerprint: string }>(
    'select salt, fingerprint from server_secret_mark',
  )
  return rows[0] ?? null
}
