import sql, { type Sql } from 'sql-template-tag'
import { countsOfList } from '../../domain/counts.ts'

export const TYPES = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const
export type HitType = (typeof TYPES)[number]

interface Source {
  table: string
  /** The column of the project that a record belongs to, where it is not `project_id`. */
  project?: string
  /** Leaves out deleted records, for kinds that keep them. */
  alive?: Sql
  /** What a record is in. It still exists while that is deleted and being removed. */
  within?: { column: 'task_list_id' | 'folder_id'; deleted: 'deleted_lists' | 'deleted_folders' }
  /** What a hit shows of the record `n` in the project `p`, and what has to be joined for that. */
  shows: Sql
  joins?: Sql
}

/** What is searched: every kind of record, and what a hit of that kind shows. */
export const SOURCES: Record<HitType, Source> = {
  project: {
    table: 'projects',
    project: 'id',
    shows: sql`'id', n.ref, 'title', n.name, 'project_slug', n.slug, 'archived', n.archived`,
  },
  task_list: {
    table: 'task_lists',
    alive: sql`and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', n.slug,
      'completed', counts.tasks_count > 0 and counts.tasks_count = counts.completed_tasks_count`,
    joins: countsOfList('n'),
  },
  task: {
    table: 'tasks',
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', l.slug, 'task_slug', n.slug,
      'completed', n.completed_at is not null`,
    joins: sql`join task_lists l on l.company_id = n.company_id and l.id = n.task_list_id`,
    within: { column: 'task_list_id', deleted: 'deleted_lists' },
  },
  folder: {
    table: 'folders',
    alive: sql`and n.deleted_at is null`,
    shows: sql`'name', n.name, 'project_slug', p.slug, 'folder_id', n.id`,
  },
  file: {
    table: 'files',
    shows: sql`'id', n.ref, 'name', n.name, 'project_slug', p.slug, 'folder_id', n.folder_id`,
    within: { column: 'folder_id', deleted: 'deleted_folders' },
  },
  discussion: {
    table: 'discussions',
    alive: sql`and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'discussion_slug', n.slug`,
  },
}
