import { hash } from 'node:crypto'
import { KEPT } from '../upkeep/retention.ts'
import type { DatedPosition } from './entry.ts'

/** The contents of a cursor: a position in the feed of one database, and the time from which its age counts. */
interface Cursor extends DatedPosition {
  epoch: string
}

const KEPT_MS = KEPT.forDays.changes.days * 24 * 3_600_000
/** The highest number that a transaction can have. */
const HIGHEST_TX = 2n ** 64n - 1n
const WRITTEN = /^([0-9a-f]{1,16})\.([0-9a-z]{1,10})\.([0-9]{1,20})\.([0-9]{1,16})$/

/** A checksum against accidents, such as a character that was lost or changed. It keeps nothing secret. */
const CHECKSUM_BYTES = 4

export function writeCursor({ epoch, atMs, tx, id }: Cursor): string {
  const position = Buffer.from(`${epoch}.${Math.floor(atMs / 1000).toString(36)}.${tx}.${id}`)
  const checksum = hash('sha256', position, 'buffer').subarray(0, CHECKSUM_BYTES)
  return Buffer.concat([checksum, position]).toString('base64url')
}

/**
 * The position that a cursor names; undefined when it is too old, of another database, or not a cursor. One that differs from
 * what would be written for its position has been altered: to continue from there would leave a gap that nobody notices.
 */
export function readCursor(text: string, epoch: string, now = Date.now()): DatedPosition | undefined {
  if (text.length > 100) return undefined
  const written = Buffer.from(text, 'base64url').subarray(CHECKSUM_BYTES).toString('latin1')
  const [, ofEpoch = '', seconds = '', tx = '', id] = WRITTEN.exec(written) ?? []
  const atMs = Number.parseInt(seconds, 36) * 1000
  if (ofEpoch !== epoch || !(now - atMs < KEPT_MS) || BigInt(tx) > HIGHEST_TX) return undefined
  const position = { tx, id: Number(id), atMs }
  return writeCursor({ epoch, ...position }) === text ? position : undefined
}
