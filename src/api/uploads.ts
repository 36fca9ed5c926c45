import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import mime from 'mime'
import sql from 'sql-template-tag'
import Type from 'typebox'
import type { Author } from '../domain/access/caller.ts'
import { unavailable, unprocessable } from '../domain/errors.ts'
import { PdfRefused, PdfUnavailable } from '../domain/ports/pdf-renderer.ts'
import { newRef } from '../domain/records/refs.ts'
import { keepBytes } from '../domain/records/unneeded-blobs.ts'
import { say } from '../domain/sentences/sentences.ts'
import { Id, Name, Nullable, Single } from '../http/answers/schema.ts'
import { extensionOf } from '../lib/file-name.ts'
import { isSharedExtension, TEXT_EXTENSIONS } from '../lib/text-extensions.ts'
import { File, showFile } from './files.ts'
import { lockTree, requireFolder } from './folder-tree.ts'
import { requireFileName } from './folders.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject } from './projects.ts'

const MAX_BYTES = 5_242_880
const MAX_MARKDOWN_BYTES = 262_144
// 5 MB of text with every character escaped, and the rest of the body.
const BODY_LIMIT_BYTES = 6 * MAX_BYTES + 65_536

const placed = {
  name: Name({ description: 'With its extension' }),
  folder_id: Type.Optional(Nullable(Id({ description: 'Null or omitted for the root' }))),
}

const NewFile = Type.Object(
  {
    ...placed,
    content: Type.Optional(
      Nullable(Type.String({ description: 'UTF-8 text, for plain-text names; markdown for a `.pdf` name' })),
    ),
    content_base64: Type.Optional(Nullable(Type.String({ description: 'Standard base64 without line breaks' }))),
  },
  { examples: [{ name: 'notes.md', content: '# ملاحظات\n\nFirst draft' }] },
)
type NewFileBody = Type.Static<typeof NewFile>

interface Content {
  bytes: Buffer
  digest: string
  contentType: string
}

/** A call whose client may disconnect while it waits. */
type SlowCall = Call & { signal: AbortSignal }

/** The bytes that were sent, in either of the two ways. */
async function readContent(call: SlowCall, { name, content, content_base64 }: NewFileBody): Promise<Buffer> {
  const isText = typeof content === 'string'
  if (isText === (typeof content_base64 === 'string'))
    throw unprocessable('content', 'or content_base64 must be sent, and only one of them')
  if (!isText) return decodeBase64(content_base64 as string)
  const extension = extensionOf(name)
  if (extension === 'pdf') return renderPdf(call, name, content)
  if (extension !== '' && !TEXT_EXTENSIONS.has(extension)) {
    throw unprocessable(
      'content',
      say('is for plain-text files: send the bytes of a .{extension} file in content_base64', { extension }),
    )
  }
  requireSize('content', Buffer.byteLength(content))
  return Buffer.from(content)
}

function requireSize(field: string, sizeBytes: number): void {
  if (sizeBytes > MAX_BYTES)
    throw unprocessable(field, say('is too large: a file has at most 5 MB ({bytes} bytes)', { bytes: MAX_BYTES }))
}

function decodeBase64(text: string): Buffer {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  requireSize('content_base64', Math.floor((text.length - padding) * 0.75))
  const bytes = Buffer.from(text, 'base64')
  // Node ignores characters that it does not know; only the exact encoding of the bytes is accepted.
  if (bytes.toString('base64') !== text)
    throw unprocessable('content_base64', 'must be standard base64 with padding and without line breaks')
  return bytes
}

async function renderPdf({ pdf, company, signal }: SlowCall, name: string, markdown: string): Promise<Buffer> {
  if (Buffer.byteLength(markdown) > MAX_MARKDOWN_BYTES) {
    throw unprocessable(
      'content',
      say('is too large: a PDF is made from at most 256 KB ({bytes} bytes) of markdown', { bytes: MAX_MARKDOWN_BYTES }),
    )
  }
  const title = name.trim().slice(0, -'.pdf'.length)
  const bytes = await pdf.render({ markdown, title, companyId: company.id, signal }).catch(error => {
    if (error instanceof PdfRefused) throw unprocessable('content', error.problem)
    throw error instanceof PdfUnavailable ? unavailable(error.said) : error
  })
  requireSize('content', bytes.length)
  return bytes
}

