import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { andSeen, type Viewer } from '../domain/access/sight.ts'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import { CHANGED_KINDS, type ChangedKind, RECORDS } from '../domain/records/records.ts'

// The current title of the record of the change `c`. A record in the trash keeps its title, because it can be restored. A task may
// have been moved since to a project that a member does not see: they are not told what it is called there.

/** The title of the record of a kind that a column of the change names. */
function titleIn(kind: Exclude<ChangedKind, 'comment'>, id: string): Sql {
  const { table, title, deletion } = RECORDS[kind]
  const isNamed = 'prefix' in RECORDS[kind] ? raw(`n.ref = ${id}`) : raw(`n.id = ${id}::bigint`)
  const isThere = deletion === 'marked' ? sql`and n.deleted_at is null` : empty
  return sql`(select n.${raw(title)} from ${raw(table)} n where n.company_id = c.company_id and ${isNamed} ${isThere})`
}

/** The tasks of a deleted list are removed in steps, but count as gone with it. */
const task = (ref: string, viewer: Viewer | undefined) => sql`
  (select t.title from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
   where t.company_id = c.company_id and t.ref = ${raw(ref)} and l.deleted_at is null ${viewer ? andSeen(viewer, 't') : empty})`

const file = sql`(select f.name from files f where f.company_id = c.company_id and f.ref = c.record_id and ${isInPlace})`

function titleOfKind(kind: ChangedKind, viewer: Viewer | undefined): Sql {
  if (kind === 'task') return task('c.record_id', viewer)
  if (kind === 'file') return file
  if (kind !== 'comment') return titleIn(kind, 'c.record_id')
  // A comment has no title of its own, so the title of its parent is shown.
  return sql`coalesce(${task('c.parent_id', viewer)}, ${titleIn('discussion', 'c.parent_id')}, ${titleIn('task_list', 'c.parent_id')})`
}

/** Without a viewer, for those who see every project. */
export function titleOf(viewer?: Viewer): Sql {
  const ofKinds = CHANGED_KINDS.map(kind => sql`when ${raw(`'${kind}'`)} then ${titleOfKind(kind, viewer)}`)
  return sql`case c.kind ${join(ofKinds, ' ')} end`
}
