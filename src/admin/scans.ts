import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { orNotFound, unprocessable } from '../domain/errors.ts'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import { lockForWrite } from '../domain/records/locks.ts'
import { requireRef } from '../domain/records/refs.ts'
import { say } from '../domain/sentences/sentences.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Id, Instant, Nullable, Paging, Sentence, Single } from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { ScanState } from './vocabulary.ts'

const ScannedFile = Type.Object(
  {
    id: Id(),
    ref: Type.String(),
    name: Type.String(),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
    size_bytes: Nullable(Type.Integer()),
    scan_state: ScanState(),
    scan_engine: Nullable(Type.String({ description: 'The scan engine and its rules' })),
    scan_finding: Nullable(Type.String({ description: 'What the scan found, or what prevented it' })),
    scan_message: Nullable(
      Sentence({ description: 'Why the file is `infected` or `failed`, in a sentence for people' }),
    ),
    scanned_at: Nullable(Instant()),
    uploaded_by: Type.String(),
    created_at: Instant(),
  },
  {
    title: 'ScannedFile',
    examples: [
      {
        id: 31,
        ref: 'fil-9d4w7c1hza',
        name: 'invoice.pdf',
        project: { id: 'prj-4k7q2m9x0c', name: 'Riyadh office move' },
        size_bytes: 1536,
        scan_state: 'failed',
        scan_engine: 'YARA-X, built-in rules',
        scan_finding: 'Archive.Encrypted',
        scan_message: 'is locked with a password, so it could not be looked into',
        scanned_at: '2026-11-15T08:30:02.000Z',
        uploaded_by: 'Layla Haddad',
        created_at: '2026-11-15T08:30:00.000Z',
      },
    ],
  },
)
type ScannedFileAnswer = Type.Static<typeof ScannedFile>

const columns = sql`f.id, f.ref, f.name, json_build_object('id', p.ref, 'name', p.name) as project, f.size_bytes, f.scan_state,
  f.scan_engine, f.scan_finding, f.scan_message, f.scanned_at, u.name as uploaded_by, f.created_at`
const files = (companyId: number) => sql`files f
  join projects p on p.company_id = f.company_id and p.id = f.project_id
  join users u on u.company_id = f.company_id and u.id = f.uploaded_by
  where f.company_id = ${companyId} and ${isInPlace}`

export const listScannedFiles = adminEndpoint({
  name: 'list_scanned_files',
  since: '1.3.0',
  operation: 'files:read',
  who: 'leaders',
  summary: 'List files with their virus scan results',
  description: 'Newest first. `scan_state` selects files in one state.',
  method: 'GET',
  at: ['/companies/:company/files'],
  query: Type.Object({ scan_state: Type.Optional(ScanState()), ...Paging }),
  returns: Collection(ScannedFile),
  run: ({ db, companyId, query }) =>
    page<ScannedFileAnswer>(db, query, {
      columns,
      from: sql`${files(companyId)} ${query.scan_state ? sql`and f.scan_state = ${query.scan_state}` : empty}`,
      order: [descending(sql`f.id`)],
    }),
})

async function findScannedFile(call: AdminCall): Promise<ScannedFileAnswer> {
  const { companyId, params } = call
  const ref = requireRef(params.ref)
  await lockForWrite(call, sql`select from files where company_id = ${companyId} and ref = ${ref} for no key update`)
  return showScannedFile(call, sql`f.ref = ${ref}`)
}

function showScannedFile({ db, companyId }: AdminCall, condition: Sql): Promise<ScannedFileAnswer> {
  return orNotFound(db.maybe<ScannedFileAnswer>(sql`select ${columns} from ${files(companyId)} and ${condition}`))
}

export const scanAgain = adminEndpoint({
  name: 'rescan_file',
  since: '1.3.0',
  operation: 'files:write',
  who: 'leaders',
  audited: true,
  summary: 'Scan a file again',
  description:
    'The file cannot be downloaded until the scan is done. An infected file cannot be scanned again, because its content has been removed.',
  method: 'POST',
  at: ['/companies/:company/files/:ref/scan'],
  find: findScannedFile,
  returns: Single(ScannedFile),
  async run(call, file) {
    const { db, companyId, enqueue, audit } = call
    const changed = await db.run(sql`
      update files set scan_state = 'pending', scan_engine = null, scan_finding = null, scan_message = null, scanned_at = null
      where company_id = ${companyId} and id = ${file.id} and scan_state in ('pending', 'clean', 'failed')`)
    if (changed === 0) throw unprocessable('file', say("can't be scanned: it is {state}", { state: file.scan_state }))
    audit({ target: { type: 'file', id: file.ref, name: file.name }, changes: { scan_state: null } })
    await enqueue(db, 'scan-file', [{ company_id: companyId, file_id: file.id }])
    return { data: await showScannedFile(call, sql`f.id = ${file.id}`) }
  },
})
