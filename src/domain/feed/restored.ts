import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** A temporary table for entries of another database until they are renumbered. Dropped at the end of the transaction. */
export const FOREIGN_CHANGES = 'foreign_changes'

export async function makeRoomForForeignChanges(tx: Db): Promise<void> {
  await tx.raw(`create temporary table ${FOREIGN_CHANGES} (like changes) on commit drop`, [])
}

/** The lowest number that a transaction can have. */
const FIRST_TX = 3

/**
 * Takes over entries from the feed of another database, where transactions have other numbers. The entries of a company keep
 * their order; they are spread over the transaction numbers that this database has already used, so that all of them count as
 * ended and everything new comes after them. Each webhook keeps its place among them, so that it is still told of what it had
 * not been told of. Where other companies are in the database already, `companies` names those that come with their entries: the
 * webhooks of the others stay where they are.
 */
export async function adoptForeignChanges(tx: Db, companies?: number[]): Promise<void> {
  const foreign = raw(FOREIGN_CHANGES)
  const areTheirs = companies ? sql`w.company_id = any(${companies})` : sql`true`
  await tx.raw(`analyze ${FOREIGN_CHANGES}`, [])
  await tx.run(sql`
    insert into changes (company_id, tx, id, at, kind, change, record_id, project_id, parent_id, actor, key_id, fields, left_project_id,
        left_parent_id, traceparent)
      overriding system value
    select company_id, (${FIRST_TX}::bigint + (n - 1) * (had.txs - ${FIRST_TX}) / total)::text::xid8, n,
      at, kind, change, record_id, project_id, parent_id, actor, key_id, fields, left_project_id, left_parent_id, traceparent
    from (
      select *, row_number() over (partition by company_id order by tx, id) as n, count(*) over (partition by company_id) as total
      from ${foreign}) c
    cross join (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as txs) had`)
  await tx.run(sql`
    update webhooks w set change_id = place.n, told_since = '1:1:'::pg_snapshot,
      tx = coalesce((select c.tx from changes c where c.company_id = w.company_id and c.id = place.n), '0'::xid8)
    from (
      select company_id, id, (
        select count(*) from ${foreign} c where c.company_id = w.company_id and (c.tx, c.id) <= (w.tx, w.change_id)) as n
      from webhooks w where ${areTheirs}) place
    where place.company_id = w.company_id and place.id = w.id`)
}
