import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import type { Allowance, Member } from './allowance.ts'
import { decodeNames, decodeStream } from './pdf-filters.ts'
import { openPdfLock, type PdfLock } from './pdf-lock.ts'
import { attempt, MAX_OBSTACLES, Unreadable } from './unreadable.ts'

interface Stream {
  /** The text since the previous stream: its dictionary, and perhaps much else. */
  before: string
  start: number
  /** Where the word `endstream` follows. */
  end: number
}

export const isPdf = (bytes: Buffer) => bytes.subarray(0, 1024).includes('%PDF-')

/**
 * Newer PDFs keep their dictionaries packed in object streams. One rule may need words from several of them, so they are
 * unpacked and appended to the document as if they had never been packed. Attached files keep the name of the PDF: that is the
 * name under which they travel. The stream of an attached file need not be marked except by a reference to it (`/EF`): if there
 * is such a reference, every stream is examined.
 */
export function* openPdf({ name, bytes }: Member, allowance: Allowance): Generator<Member> {
  const text = bytes.toString('latin1')
  const streams = [...listStreams(text)]
  const obstacles: Obstacle[] = []
  const decoded = decodeNames(text)
  const lock = lockOf(text, decoded)
  const read = (stream: Stream) => readStream(bytes, stream, lock, allowance)
  const objects: Buffer[] = []
  for (const stream of streams.filter(({ before }) => isObjectStream(before))) {
    const unpacked = attempt(obstacles, () => read(stream))
    if (unpacked) objects.push(unpacked)
    if (obstacles.length >= MAX_OBSTACLES) break
  }
  const hasAttached =
    refersToFiles(decoded) || objects.some(object => refersToFiles(decodeNames(object.toString('latin1'))))
  for (const stream of streams.filter(({ before }) => isAttached(before, hasAttached))) {
    const isCertain = isMarkedAttached(stream.before) || stream.before.trimEnd().endsWith('>>')
    // The word alone, in some text, does not begin a stream.
    const unpacked = attempt(isCertain ? obstacles : [], () => read(stream))
    if (unpacked) yield { name, part: 'file', bytes: unpacked }
    if (obstacles.length >= MAX_OBSTACLES || allowance.isSpent) break
  }
  if (objects.length > 0) yield { name, part: 'view', bytes: Buffer.concat([bytes, ...objects]) }
  if (obstacles[0]) throw new Unreadable(obstacles[0])
}

function* listStreams(text: string): Generator<Stream> {
  let previous = 0
  let end = 0
  for (let at = text.indexOf('stream'); at >= 0; at = text.indexOf('stream', previous)) {
    const before = decodeNames(text.slice(previous, at))
    previous = at + 'stream'.length
    if (before.endsWith('end')) continue
    if (end < previous) end = text.indexOf('endstream', previous)
    if (end < 0) end = text.length
    const [lineEnd] = /^[ \t]{0,8}(\r\n|\n|\r)?/.exec(text.slice(previous, previous + 16)) ?? ['']
    yield { before, start: previous + lineEnd.length, end }
  }
}

const isObjectStream = (before: string) => /\/(ObjStm|First)(?![A-Za-z])/.test(before)
const isMarkedAttached = (before: string) => /\/EmbeddedFile(?![A-Za-z])/.test(before)
const refersToFiles = (text: string) => /\/EF(?![A-Za-z])/.test(text)

function isAttached(before: string, hasAttached: boolean): boolean {
  if (isMarkedAttached(before)) return true
  return hasAttached && !isObjectStream(before) && !/\/XRef(?![A-Za-z])/.test(before)
}

/** Undefined when there is none. One that cannot be opened is an obstacle only to what it locks. */
function lockOf(text: string, decoded: string): PdfLock | 'closed' | undefined {
  if (!/\/Encrypt(?![A-Za-z])/.test(decoded)) return undefined
  return attempt([], () => openPdfLock(text)) ?? 'closed'
}

function readStream(
  bytes: Buffer,
  { before, start, end }: Stream,
  lock: PdfLock | 'closed' | undefined,
  allowance: Allowance,
): Buffer {
  if (lock === 'closed') throw new Unreadable('Encrypted')
  if (!lock) return decodeStream(bytes.subarray(start, end), bytes.subarray(start), before, allowance)
  const unlocked = lock(before, bytes.subarray(start, end))
  return decodeStream(unlocked, unlocked, before, allowance)
}
