import type { Allowance, Member } from './allowance.ts'
import { Unreadable } from './unreadable.ts'

/** The headers of a mail, or of a page saved with its pictures, are looked for in this many bytes. */
const HEAD_BYTES = 16_384
const HEADERS_MAX = 4_000
const VALUE_MAX = 200

export const isMail = (bytes: Buffer) =>
  /^(mime-version|content-type|content-transfer-encoding):/im.test(bytes.toString('latin1', 0, HEAD_BYTES))

/** The parts of a saved mail or web page that are encoded as text. Others are found where they are. */
export function* openMail({ name, bytes }: Member, allowance: Allowance): Generator<Member> {
  const text = bytes.toString('latin1')
  const ends = listBoundaries(text)
  const markers = [...text.matchAll(/^content-transfer-encoding:/gim)].map(({ index }) => index)
  let isQuoted = false
  let next = 0
  for (const [nth, marker] of markers.entries()) {
    const value = marker + 'content-transfer-encoding:'.length
    const encoding = readEncoding(text.slice(value, value + VALUE_MAX))
    if (encoding === 'plain') continue
    if (encoding === 'unknown') throw new Unreadable('Unsupported')
    const nextMarker = markers[nth + 1] ?? text.length
    const start = endOfHeaders(text, value, nextMarker)
    while ((ends[next] ?? Infinity) < start) next++
    const content = text.slice(start, Math.min(ends[next] ?? text.length, nextMarker))
    const part = encoding === 'base64' ? decodeBase64(content) : decodeQuoted(content)
    yield { name: readName(text, value, start), part: 'file', bytes: allowance.spend(part) }
    isQuoted ||= encoding === 'quoted'
  }
  // Wherever programs think a part ends, this contains its bytes.
  if (isQuoted) yield { name, part: 'view', bytes: allowance.spend(decodeQuoted(text)) }
}

/** The value may be folded or quoted, and contain comments in brackets. */
function readEncoding(text: string): 'base64' | 'quoted' | 'plain' | 'unknown' {
  const value =
    text
      .replace(/\r?\n[ \t]/g, ' ')
      .split('\n', 1)[0]
      ?.toLowerCase() ?? ''
  if (value.includes('base64')) return 'base64'
  if (value.includes('quoted-printable')) return 'quoted'
  return /uu|yenc|binhex/.test(value) ? 'unknown' : 'plain'
}

function endOfHeaders(text: string, from: number, limit: number): number {
  const blank = /\n\r?\n/.exec(text.slice(from, limit))
  return blank ? from + blank.index + blank[0].length : limit
}

/**
 * The positions of the lines that separate its parts: those that some header calls a boundary, and not the `--` above a
 * signature.
 */
function listBoundaries(text: string): number[] {
  const boundaries = new Set<string>()
  for (const [, quoted, bare] of text.matchAll(/boundary\s{0,8}=\s{0,8}(?:"([^"\r\n]{1,200})"|([^\s";]{1,200}))/gi))
    boundaries.add((quoted ?? bare ?? '').trimEnd())
  return [...text.matchAll(/^--([^\r\n]{1,202})/gm)]
    .filter(([, line = '']) => boundaries.has(line.trimEnd()) || boundaries.has(line.trimEnd().replace(/--$/, '')))
    .map(({ index }) => index)
}

/** As lenient programs decode it: skipping characters that do not belong to it, and continuing after its padding. */
function decodeBase64(content: string): Buffer {
  const pieces = content.replace(/[^A-Za-z0-9+/=]/g, '').split('=')
  return Buffer.concat(pieces.filter(piece => piece !== '').map(piece => Buffer.from(piece, 'base64')))
}

function decodeQuoted(text: string): Buffer {
  const plain = text.replace(/=[ \t]{0,80}\r?\n|=([\da-f]{2})/gi, (_, code?: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : '',
  )
  return Buffer.from(plain, 'latin1')
}

/** The headers of a part are around the one that gives its encoding. */
function readName(text: string, marker: number, bodyStart: number): string {
  const head = text.slice(Math.max(0, marker - HEADERS_MAX), Math.min(bodyStart, marker + HEADERS_MAX))
  return /name="?([^"\r\n;]{1,1000})/i.exec(head.slice(Math.max(0, head.lastIndexOf('\n--'))))?.[1] ?? ''
}
