import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import type { Author } from '../domain/access/caller.ts'
import { requireRight } from '../domain/access/policy.ts'
import type { Viewer } from '../domain/access/sight.ts'
import { orNotFound, unprocessable } from '../domain/errors.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { refuseDuplicate } from '../domain/records/uniqueness.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Deleted,
  Id,
  Instant,
  Name,
  Nullable,
  Paging,
  Single,
  Text,
} from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { fileNameProblem } from '../lib/file-name.ts'
import { lockTree, requireDepth, requireFolder, requireNewParent, tree } from './folder-tree.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject, isProject, underProject } from './projects.ts'

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
    parent_folder_id: Type.Optional(Nullable(Id({ description: 'Null or omitted for the root' }))),
  },
  { examples: [{ name: 'عقود 2026', parent_folder_id: 1 }] },
)

export const folderColumns = sql`f.id, f.name, folder_path(f.company_id, f.id) as path, f.description, f.parent_folder_id, f.created_at`

interface FolderRow {
  id: number
  name: string
  project_id: number
  parent_folder_id: number | null
  archived: boolean
}

/** The condition that `f` in `p` is the folder that the URL names. */
const isFolder = (viewer: Viewer, { project, folder }: Call['params']) =>
  sql`f.id = ${requirePathId(folder)} and f.deleted_at is null and ${isProject(viewer, project)}`

/** The condition that a folder or a file `f` is in a project `p` that meets a condition. */
export const inProject = (condition: Sql) =>
  sql`exists (select from projects p where p.company_id = f.company_id and p.id = f.project_id and ${condition})`

/** A write first locks the folder tree of the project, because deleting a folder reaches those below it in any order. */
async function findFolder(call: Call): Promise<FolderRow> {
  const { db, company, params, holds } = call
  const folder = isFolder(call, params)
  if (holds !== 'nothing') await lockTree(call, (await findProject({ ...call, holds: 'parent' })).id, 'reshape')
  return orNotFound(
    db.maybe<FolderRow>(sql`
    select f.id, f.name, f.project_id, f.parent_folder_id, p.archived
    from folders f join projects p on p.company_id = f.company_id and p.id = f.project_id
    where f.company_id = ${company.id} and ${folder}`),
  )
}

function showFolder({ db, company }: Call, condition: Sql): Promise<FolderAnswer> {
  return orNotFound(
    db.maybe(sql`select ${folderColumns} from folders f where f.company_id = ${company.id} and ${condition}`),
  )
}

/** A level of the project that the URL names, for what is listed in it. A folder must belong to the project. */
export function underLevel(call: Call, level: number | null, total?: Sql) {
  const project = underProject(call, call.params.project, total)
  if (level === null) return project
  const isInside = sql`level.company_id = p.company_id and level.project_id = p.id and level.id = ${level} and level.deleted_at is null`
  return { ...project, from: sql`${project.from} join folders level on ${isInside}` }
}

export function requireFileName(name: string | undefined): void {
  const problem = name === undefined ? undefined : fileNameProblem(name)
  if (problem) throw unprocessable('name', problem)
}

const NAME_IS_TAKEN = 'is already used by another folder in the same place'

export const listFolders = endpoint({
  name: 'list_folders',
  since: '1.3.0',
  operation: 'files:read',
  summary: 'List the folders of one level',
  method: 'GET',
  at: ['/projects/:project/folders'],
  query: Type.Object({
    parent_folder_id: Type.Optional(Id({ description: 'Leave it out for the root' })),
    ...Paging,
  }),
  returns: Collection(Folder),
  async run(call) {
    const { db, company, query } = call
    const level = query.parent_folder_id ?? null
    const inLevel = sql`f.company_id = ${company.id} and f.project_id = p.id and f.deleted_at is null
      and ${level === null ? sql`f.parent_folder_id is null` : sql`f.parent_folder_id = ${level}`}`
    return page<FolderAnswer>(db, query, {
      under: underLevel(call, level, sql`(select count(*) from folders f where ${inLevel})`),
      columns: folderColumns,
      from: sql`folders f where ${inLevel}`,
      order: [ascending(sql`f.name collate "C"`, 'text'), ascending(sql`f.id`)],
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
    const { body } = call
    const { name, description = null, parent_folder_id = null } = body
    requireFileName(name)
    await lockTree(call, project.id, 'fill')
    requireDepth(await requireFolder(call, 'parent_folder_id', project.id, parent_folder_id), 1)
    const columns = { name, description, parent_folder_id }
    const { id } = await refuseDuplicate(addFolder(call, project.id, columns), 'name', NAME_IS_TAKEN)
    return { data: await showFolder(call, sql`f.id = ${id}`) }
  },
})

export function addFolder(
  { db, company, signer }: Author,
  projectId: number,
  { name, description = null, parent_folder_id = null }: Type.Static<typeof NewFolder>,
): Promise<{ id: number }> {
  return db.one(sql`
    insert into folders (company_id, project_id, parent_folder_id, name, description, created_by)
    values (${company.id}, ${projectId}, ${parent_folder_id}, ${name}, ${description}, ${signer.id}) returning id`)
}

export const getFolder = endpoint({
  name: 'get_folder',
  since: '1.3.0',
  operation: 'files:read',
  summary: 'Get a folder',
  method: 'GET',
  at: ['/projects/:project/folders/:folder'],
  returns: Single(Folder),
  run: async call => ({ data: await showFolder(call, inProject(isFolder(call, call.params))) }),
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
  // With the example of a new folder, the folder would be moved into itself.
  body: Changes(NewFolder, [{ name: 'العقود الموقّعة' }]),
  returns: Single(Folder),
  async run(call, folder) {
    const { db, company, body } = call
    requireFileName(body.name)
    if (body.parent_folder_id !== undefined) await requireNewParent(call, folder, body.parent_folder_id)
    const changes = recordAssignments('folder', body)
    if (changes)
      await refuseDuplicate(
        db.run(sql`update folders set ${changes} where company_id = ${company.id} and id = ${folder.id}`),
        'name',
        NAME_IS_TAKEN,
      )
    return { data: await showFolder(call, sql`f.id = ${folder.id}`) }
  },
})

export const deleteFolder = endpoint({
  name: 'delete_folder',
  since: '1.2.0',
  operation: 'files:destructive',
  summary: 'Delete a folder',
  description:
    'Permanent, and deletes every subfolder and file below it, whoever uploaded them. Needs the right `delete_any_file`.',
  method: 'DELETE',
  at: ['/projects/:project/folders/:folder'],
  find: findFolder,
  policy: call => requireRight(call, 'delete_any_file'),
  returns: Deleted({
    folder: Type.Object({ id: Id(), name: Type.String() }),
    destroyed: Type.Object({ files: Type.Integer(), subfolders: Type.Integer() }),
  }),
  async run({ db, company, enqueue, audit }, { id, name, project_id }) {
    // The lock of the tree is held: nothing is added to it, moved or deleted between these statements.
    const { files } = await db.one<{ files: number }>(sql`
      ${tree(company.id, id)}
      select count(*) as files from files
      where company_id = ${company.id} and project_id = ${project_id} and folder_id in (select id from tree)`)
    const folders = await db.run(sql`
      ${tree(company.id, id)}
      update folders set deleted_at = now() where company_id = ${company.id} and id in (select id from tree)`)
    audit({ target: { type: 'folder', id, name } })
    await enqueue(db, 'remove-folder', [{ company_id: company.id, folder_id: id }])
    return { data: { deleted: true, folder: { id, name }, destroyed: { files, subfolders: folders - 1 } } }
  },
})
