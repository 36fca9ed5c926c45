import sql from 'sql-template-tag'
import Type from 'typebox'
import type { Scope } from '../domain/access/caller.ts'
import { andSeen, isInSight, type Viewer } from '../domain/access/sight.ts'
import { unprocessable } from '../domain/errors.ts'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import { isRef } from '../domain/records/refs.ts'
import { type Said, say } from '../domain/sentences/sentences.ts'

export const AttachedRefs = Type.Array(Type.String(), {
  maxItems: 10,
  description: 'Refs (`fil-…`) of files of the same project, at most 10',
})

/** A file attached to a comment: its name when it was attached, and its ref for as long as the file exists. */
export interface Attached {
  name: string
  ref: string | null
}

/**
 * The files of the comment `c`, in their order. A file of a deleted project or folder is gone with it. A task that was moved
 * brings its files from another project, which the viewer may not see.
 */
export const attachedFiles = (viewer: Viewer) => sql`coalesce((
  select json_agg(json_build_object('name', a.name, 'ref', (
    select f.ref from files f join projects its on its.company_id = f.company_id and its.id = f.project_id
    where f.company_id = a.company_id and f.id = a.file_id and ${isInSight(viewer, 'its')} and ${isInPlace})) order by a.position)
  from comment_attachments a where a.company_id = c.company_id and a.comment_id = c.id), '[]') as attached`

export interface FileToAttach {
  id: number
  ref: string
  name: string
}

/**
 * Finds the files with these refs, in the same order, and locks them until the commit; 422 names the first that is not in the
 * project. A file that the comment already has may stay, even if its task has since been moved to another project, unless the
 * viewer does not see that one.
 */
export async function findFilesToAttach(
  viewer: Scope & Viewer,
  refs: string[],
  { project_id, comment_id = null }: { project_id: number; comment_id?: number | null },
): Promise<FileToAttach[]> {
  if (refs.length === 0) return []
  const { db, company } = viewer
  const files = await db.many<FileToAttach>(sql`
    select f.id, f.ref, f.name from files f
    where f.company_id = ${company.id} and f.ref = any(${refs.filter(isRef)}) and ${isInPlace} and (f.project_id = ${project_id} or exists (
      select from comment_attachments a
      where a.company_id = f.company_id and a.file_id = f.id and a.comment_id = ${comment_id}))
      ${andSeen(viewer, 'f')}
    order by f.id for key share of f`)
  return refs.map((ref, n) => {
    const file = files.find(each => each.ref === ref)
    if (!file) throw unprocessable(`attachments[${n}]`, problemOf(ref))
    return file
  })
}

function problemOf(ref: string): Said {
  return isRef(ref)
    ? say('{ref} is not a file of the project', { ref })
    : 'must be the ref of a file, such as fil-9d4w7c1hza'
}

export async function attachFiles({ db, company }: Scope, commentId: number, files: FileToAttach[]): Promise<void> {
  if (files.length === 0) return
  await db.run(sql`
    insert into comment_attachments (company_id, comment_id, position, file_id, name)
    select ${company.id}, ${commentId}, file.position, file.id, file.name
    from unnest(${files.map(({ id }) => id)}::bigint[], ${files.map(({ name }) => name)}::text[])
      with ordinality as file (id, name, position)`)
}

/** Replaces the files of a comment. Nothing is written when they are the same. */
export async function replaceFiles(
  scope: Scope,
  { id, attached }: { id: number; attached: Attached[] },
  files: FileToAttach[],
): Promise<void> {
  const isSame = attached.length === files.length && files.every(({ ref }, n) => ref === attached[n]?.ref)
  if (isSame) return
  const { db, company } = scope
  await db.run(sql`delete from comment_attachments where company_id = ${company.id} and comment_id = ${id}`)
  await attachFiles(scope, id, files)
}