/** The type of a text depends on its name and its bytes: `.ts` is a program in one file and a video in another. */
function contentTypeOf({ name, content }: NewFileBody, bytes: Buffer): string {
  const extension = extensionOf(name)
  const registered = mime.getType(extension)
  const isNamedText = extension === '' ? typeof content === 'string' : TEXT_EXTENSIONS.has(extension)
  const isOpen = !registered || isSharedExtension(extension)
  if (isNamedText && isOpen && isUtf8(bytes) && !bytes.includes(0)) return 'text/plain'
  return registered ?? 'application/octet-stream'
}

export const uploadFile = endpoint({
  name: 'upload_file',
  since: '1.2.0',
  operation: 'files:write',
  summary: 'Upload a file',
  description:
    'At most 5 MB. Send exactly one of `content` (plain-text names, names without an extension, and markdown for `.pdf`) and `content_base64`. The file is `pending` until the virus scan has cleared it.',
  method: 'POST',
  at: ['/projects/:project/files'],
  find: findProject,
  body: NewFile,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  async prepare(call, project): Promise<Content> {
    const { company, blobs, body, signal } = call
    requireFileName(body.name)
    await requireFolder(call, 'folder_id', project.id, body.folder_id)
    const bytes = await readContent(call, body)
    const digest = createHash('sha256').update(bytes).digest('hex')
    await blobs.put(company.id, digest, bytes, signal)
    return { bytes, digest, contentType: contentTypeOf(body, bytes) }
  },
  status: 201,
  returns: Single(File),
  async run(call, project) {
    const { db, company, body, blobs, enqueue, prepared } = call
    const { bytes, digest, contentType } = prepared
    await lockTree(call, project.id, 'fill')
    await requireFolder(call, 'folder_id', project.id, body.folder_id)
    await keepBytes(db, blobs, company.id, digest, bytes)
    const content = { content_type: contentType, size_bytes: bytes.length, digest, scan_state: 'pending' } as const
    const id = await addFile(call, project.id, { ...body, ...content })
    await enqueue(db, 'scan-file', [{ company_id: company.id, file_id: id }])
    return { data: await showFile(call, sql`f.id = ${id}`) }
  },
})

interface NewFileColumns {
  name: string
  folder_id?: number | null
  content_type?: string
  size_bytes?: number
  digest?: string
  external_url?: string
  scan_state: 'pending' | 'skipped'
}

export async function addFile(
  { db, company, signer }: Author,
  projectId: number,
  file: NewFileColumns,
  ref = newRef('file'),
): Promise<number> {
  const { name, folder_id = null, content_type = null, size_bytes = null, digest = null, external_url = null } = file
  const { id } = await db.one<{ id: number }>(sql`
    insert into files (company_id, project_id, folder_id, ref, name, content_type, size_bytes, digest, external_url,
      scan_state, uploaded_by)
    values (${company.id}, ${projectId}, ${folder_id}, ${ref}, ${name}, ${content_type}, ${size_bytes}, ${digest},
      ${external_url}, ${file.scan_state}, ${signer.id}) returning id`)
  return id
}

const NewLink = Type.Object(
  {
    ...placed,
    external_url: Type.String({
      maxLength: 2_048,
      format: 'uri',
      description: 'http or https; stored, never fetched',
    }),
  },
  { examples: [{ name: 'Floor plan', external_url: 'https://www.figma.com/file/abc' }] },
)

export const createLink = endpoint({
  name: 'create_link',
  since: '1.3.0',
  operation: 'files:write',
  summary: 'Add a link to a file elsewhere',
  method: 'POST',
  at: ['/projects/:project/links'],
  find: findProject,
  body: NewLink,
  status: 201,
  returns: Single(File),
  async run(call, project) {
    const { body } = call
    requireFileName(body.name)
    await lockTree(call, project.id, 'fill')
    await requireFolder(call, 'folder_id', project.id, body.folder_id)
    const id = await addFile(call, project.id, { ...body, scan_state: 'skipped' })
    return { data: await showFile(call, sql`f.id = ${id}`) }
  },
})
