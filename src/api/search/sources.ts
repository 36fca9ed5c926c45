import sql, { type Sql } from 'sql-template-tag'
import { countsOfList } from '../../domain/records/counts.ts'
import type { KindWith } from '../../domain/records/records.ts'

export type HitType = KindWith<{ isSearched: true }>

interface Source {
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

/** What is searched, in the order in which hits are shown, and what a hit of each kind shows. */
export const SOURCES: Record<HitType, Source> = {
  project: {
    project: 'id',
    shows: sql`'id', n.ref, 'title', n.name, 'project_slug', n.slug, 'archived', n.archived`,
  },
  task_list: {
    alive: sql`and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', n.slug,
      'completed', counts.tasks_count > 0 and counts.tasks_count = counts.completed_tasks_count`,
    joins: countsOfList('n'),
  },
  task: {
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', l.slug, 'task_slug', n.slug,
      'completed', n.completed_at is not null`,
    joins: sql`join task_lists l on l.company_id = n.company_id and l.id = n.task_list_id`,
    within: { column: 'task_list_id', deleted: 'deleted_lists' },
  },
  folder: {
    alive: sql`and n.deleted_at is null`,
    shows: sql`'name', n.name, 'project_slug', p.slug, 'folder_id', n.id`,
  },
  file: {
    shows: sql`'id', n.ref, 'name', n.name, 'project_slug', p.slug, 'folder_id', n.folder_id`,
    within: { column: 'folder_id', deleted: 'deleted_folders' },
  },
  discussion: {
    alive: sql`and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'discussion_slug', n.slug`,
  },
}

export const TYPES = Object.keys(SOURCES) as HitType[]
