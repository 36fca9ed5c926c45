import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import { CHANGED_KINDS, type ChangedKind, RECORDS } from '../domain/records/records.ts'

// The current title of the record of the change `c`. A record in the trash keeps its title, because it can be restored.

/** The title of the record of a kind that a column of the change names. */
function titleIn(kind: Exclude<ChangedKind, 'comment'>, id: string): Sql {
  const { table, title, deletion } = RECORDS[kind]
  const isNamed = 'prefix' in RECORDS[kind] ? raw(`n.ref = ${id}`) : raw(`n.id = ${id}::bigint`)
  const isThere = deletion === 'marked' ? sql`and n.deleted_at is null` : empty
  return sql`(select n.${raw(title)} from ${raw(table)} n where n.company_id = c.company_id and ${isNamed} ${isThere})`
}

/** The tasks of a deleted list are removed in steps, but count as gone with it. */
const task = (ref: string) => sql`
  (select t.title from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
   where t.company_id = c.company_id and t.ref = ${raw(ref)} and l.deleted_at is null)`

/** The kinds whose title depends on other records too. */
const TITLES = {
  task: task('c.record_id'),
  file: sql`(select f.name from files f where f.company_id = c.company_id and f.ref = c.record_id and ${isInPlace})`,
  // A comment has no title of its own, so the title of its parent is shown.
  comment: sql`coalesce(${task('c.parent_id')}, ${titleIn('discussion', 'c.parent_id')}, ${titleIn('task_list', 'c.parent_id')})`,
}

const titleOfKind = (kind: ChangedKind) =>
  kind === 'task' || kind === 'file' || kind === 'comment' ? TITLES[kind] : titleIn(kind, 'c.record_id')

export const titleOf: Sql = sql`case c.kind ${join(
  CHANGED_KINDS.map(kind => sql`when ${raw(`'${kind}'`)} then ${titleOfKind(kind)}`),
  ' ',
)} end`
