import { Readable } from 'node:stream'
import type { Blobs } from '../domain/blobs.ts'
import { forbidden } from '../domain/errors.ts'
import { Raw } from '../http/endpoint.ts'
import { endpoint } from '../http/gate.ts'
import { Bytes } from '../http/schema.ts'
import { readRange } from '../lib/byte-range.ts'
import { attachmentNamed } from '../lib/content-disposition.ts'
import { type FileRow, findFile } from './files.ts'

const REFUSALS: Partial<Record<FileRow['scan_state'], string>> = {
  pending: 'The file waits for its virus scan. Try again soon.',
  failed: 'The file could not be scanned for viruses, so it cannot be downloaded.',
  infected: 'The file is infected: its bytes were removed.',
}

export const downloadFile = endpoint({
  operation: 'files:read',
  summary: 'Download a file',
  description:
    'The bytes as an attachment, or a part of them with `Range`. A link redirects. 403 until the virus scan has cleared it.',
  method: 'GET',
  at: ['/projects/:project/files/:file/download'],
  find: findFile,
  policy(_call, { scan_state }) {
    const refusal = REFUSALS[scan_state]
    if (refusal) throw forbidden(refusal)
  },
  returns: Bytes,
  async run({ company, blobs, headers }, file) {
    if (file.external_url !== null) return new Raw(302, { location: new URL(file.external_url).href }, null)
    return sendBytes(blobs, company.id, file, headers)
  },
})

async function sendBytes(
  blobs: Blobs,
  companyId: number,
  file: FileRow,
  asked: Record<string, string | undefined>,
): Promise<Raw> {
  const digest = file.digest as string
  const sizeBytes = file.size_bytes as number
  const tag = `"${digest}"`
  const headers = {
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
    'content-type': file.content_type ?? 'application/octet-stream',
    'content-disposition': attachmentNamed(file.name),
  }
  if (asked['if-none-match'] === tag) return new Raw(304, headers, null)
  const isCurrent = asked['if-range'] === undefined || asked['if-range'] === tag
  const range = isCurrent ? readRange(asked.range, sizeBytes) : undefined
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  const body = sizeBytes === 0 ? Readable.from([]) : await blobs.stream(companyId, digest, { start, end })
  const length = { 'content-length': String(end - start + 1) }
  if (!range) return new Raw(200, { ...headers, ...length }, body)
  return new Raw(206, { ...headers, ...length, 'content-range': `bytes ${start}-${end}/${sizeBytes}` }, body)
}
