import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { requireMayDelete } from '../domain/access/policy.ts'
import { isInSight, type Viewer } from '../domain/access/sight.ts'
import { notFound, orNotFound } from '../domain/errors.ts'
import { SCAN_STATES, type ScanState } from '../domain/ports/virus-scanner.ts'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { isRef } from '../domain/records/refs.ts'
import { everyRecord, page } from '../http/answers/pagination.ts'
import { Deleted, Id, Instant, Nullable, OneOf, Paging, Sentence, Single } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { readId } from '../http/requests/query.ts'
import { linkSource } from '../lib/link-source.ts'
import { humanSize } from '../lib/size.ts'
import { lockTree } from './folder-tree.ts'
import { Folder, type FolderAnswer, folderColumns, inProject, underLevel } from './folders.ts'
import { type Call, endpoint } from './gate.ts'
import { isProject } from './projects.ts'

export const File = Type.Object(
  {
    id: Id(),
    ref: Type.String({ description: 'The `fil-` ref' }),
    name: Type.String(),
    path: Type.String({ description: 'The path of the folder it lives in' }),
    folder_id: Nullable(Id()),
    content_type: Nullable(Type.String()),
    size_bytes: Nullable(Type.Integer()),
    size_human: Nullable(Type.String()),
    external_url: Nullable(Type.String()),
    source: Nullable(Type.String({ description: 'Display name of the site that a link leads to' })),
    scan_state: OneOf(SCAN_STATES),
    scan_message: Nullable(
      Sentence({
        description: 'Why the file is `infected` or `failed`, in a sentence for people',
        examples: ['is locked with a password, so it could not be looked into'],
      }),
    ),
    downloadable: Type.Boolean({ description: 'True once the scan has cleared it' }),
    uploaded_by: Nullable(Type.String()),
    created_at: Instant(),
  },
  {
    // Not File: Java, C# and browsers have one already.
    title: 'StoredFile',
    examples: [
      {
        id: 31,
        ref: 'fil-9d4w7c1hza',
        name: 'تقرير الربع الأول.pdf',
        path: '/Designs/2026',
        folder_id: 12,
        content_type: 'application/pdf',
        size_bytes: 1536,
        size_human: '1.5 KB',
        external_url: null,
        source: null,
        scan_state: 'failed',
        scan_message: 'is locked with a password, so it could not be looked into',
        downloadable: false,
        uploaded_by: 'Layla Haddad',
        created_at: '2026-11-15T08:30:00.000Z',
      },
    ],
  },
)
type FileAnswer = Type.Static<typeof File>
type FileColumns = Omit<FileAnswer, 'size_human' | 'source'>

const fileColumns = sql`f.id, f.ref, f.name, folder_path(f.company_id, f.folder_id) as path, f.folder_id, f.content_type,
  f.size_bytes, f.external_url, f.scan_state, f.scan_message, f.scan_state in ('clean', 'skipped') as downloadable, u.name as uploaded_by, f.created_at`
const files = sql`files f join users u on u.company_id = f.company_id and u.id = f.uploaded_by`

export interface FileRow {
  id: number
  ref: string
  name: string
  content_type: string | null
  size_bytes: number | null
  digest: string | null
  external_url: string | null
  scan_state: ScanState
  scan_finding: string | null
  uploaded_by: number
  project_id: number
  archived: boolean
}

/** The condition that `f` in `p` is the file that the URL names: by ref or number below its project, by ref alone otherwise. */
function isFile(viewer: Viewer, { project, file = '' }: Call['params']): Sql {
  const id = readId(file)
  const named = isRef(file)
    ? sql`f.ref = ${file}`
    : id !== undefined && project !== undefined
      ? sql`f.id = ${id}`
      : undefined
  if (!named) throw notFound()
  return sql`${named} and ${isInPlace} and ${project === undefined ? isInSight(viewer) : isProject(viewer, project)}`
}

export async function findFile(call: Call): Promise<FileRow> {
  const { company, params } = call
  const query = sql`
    select f.id, f.ref, f.name, f.content_type, f.size_bytes, f.digest, f.external_url, f.scan_state, f.scan_finding, f.uploaded_by, f.project_id, p.archived
    from files f join projects p on p.company_id = f.company_id and p.id = f.project_id
    where f.company_id = ${company.id} and ${isFile(call, params)}`
  return orNotFound(findAndLock<FileRow>(call, 'f', query))
}

