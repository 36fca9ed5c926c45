import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import { type Db, isUniqueViolation } from '../db/db.ts'
import { requireRight } from '../domain/access/policy.ts'
import { notFound, orNotFound, unprocessable } from '../domain/errors.ts'
import { page } from '../http/pagination.ts'
import { readId, readQueryId } from '../http/query.ts'
import { Changes, Collection, Deleted, Id, Instant, Name, Nullable, Paging, Single, Text } from '../http/schema.ts'
import { fileNameProblem } from '../lib/file-name.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject, isProject } from './projects.ts'

const MAX_DEPTH = 50

export const Folder = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    path: Type.String(),
    description: Nullable(Type.String()),
    parent_folder_id: Nullable(Id()),
    created_at: Instant(),
  },
  {
    title: 'Folder',
    examples: [
      {
        id: 12,
        name: '2026',
        path: '/Designs/2026',
        description: null,
        parent_folder_id: 11,
        created_at: '2026-11-15T08:30:00.000Z',
      },
    ],
  },
)
export type FolderAnswer = Type.Static<typeof Folder>

const NewFolder = Type.Object(
  {
    name: Name({ description: 'Unique within its parent' }),
    description: Type.Optional(Nullable(Text())),
    parent_folder_id: Type.Optional(Nullable(Id({ description: 'Null or left out: the root' }))),
  },
  { examples: [{ name: '2026', parent_folder_id: 11 }] },
)

export const folderColumns = sql`f.id, f.name, folder_path(f.company_id, f.id) as path, f.description, f.parent_folder_id, f.created_at`

interface FolderRow {
  id: number
  name: string
  project_id: number
  parent_folder_id: number | null
  archived: boolean
}

/** The folder of an id within a project; undefined when there is none. */
export function folderInProject(
  { db, company }: Call,
  projectId: number,
  id: number | undefined,
): Promise<FolderAnswer | undefined> {
  if (id === undefined) return Promise.resolve(undefined)
  return db.maybe<FolderAnswer>(sql`
    select ${folderColumns} from folders f where f.company_id = ${company.id} and f.project_id = ${projectId} and f.id = ${id}`)
}

/** For a write, with the tree of its project held first: whoever deletes a folder reaches those below it, in any order. */
async function findFolder(call: Call): Promise<FolderRow> {
  const { db, company, params, holds } = call
  const id = readId(params.folder ?? '')
  if (id === undefined) throw notFound()
  if (holds !== 'nothing') await lockTree(db, (await findProject({ ...call, holds: 'parent' })).id, 'reshape')
  return orNotFound(
    db.maybe<FolderRow>(sql`
    select f.id, f.name, f.project_id, f.parent_folder_id, p.archived
    from folders f join projects p on p.company_id = f.company_id and p.id = f.project_id
    where f.company_id = ${company.id} and f.id = ${id} and ${isProject(company.id, params.project)}`),
  )
}

async function showFolder({ db, company }: Call, id: number) {
  return {
    data: await orNotFound(
      db.maybe<FolderAnswer>(
        sql`select ${folderColumns} from folders f where f.company_id = ${company.id} and f.id = ${id}`,
      ),
    ),
  }
}

/**
 * Whoever changes a folder of a project does it alone; whoever puts something into one waits until they are done. So no
 * cycle can form, and what a deletion counts is what it deletes.
 */
export async function lockTree(db: Db, projectId: number, mode: 'reshape' | 'fill'): Promise<void> {
  const lock = sql`hashtextextended(${`folders ${projectId}`}, 0)`
  await db.run(
    mode === 'reshape' ? sql`select pg_advisory_xact_lock(${lock})` : sql`select pg_advisory_xact_lock_shared(${lock})`,
  )
}

/** The ids of a folder and of everything below it. */
const tree = (companyId: number, folderId: number): Sql => sql`
  with recursive tree (id, depth) as (
    select ${folderId}::bigint, 1
    union all
    select f.id, tree.depth + 1 from folders f join tree on f.company_id = ${companyId} and f.parent_folder_id = tree.id
  )`

function requireName(name: string | undefined): void {
  const problem = name === undefined ? undefined : fileNameProblem(name)
  if (problem) throw unprocessable('name', problem)
}

/** How deep a parent stands, the root being 0; 422 when the project has no such folder. */
async function requireParent(call: Call, projectId: number, parentId: number | null): Promise<number> {
  if (parentId === null) return 0
  const parent = await folderInProject(call, projectId, parentId)
  if (!parent) throw unprocessable('parent_folder_id', 'must be the id of a folder of the project')
  // A name has no slash, so every slash of the path is a level.
  return parent.path.split('/').length - 1
}

function requireDepth(levels: number): void {
  if (levels > MAX_DEPTH)
    throw unprocessable('parent_folder_id', `is too deep: folders nest at most ${MAX_DEPTH} levels`)
}

async function nameIsFree<T>(write: Promise<T>): Promise<T> {
  return write.catch(error => {
    throw isUniqueViolation(error)
      ? unprocessable('name', 'is already used by another folder in the same place')
      : error
  })
}

