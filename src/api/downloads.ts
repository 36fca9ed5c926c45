import { Readable } from 'node:stream'
import { forbidden, rangeNotSatisfiable } from '../domain/errors.ts'
import { DamagedBlob } from '../domain/ports/blob-store.ts'
import { obstruction } from '../domain/ports/virus-scanner.ts'
import { say } from '../domain/sentences/sentences.ts'
import { hasTag } from '../http/answers/etag.ts'
import { Bytes } from '../http/answers/schema.ts'
import { Raw } from '../http/endpoints/endpoint.ts'
import { readRange } from '../lib/byte-range.ts'
import { attachmentNamed } from '../lib/content-disposition.ts'
import { type FileRow, findFile } from './files.ts'
import { type Call, endpoint } from './gate.ts'

/**
 * A browser must not take what somebody uploaded for a part of this server: the console, with its sessions, has the same
 * origin. So it is sent as a download, and if it is shown as a page all the same, that page may do nothing.
 */
const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

export const downloadFile = endpoint({
  name: 'download_file',
  since: '1.3.0',
  operation: 'files:read',
  summary: 'Download a file',
  description:
    'The bytes as an attachment, or a part of them with `Range`; 416 when that begins after their end. A link redirects. 403 until the virus scan has cleared it.',
  method: 'GET',
  at: ['/projects/:project/files/:file/download'],
  find: findFile,
  policy: (_call, file) => requireCleared(file),
  failsWith: 416,
  returns: Bytes,
  async run(call, file) {
    if (file.external_url !== null) return new Raw(302, { location: new URL(file.external_url).href }, null)
    return sendBytes(call, file)
  },
})

function requireCleared({ scan_state, scan_finding }: FileRow): void {
  if (scan_state === 'pending') throw forbidden('The file waits for its virus scan. Try again soon.')
  if (scan_state === 'infected' || scan_state === 'failed')
    throw forbidden(say('The file {reason}.', { reason: obstruction(scan_state, scan_finding) }))
}

async function sendBytes(call: Call, file: FileRow): Promise<Raw> {
  const { blobs, company, headers: sent } = call
  const digest = file.digest as string
  const sizeBytes = file.size_bytes as number
  const tag = `"${digest}"`
  const validators = { ...HARMLESS, etag: tag, 'cache-control': 'private, no-cache', vary: 'Authorization' }
  if (hasTag(sent['if-none-match'], tag)) return new Raw(304, validators, null)
  const type = await contentTypeOf(call, file)
  const disposition = attachmentNamed(file.name)
  const elsewhere = await blobs.signedAddress(company.id, digest, { type, disposition })
  if (elsewhere) return new Raw(302, { location: elsewhere, 'cache-control': 'private, no-store' }, null)
  const isCurrent = sent['if-range'] === undefined || sent['if-range'] === tag
  const range = isCurrent ? readRange(sent.range, sizeBytes) : undefined
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(sizeBytes)
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  const headers = {
    ...validators,
    'accept-ranges': 'bytes',
    'content-type': type,
    'content-disposition': disposition,
    'content-length': String(end - start + 1),
  }
  const body =
    sizeBytes === 0 ? Readable.from([]) : await undamaged(call, file, blobs.stream(company.id, digest, { start, end }))
  if (!range) return new Raw(200, headers, body)
  return new Raw(206, { ...headers, 'content-range': `bytes ${start}-${end}/${sizeBytes}` }, body)
}

/** Text says how it is encoded, where that is known. Without it, many programs take UTF-8 for something else. */
async function contentTypeOf(call: Call, file: FileRow): Promise<string> {
  const type = file.content_type ?? 'application/octet-stream'
  if (!type.startsWith('text/') || type.includes(';') || file.size_bytes === 0) return type
  const isUtf8 = await undamaged(call, file, call.blobs.isUtf8(call.company.id, file.digest as string))
  return isUtf8 ? `${type}; charset=utf-8` : type
}

/** Bytes that are missing or differ from what was uploaded are not sent: the log tells the operator which, and why. */
async function undamaged<T>(call: Call, file: FileRow, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    // They may have been deleted together with their file after it was found.
    requireCleared(await findFile(call))
    throw new Error(`The bytes of file ${file.ref} of company ${call.company.id} are ${error.damage}`, { cause: error })
  }
}
