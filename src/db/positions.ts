import type { ClientBase, QueryConfig } from 'pg'
import sql from 'sql-template-tag'
import type { Db } from './db.ts'
import { OWN_SESSION } from './sessions.ts'

// How far a server has written, or replayed what another has written. Everything that was acknowledged before a position was read
// is before it, because it had been flushed. That holds unless `synchronous_commit` is off for more than the allowance of calls.

/** A column for a statement on the primary: since when its server has been running, and how far it has flushed. */
export const POSITION = sql`, concat_ws('|', pg_postmaster_start_time(), pg_current_wal_flush_lsn()) as position`

export interface Position {
  /** Another one means another server, or the same after a restart: then nothing is known of it any more. */
  runningSince: string
  lsn: string
}

export function readPosition(text: string): Position {
  const [runningSince = '', lsn = ''] = text.split('|')
  return { runningSince, lsn }
}

/** PostgreSQL's default, which only those who compile it can change. */
const PAGE_BYTES = 8_192

/**
 * What nobody waits for, such as the allowance of calls, is flushed by whole pages: then the position is probably in the middle of a
 * record, whose rest follows within 200 ms. A server that follows cannot replay a part of a record, however fast it is.
 */
export function isWithinRecord({ lsn }: Position): boolean {
  return Number.parseInt(lsn.slice(lsn.indexOf('/') + 1), 16) % PAGE_BYTES === 0
}

/** Flushes what is written so far, by a commit that waits for it. */
export function flush(db: Pick<Db, 'raw'>): Promise<unknown> {
  return db.raw(`select pg_logical_emit_message(true, 'diwan', '')`, [])
}

/**
 * Of which history a server is: the cluster, the database in it, and the timeline, which begins anew with each promotion. On
 * another timeline the same position stands for something else.
 */
interface Primary extends Position {
  lineage: string
  /** Whether writes are acknowledged before they are flushed. */
  is_hasty: boolean
}

const [OWN_NAME, OWN_VALUE] = OWN_SESSION.split('=')
const CLUSTER = `from pg_control_system() s, pg_database d where d.datname = current_database()`

export async function lookAtPrimary(db: Pick<Db, 'raw'>): Promise<Primary> {
  const [row] = await db.raw<{ lineage: string; is_hasty: boolean; position: string }>(
    `select concat_ws(' ', s.system_identifier, d.oid,
        ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int) as lineage,
      current_setting('synchronous_commit') = 'off' as is_hasty ${POSITION.text} ${CLUSTER}`,
    [],
  )
  const { position, ...facts } = row as NonNullable<typeof row>
  return { ...facts, ...readPosition(position) }
}

/**
 * The lineage of a server that follows another. Its control file tells the timeline at the last restart point, or a later one; it
 * may be a while until it tells a new one, and until then the server is not used. Throws for a server that follows nobody.
 */
export async function lineageOf(client: Pick<ClientBase, 'query'>, withinMs: number): Promise<string> {
  const statement: QueryConfig & { query_timeout: number } = {
    text: `select concat_ws(' ', s.system_identifier, d.oid, greatest((select timeline_id from pg_control_checkpoint()),
        (select min_recovery_end_timeline from pg_control_recovery()))) as lineage,
      current_setting('${OWN_NAME}', true) is not distinct from '${OWN_VALUE}' as has_own_session,
      pg_is_in_recovery() as is_following ${CLUSTER}`,
    query_timeout: withinMs,
  }
  const { rows } = await client.query<{ lineage: string; is_following: boolean; has_own_session: boolean }>(statement)
  const { lineage, is_following, has_own_session } = rows[0] as (typeof rows)[number]
  if (!has_own_session) throw new Error('DATABASE_REPLICA_URL must point at PostgreSQL itself, and not at a pooler')
  if (!is_following) throw new Error(PROMOTED)
  return lineage
}

export const OF_ANOTHER_LINEAGE = 'It does not follow the primary: it is of another cluster, database or timeline'
export const PROMOTED = 'It was promoted, and follows nobody'

/** A server that was promoted is on its own. */
export type Standing = 'caught up' | 'behind' | 'promoted'

/** Asks a server how it stands towards a position. What is asked on the same connection after that sees at least as much. */
export function standing({ lsn }: Position): QueryConfig {
  return {
    name: 'diwan_standing',
    text: `select case when not pg_is_in_recovery() then 'promoted'
        when pg_last_wal_replay_lsn() >= $1::pg_lsn then 'caught up' else 'behind' end as standing`,
    values: [lsn],
  }
}

/** How old the last write is that the server has replayed; null if it has replayed none yet. */
export const LAG: QueryConfig = {
  text: 'select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds',
}
