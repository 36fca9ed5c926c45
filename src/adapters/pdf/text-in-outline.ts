/**
 * An outline is a number of contours, the box around them and their points; or a negative number, the box and parts, which are
 * other outlines, each moved by two offsets. Typst keeps what follows the points, and nothing that follows the parts: so a
 * text follows the points, or is in the offsets of further parts that draw a blank glyph.
 */
const HEADER = 10

const WORD_OFFSETS = 0x0001
const OFFSETS = 0x0002
const SCALED = 0x0008
const MORE_PARTS = 0x0020
const SCALED_TWICE = 0x0040
const TRANSFORMED = 0x0080

/** A glyph without an outline keeps none. */
export function withText(outline: Buffer, text: string, blank: number): Buffer {
  if (outline.length === 0) return outline
  const units = Array.from(text, (_, index) => text.charCodeAt(index))
  if (isComposed(outline))
    return withParts(
      outline,
      units.map(unit => ({ glyph: blank, right: toSigned(unit), up: 0 })),
    )
  const end = outline.length + 2 * units.length + 2
  const padded = end + (-end & 3)
  const changed = Buffer.allocUnsafe(padded)
  outline.copy(changed)
  changed.fill(0, outline.length)
  for (const [index, unit] of units.entries()) changed.writeUInt16BE(unit, padded - 2 * (units.length - index + 1))
  changed.writeUInt16BE(units.length, padded - 2)
  return changed
}

/** The outline, and the text that was put in it; undefined for a glyph without an outline. */
export function takeText(
  outline: Buffer,
  isBlank: (glyph: number) => boolean,
): { outline: Buffer; text: string | undefined } {
  if (outline.length === 0) return { outline, text: undefined }
  const units = isComposed(outline)
    ? partsOf(outline)
        .filter(({ glyph }) => isBlank(glyph))
        .map(({ at }) => outline.readUInt16BE(at + 4))
    : unitsBehind(outline)
  return {
    outline: isComposed(outline) ? withoutLast(outline, units.length) : outline,
    text: String.fromCharCode(...units),
  }
}

function unitsBehind(outline: Buffer): number[] {
  const end = outline.length - 2
  const count = outline.readUInt16BE(end)
  return Array.from({ length: count }, (_, index) => outline.readUInt16BE(end - 2 * (count - index)))
}

function isComposed(outline: Buffer): boolean {
  return outline.readInt16BE(0) < 0
}

interface Part {
  glyph: number
  right: number
  up: number
}

/** An outline with further parts. */
export function withParts(outline: Buffer, parts: Part[]): Buffer {
  const known = partsOf(outline)
  const end = known.at(-1)?.end ?? HEADER
  const changed = Buffer.allocUnsafe(end + 8 * parts.length)
  outline.copy(changed, 0, 0, end)
  const places = [...known.map(({ at }) => at), ...parts.map((_, index) => end + 8 * index)]
  for (const [index, { glyph, right, up }] of parts.entries()) {
    const at = end + 8 * index
    changed.writeUInt16BE(WORD_OFFSETS | OFFSETS, at)
    changed.writeUInt16BE(glyph, at + 2)
    changed.writeInt16BE(right, at + 4)
    changed.writeInt16BE(up, at + 6)
  }
  for (const at of places.slice(0, -1)) changed.writeUInt16BE(changed.readUInt16BE(at) | MORE_PARTS, at)
  return changed
}

function withoutLast(outline: Buffer, count: number): Buffer {
  if (count === 0) return outline
  const last = partsOf(outline).at(-count - 1)
  if (!last) throw new Error('The outline has no parts of its own')
  const changed = Buffer.from(outline.subarray(0, last.end))
  changed.writeUInt16BE(changed.readUInt16BE(last.at) & ~MORE_PARTS, last.at)
  return changed
}

function partsOf(outline: Buffer): { glyph: number; at: number; end: number }[] {
  const parts: { glyph: number; at: number; end: number }[] = []
  for (let at = HEADER, hasMore = outline.length > HEADER; hasMore; ) {
    const flags = outline.readUInt16BE(at)
    const offsets = flags & WORD_OFFSETS ? 4 : 2
    const scales = flags & SCALED ? 2 : flags & SCALED_TWICE ? 4 : flags & TRANSFORMED ? 8 : 0
    parts.push({ glyph: outline.readUInt16BE(at + 2), at, end: at + 4 + offsets + scales })
    at += 4 + offsets + scales
    hasMore = (flags & MORE_PARTS) !== 0
  }
  return parts
}

function toSigned(unit: number): number {
  return (unit << 16) >> 16
}