function toAnswer(file: FileColumns): FileAnswer {
  return {
    ...file,
    size_human: file.size_bytes === null ? null : humanSize(file.size_bytes),
    source: file.external_url === null ? null : linkSource(file.external_url),
  }
}

export async function showFile({ db, company }: Call, condition: Sql): Promise<FileAnswer> {
  const file = await orNotFound(
    db.maybe<FileColumns>(sql`select ${fileColumns} from ${files} where f.company_id = ${company.id} and ${condition}`),
  )
  return toAnswer(file)
}

export const listFiles = endpoint({
  name: 'list_files',
  since: '1.2.0',
  operation: 'files:read',
  summary: 'Browse the files and folders of one level',
  description: 'Not recursive. Files are paginated, folders are not; `folder` is null at the root.',
  method: 'GET',
  at: ['/projects/:project/files'],
  query: Type.Object({
    folder_id: Type.Optional(Id({ description: 'Leave it out for the root' })),
    ...Paging,
  }),
  returns: Type.Object({
    data: Type.Object({ folder: Nullable(Folder), folders: Type.Array(Folder), files: Type.Array(File) }),
    meta: Type.Object({
      total: Type.Integer(),
      limit: Type.Integer(),
      offset: Type.Integer(),
      next_cursor: Nullable(Type.String({ description: '`cursor` of the next page; null on the last one' })),
    }),
  }),
  async run(call) {
    const { db, company, query } = call
    const level = query.folder_id ?? null
    const folders = await everyRecord<FolderAnswer>(db, {
      under: underLevel(call, level),
      columns: folderColumns,
      from: sql`(${foldersOf(company.id, level)}) f`,
      order: sql`f.name collate "C", f.id`,
    })
    const inLevel = sql`f.company_id = ${company.id} and f.project_id = p.id
      and ${level === null ? sql`f.folder_id is null` : sql`f.folder_id = ${level}`}`
    const { data, meta } = await page<FileColumns>(db, query, {
      under: underLevel(call, level, sql`(select count(*) from files f where ${inLevel})`),
      columns: fileColumns,
      from: sql`${files} where ${inLevel}`,
      order: [ascending(sql`f.name collate "C"`, 'text'), ascending(sql`f.id`)],
    })
    const folder = folders.find(({ id }) => id === level) ?? null
    return { data: { folder, folders: folders.filter(each => each !== folder), files: data.map(toAnswer) }, meta }
  },
})

/** The folders on a level of the project `p`; inside a folder, that one too. Two selects, so that each uses its own index. */
function foldersOf(companyId: number, level: number | null): Sql {
  const folders = sql`select f.* from folders f where f.company_id = ${companyId} and f.project_id = p.id and f.deleted_at is null`
  if (level === null) return sql`${folders} and f.parent_folder_id is null`
  return sql`${folders} and f.parent_folder_id = ${level} union all ${folders} and f.id = ${level}`
}

export const getFile = endpoint({
  name: 'get_file',
  since: '1.3.0',
  operation: 'files:read',
  summary: 'Get a file',
  method: 'GET',
  at: ['/projects/:project/files/:file'],
  returns: Single(File),
  run: async call => ({ data: await showFile(call, inProject(isFile(call, call.params))) }),
})

export const deleteFile = endpoint({
  name: 'delete_file',
  since: '1.2.0',
  operation: 'files:destructive',
  summary: 'Delete a file',
  description: 'Permanent. Deleting a file that somebody else uploaded needs the right `delete_any_file`.',
  method: 'DELETE',
  at: ['/projects/:project/files/:file', '/files/:file'],
  find: findFile,
  policy: (call, file) => requireMayDelete(call, 'file', file.uploaded_by),
  returns: Deleted({ file: Type.Object({ id: Id(), name: Type.String() }) }),
  async run({ db, company, enqueue, audit }, { id, ref, name, digest, project_id }) {
    // Waits for a deletion of its folder, so that the file is deleted and counted once: by this call, or with the folder.
    await lockTree({ db, company }, project_id, 'fill')
    const deleted = await db.run(
      sql`delete from files f where f.company_id = ${company.id} and f.id = ${id} and ${isInPlace}`,
    )
    if (deleted === 0) throw notFound()
    audit({ target: { type: 'file', id: ref, name } })
    if (digest !== null) await enqueue(db, 'remove-bytes', [{ company_id: company.id, digest }])
    return { data: { deleted: true, file: { id, name } } }
  },
})
