import { KEPT } from '../upkeep/retention.ts'
import type { Position } from './feed.ts'

/** The contents of a cursor: a position in the feed of one database, and the time from which its age counts. */
interface Cursor extends Position {
  epoch: string
  atMs: number
}

const KEPT_MS = KEPT.forDays.changes.days * 24 * 3_600_000
/** The highest number that a transaction can have. */
const HIGHEST_TX = 2n ** 64n - 1n
const WRITTEN = /^([0-9a-f]{1,16})\.([0-9a-z]{1,10})\.([0-9]{1,20})\.([0-9]{1,16})$/

export function writeCursor({ epoch, atMs, tx, id }: Cursor): string {
  return Buffer.from(`${epoch}.${Math.floor(atMs / 1000).toString(36)}.${tx}.${id}`).toString('base64url')
}

/** The position that a cursor names; undefined when it is too old, of another database, or not a cursor. */
export function readCursor(text: string, epoch: string, now = Date.now()): Position | undefined {
  if (text.length > 100) return undefined
  const [, ofEpoch, seconds = '', tx = '', id] = WRITTEN.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  const isKept = now - Number.parseInt(seconds, 36) * 1000 < KEPT_MS
  return ofEpoch === epoch && isKept && BigInt(tx) <= HIGHEST_TX ? { tx, id: Number(id) } : undefined
}