export const listFolders = endpoint({
  name: 'list_folders',
  since: '1.3.0',
  operation: 'files:read',
  summary: 'List the folders of one level',
  method: 'GET',
  at: ['/projects/:project/folders'],
  find: findProject,
  query: Type.Object({
    parent_folder_id: Type.Optional(Type.String({ description: 'Leave out for the root' })),
    ...Paging,
  }),
  returns: Collection(Folder),
  async run(call, project) {
    const { db, company, query } = call
    const parent = query.parent_folder_id
      ? await folderInProject(call, project.id, readQueryId(query.parent_folder_id))
      : null
    if (parent === undefined) throw notFound()
    return page<FolderAnswer>(db, query, {
      columns: folderColumns,
      from: sql`folders f where f.company_id = ${company.id} and f.project_id = ${project.id}
                and ${parent ? sql`f.parent_folder_id = ${parent.id}` : sql`f.parent_folder_id is null`}`,
      order: sql`f.name collate "C", f.id`,
    })
  },
})

export const createFolder = endpoint({
  name: 'create_folder',
  since: '1.2.0',
  operation: 'files:write',
  summary: 'Create a folder',
  description: 'Needs the right `manage_files`.',
  method: 'POST',
  at: ['/projects/:project/folders'],
  find: findProject,
  policy: call => requireRight(call, 'manage_files'),
  body: NewFolder,
  status: 201,
  returns: Single(Folder),
  async run(call, project) {
    const { db, company, signature, body } = call
    const { name, description = null, parent_folder_id = null } = body
    requireName(name)
    await lockTree(db, project.id, 'fill')
    requireDepth((await requireParent(call, project.id, parent_folder_id)) + 1)
    const { id } = await nameIsFree(
      db.one<{ id: number }>(sql`
        insert into folders (company_id, project_id, parent_folder_id, name, description, created_by)
        values (${company.id}, ${project.id}, ${parent_folder_id}, ${name}, ${description}, ${signature.id}) returning id`),
    )
    return showFolder(call, id)
  },
})

export const getFolder = endpoint({
  name: 'get_folder',
  since: '1.3.0',
  operation: 'files:read',
  summary: 'Get a folder',
  method: 'GET',
  at: ['/projects/:project/folders/:folder'],
  find: findFolder,
  returns: Single(Folder),
  run: (call, folder) => showFolder(call, folder.id),
})

export const updateFolder = endpoint({
  name: 'update_folder',
  since: '1.3.0',
  operation: 'files:write',
  summary: 'Rename, describe or move a folder',
  description: 'Needs the right `manage_files`. A folder cannot be moved into itself or below itself.',
  method: 'PATCH',
  at: ['/projects/:project/folders/:folder'],
  find: findFolder,
  policy: call => requireRight(call, 'manage_files'),
  body: Changes(NewFolder),
  returns: Single(Folder),
  async run(call, folder) {
    const { db, company, body } = call
    requireName(body.name)
    if (body.parent_folder_id !== undefined) await requireAcyclic(call, folder, body.parent_folder_id)
    const changes = assignments(body)
    if (changes)
      await nameIsFree(
        db.run(sql`update folders set ${changes} where company_id = ${company.id} and id = ${folder.id}`),
      )
    return showFolder(call, folder.id)
  },
})

async function requireAcyclic(call: Call, folder: FolderRow, parentId: number | null): Promise<void> {
  const depth = await requireParent(call, folder.project_id, parentId)
  const below = await call.db.many<{ id: number; depth: number }>(
    sql`${tree(call.company.id, folder.id)} select id, depth from tree`,
  )
  if (below.some(({ id }) => id === parentId))
    throw unprocessable('parent_folder_id', "can't be the folder itself or one below it")
  requireDepth(depth + Math.max(...below.map(row => row.depth)))
}

export const deleteFolder = endpoint({
  name: 'delete_folder',
  since: '1.2.0',
  operation: 'files:destructive',
  summary: 'Delete a folder',
  description:
    'For good, with every subfolder and file under it, whoever uploaded them. Needs the right `delete_any_file`.',
  method: 'DELETE',
  at: ['/projects/:project/folders/:folder'],
  find: findFolder,
  policy: call => requireRight(call, 'delete_any_file'),
  returns: Deleted({
    folder: Type.Object({ id: Id(), name: Type.String() }),
    destroyed: Type.Object({ files: Type.Integer(), subfolders: Type.Integer() }),
  }),
  async run({ db, company, enqueue, audit }, { id, name }) {
    const files = await db.many<{ digest: string | null }>(sql`
      ${tree(company.id, id)} delete from files where company_id = ${company.id} and folder_id in (select id from tree) returning digest`)
    const folders = await db.run(sql`
      ${tree(company.id, id)} delete from folders where company_id = ${company.id} and id in (select id from tree)`)
    if (folders === 0) throw notFound()
    audit({ target: { type: 'folder', id, name } })
    const digests = new Set(files.flatMap(({ digest }) => digest ?? []))
    await enqueue(
      db,
      'remove-bytes',
      [...digests].map(digest => ({ company_id: company.id, digest })),
    )
    return {
      data: { deleted: true, folder: { id, name }, destroyed: { files: files.length, subfolders: folders - 1 } },
    }
  },
})
