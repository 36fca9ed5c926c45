import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Viewer } from '../access/sight.ts'
import { CHANGED_KINDS, type ChangedKind } from '../records/records.ts'
import { REMOVED_AT_ONCE } from '../upkeep/retention.ts'
import type { ChangeEntry, DatedPosition, Position } from './entry.ts'
import { asSeen, concerns, openAmong } from './seen.ts'

/** Instants in the format of the API: inside JSON the database would write them differently. */
export const entryColumns = sql`tx::text, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  kind, change, record_id, project_id, parent_id, actor, fields, left_project_id, left_parent_id`

/** Uses the columns of the table: in the select list, `tx` is text. */
export const inOrder = sql`changes.tx, changes.id`

/** The condition that an entry comes after a position, and that its transaction and all earlier ones have ended. */
export function isSettledBehind(tx: Sql, id: Sql): Sql {
  return sql`(tx, id) > (${tx}, ${id}) and tx < pg_snapshot_xmin(pg_current_snapshot())`
}

export interface FeedPage {
  entries: ChangeEntry[]
  /** Where the next page begins. */
  next: DatedPosition
  more: boolean
  /** No entry of the page comes after this. */
  now: Position
}

/** How many entries are examined for a page when the caller does not see all of them. */
const LOOKED_AT = 5_000

/**
 * A page of the feed. Whatever commits later comes after it, so nothing is ever skipped.
 *
 * A position is always that of an entry, and never just the number of the next transaction: after a crash, PostgreSQL reuses
 * the numbers of transactions that left no trace on the disk. An entry that can be read has left one.
 */
export async function readFeed(
  db: Db,
  { viewer, after, kinds, limit }: { viewer: Viewer; after: Position; kinds: ChangedKind[]; limit: number },
): Promise<FeedPage> {
  const { company, sight } = viewer
  const behind = sql`from changes
    where company_id = ${company.id} and ${isSettledBehind(sql`${after.tx}::xid8`, sql`${after.id}::bigint`)}
    order by ${inOrder}`
  const seesAll = kinds.length === CHANGED_KINDS.length && sight === 'company'
  const isSeen = sight === 'company' ? empty : sql`and ${concerns(viewer, sql`looked_at`)}`
  const looked = sql`from (select * ${behind} limit ${LOOKED_AT}) looked_at where kind = any(${kinds}) ${isSeen} order by looked_at.tx, looked_at.id`
  const lastLookedAt = sql`(
    select json_build_object('tx', tx::text, 'id', id, 'atMs', extract(epoch from at) * 1000, 'count', count) from (
      select tx, id, at, count(*) over () from (select tx, id, at ${behind} limit ${LOOKED_AT}) looked_at
      order by tx desc, id desc limit 1) last)`
  const page = await db.one<{
    now: string
    entries: ChangeEntry[]
    last: (DatedPosition & { count: number }) | null
  }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as now, ${seesAll ? sql`null::json` : lastLookedAt} as last,
      coalesce((select json_agg(entry) from (
        select ${entryColumns} ${seesAll ? behind : looked} limit ${limit + 1}) entry), '[]') as entries`)
  const entries = page.entries.slice(0, limit)
  const open = sight === 'company' ? undefined : await openAmong(db, viewer, entries)
  const isFull = page.entries.length > limit
  const last = (isFull ? undefined : page.last) ?? dated(entries.at(-1))
  const more = isFull || page.last?.count === LOOKED_AT
  const { tx, id } = last ?? after
  const next = { tx, id, atMs: more && last ? last.atMs : Date.now() }
  const shown = open ? entries.flatMap(entry => asSeen(entry, open) ?? []) : entries
  return { entries: shown, next, more, now: { tx: page.now, id: 0 } }
}

function dated(entry: ChangeEntry | undefined): DatedPosition | undefined {
  return entry && { tx: entry.tx, id: entry.id, atMs: Date.parse(entry.at) }
}

/** The position of the last entry of a company. */
export async function endOfFeed(db: Db, companyId: number): Promise<Position> {
  const last = await db.maybe<Position>(sql`
    select tx::text, id from changes
    where company_id = ${companyId} and tx < pg_snapshot_xmin(pg_current_snapshot())
    order by changes.tx desc, changes.id desc limit 1`)
  return last ?? { tx: '0', id: 0 }
}

/**
 * The position after which the feeds of all companies contain everything that this snapshot does not see. Under load they may
 * also repeat a little of what it does see.
 */
export async function endOfEveryFeed(db: Db): Promise<Position> {
  const last = await db.maybe<Position>(sql`
    select last.tx::text, last.id from companies c cross join lateral (
      select tx, id from changes
      where company_id = c.id and tx < pg_snapshot_xmin(pg_current_snapshot())
      order by changes.tx desc, changes.id desc limit 1) last
    order by last.tx desc, last.id desc limit 1`)
  return last ?? { tx: '0', id: 0 }
}

/** Removes entries that came with a dump of another database and have its transaction numbers. */
export async function* removeForeignChanges(db: Db): AsyncGenerator<number> {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    removed = await db.run(sql`
      delete from changes where (company_id, tx, id) in (
        select foreign_ones.* from companies c cross join lateral (
          select company_id, tx, id from changes
          where company_id = c.id and tx >= pg_snapshot_xmax(pg_current_snapshot()) limit ${REMOVED_AT_ONCE}) foreign_ones
        limit ${REMOVED_AT_ONCE})`)
    yield removed
  }
}

/**
 * Identifies this database in its cursors: another database numbers its transactions differently, and one that was restored on
 * the same server has another history.
 */
export async function feedEpoch(db: Db): Promise<string> {
  const { epoch } = await db.one<{ epoch: string }>(sql`
    select to_hex(hashtextextended(concat_ws(' ', s.system_identifier, d.oid, (select min(applied_at) from migrations)), 0)) as epoch
    from pg_control_system() s, pg_database d where d.datname = current_database()`)
  return epoch
}
