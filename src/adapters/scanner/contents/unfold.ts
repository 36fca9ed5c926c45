import { gunzipSync } from 'node:zlib'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import type { Allowance, Member } from './allowance.ts'
import { isCompoundFile, openCompoundFile } from './compound-file.ts'
import { isUnsupportedArchive } from './kinds.ts'
import { isMail, openMail } from './mail-parts.ts'
import { isPdf, openPdf } from './pdf.ts'
import { isRtf, openRtf } from './rtf-objects.ts'
import { isTar, openTar } from './tar.ts'
import { Unreadable } from './unreadable.ts'
import { openZip } from './zip-members.ts'

/** For nested archives. A workbook in a document in a tar.gz, with its macros, is five levels. */
const MAX_DEPTH = 8

/**
 * The member itself, and everything packed in it. Obstacles are reported to `note`, and the rest continues: what is next to
 * something locked is still found.
 */
export function* unfold(
  member: Member,
  allowance: Allowance,
  note: (obstacle: Obstacle) => void,
  depth = 0,
): Generator<Member> {
  yield member
  if (member.part === 'view' || member.part === 'macro') return
  for (const open of openers(member)) {
    if (allowance.isSpent) return
    try {
      for (const inner of open(member, allowance)) {
        if (depth === MAX_DEPTH) throw new Unreadable('TooDeep')
        yield* unfold(inner, allowance, note, depth + 1)
        if (allowance.isSpent) return
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      note(error.obstacle)
    }
  }
}

type Open = (member: Member, allowance: Allowance) => Iterable<Member>

/** A file can be several containers at once, and a program opens the one it knows. */
function openers({ bytes, name }: Member): Open[] {
  return [
    isTar(bytes) && openTar,
    isCompoundFile(bytes) && openCompoundFile,
    isTar(bytes) || isCompoundFile(bytes) ? openZipInside : openZip,
    isGzip(bytes) && openGzip,
    isPdf(bytes) && openPdf,
    isRtf(bytes) && openRtf,
    isMail(bytes) && openMail,
    isUnsupportedArchive(bytes, name) && refuse,
  ].filter(open => open !== false)
}

/** In these a zip may be stored in pieces. It is opened whole as their member, so what seems broken here need not be. */
function* openZipInside(member: Member, allowance: Allowance): Generator<Member> {
  try {
    yield* openZip(member, allowance)
  } catch (error) {
    if (!(error instanceof Unreadable) || error.obstacle !== 'Broken') throw error
  }
}

const isGzip = (bytes: Buffer) => bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0x1f8b08

function* openGzip({ bytes, name }: Member, allowance: Allowance): Generator<Member> {
  const inner = name.replace(/\.tgz$/i, '.tar').replace(/\.gz$/i, '')
  yield { name: inner, part: 'file', bytes: allowance.inflate(gunzipSync, bytes) }
}

function refuse(): never {
  throw new Unreadable('Unsupported')
}
