import sql, { join, raw, type Sql } from 'sql-template-tag'
import { isInPlace } from '../domain/deleted-folders.ts'
import { CHANGED_KINDS, type ChangedKind } from '../domain/records.ts'

// The current title of the record of the change `c`. A record in the trash keeps its title, because it can be restored.

const list = (ref: string) => sql`
  (select l.title from task_lists l where l.company_id = c.company_id and l.ref = ${raw(ref)} and l.deleted_at is null)`
/** The tasks of a deleted list are removed in steps, but count as gone with it. */
const task = (ref: string) => sql`
  (select t.title from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
   where t.company_id = c.company_id and t.ref = ${raw(ref)} and l.deleted_at is null)`
const discussion = (ref: string) => sql`
  (select d.title from discussions d where d.company_id = c.company_id and d.ref = ${raw(ref)})`

const TITLES: Record<ChangedKind, Sql> = {
  project: sql`(select p.name from projects p where p.company_id = c.company_id and p.ref = c.record_id)`,
  task_list: list('c.record_id'),
  task: task('c.record_id'),
  /** A comment has no title of its own, so the title of its parent is shown. */
  comment: sql`coalesce(${task('c.parent_id')}, ${discussion('c.parent_id')}, ${list('c.parent_id')})`,
  discussion: discussion('c.record_id'),
  folder: sql`
    (select f.name from folders f where f.company_id = c.company_id and f.id = c.record_id::bigint and f.deleted_at is null)`,
  file: sql`(select f.name from files f where f.company_id = c.company_id and f.ref = c.record_id and ${isInPlace})`,
}

export const titleOf: Sql = sql`case c.kind ${join(
  CHANGED_KINDS.map(kind => sql`when ${raw(`'${kind}'`)} then ${TITLES[kind]}`),
  ' ',
)} end`
