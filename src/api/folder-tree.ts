import sql, { type Sql } from 'sql-template-tag'
import { LOCKS, takeLock } from '../db/advisory-locks.ts'
import type { Scope } from '../domain/access/caller.ts'
import { unprocessable } from '../domain/errors.ts'
import { say } from '../domain/sentences/sentences.ts'

const MAX_DEPTH = 50

/**
 * Only one transaction at a time changes the folders of a project, and those that put something into a folder wait for it. So
 * no cycle can form, and a deletion deletes exactly what it counts.
 */
export async function lockTree({ db, company }: Scope, projectId: number, mode: 'reshape' | 'fill'): Promise<void> {
  await takeLock(db, LOCKS.foldersOf(company.id, projectId), mode === 'reshape' ? 'alone' : 'shared')
}

/** The ids of a folder and of those below it that are not deleted. */
export const tree = (companyId: number, folderId: number): Sql => sql`
  with recursive tree (id, project_id, depth) as (
    select id, project_id, 1 from folders where company_id = ${companyId} and id = ${folderId}
    union all
    select f.id, f.project_id, tree.depth + 1 from folders f
    join tree on f.company_id = ${companyId} and f.project_id = tree.project_id and f.parent_folder_id = tree.id
    where f.deleted_at is null
  )`

/** The path of a folder, empty for the root; 422 when the project has no such folder. */
export async function requireFolder(
  { db, company }: Scope,
  field: 'folder_id' | 'parent_folder_id',
  projectId: number,
  id: number | null | undefined,
): Promise<string> {
  if (id === null || id === undefined) return ''
  const folder = await db.maybe<{ path: string }>(sql`
    select folder_path(f.company_id, f.id) as path from folders f
    where f.company_id = ${company.id} and f.project_id = ${projectId} and f.id = ${id} and f.deleted_at is null`)
  if (!folder) throw unprocessable(field, 'must be the id of a folder of the project')
  return folder.path
}

/** Refuses to add this many levels below a path if folders would then nest too deep. */
export function requireDepth(path: string, levels: number): void {
  // A name contains no slash, so each slash in the path is a level.
  if (path.split('/').length - 1 + levels > MAX_DEPTH)
    throw unprocessable('parent_folder_id', say('is too deep: folders nest at most {most} levels', { most: MAX_DEPTH }))
}

/** Refuses a parent that would put a folder into itself, or too deep. */
export async function requireNewParent(
  scope: Scope,
  folder: { id: number; project_id: number },
  parentId: number | null,
): Promise<void> {
  const path = await requireFolder(scope, 'parent_folder_id', folder.project_id, parentId)
  const below = await scope.db.many<{ id: number; depth: number }>(
    sql`${tree(scope.company.id, folder.id)} select id, depth from tree`,
  )
  if (below.some(({ id }) => id === parentId))
    throw unprocessable('parent_folder_id', "can't be the folder itself or one below it")
  requireDepth(path, Math.max(...below.map(row => row.depth)))
}
