import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isInSight, type Viewer } from '../access/sight.ts'

/** The condition that the notification `n` is the viewer's own, and not about a project that they do not see. */
export function isForViewer(viewer: Viewer): Sql {
  return sql`n.company_id = ${viewer.company.id} and n.user_id = ${viewer.signer.id} and not exists (
    select from notices about join projects p on p.company_id = about.company_id and p.id = about.project_id
    where about.company_id = n.company_id and about.id = n.notice_id and not (${isInSight(viewer)}))`
}

/** How many of them the viewer has not read. */
export async function countUnread(db: Db, viewer: Viewer): Promise<number> {
  const { unread } = await db.one<{ unread: number }>(
    sql`select count(*) as unread from notifications n where ${isForViewer(viewer)} and n.read_at is null`,
  )
  return unread
}
