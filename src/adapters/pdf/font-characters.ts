const MAX_CODE_POINT = 0x10ffff

type OnCharacter = (code: number, glyph: number) => void

/** Which characters a TrueType or OpenType font has: 1 at the index of each code point. */
export function charactersOf(font: Buffer): Uint8Array {
  const has = new Uint8Array(MAX_CODE_POINT + 1)
  forEachCharacter(font, code => {
    has[code] = 1
  })
  return has
}

/** Tells each character of a font, some more than once, with its glyph. */
export function forEachCharacter(font: Buffer, tell: OnCharacter): void {
  const cmap = tableAt(font, 'cmap')
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const at = cmap + font.readUInt32BE(cmap + 8 + 8 * index)
    const format = font.readUInt16BE(at)
    if (format === 4) readSegments(font, at, tell)
    if (format === 12) readGroups(font, at, tell)
  }
}

/** Where a table begins. */
export function tableAt(font: Buffer, name: string): number {
  const tables = font.readUInt16BE(4)
  for (let entry = 12; entry < 12 + 16 * tables; entry += 16)
    if (font.toString('latin1', entry, entry + 4) === name) return font.readUInt32BE(entry + 8)
  throw new Error(`The font has no table ${name}`)
}

/** Format 4: four parallel arrays (last, first, delta, offset) of segments; an offset points to glyphs one by one. */
function readSegments(font: Buffer, at: number, tell: OnCharacter): void {
  const size = font.readUInt16BE(at + 6)
  for (let segment = 0; segment < size; segment += 2) {
    const last = font.readUInt16BE(at + 14 + segment)
    const first = font.readUInt16BE(at + 16 + size + segment)
    const delta = font.readUInt16BE(at + 16 + 2 * size + segment)
    const offsetAt = at + 16 + 3 * size + segment
    const offset = font.readUInt16BE(offsetAt)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph = offset === 0 ? (code + delta) & 0xffff : font.readUInt16BE(offsetAt + offset + 2 * (code - first))
      if (glyph !== 0) tell(code, glyph)
    }
  }
}

/** Format 12: groups of a first code point, a last one and a glyph. */
function readGroups(font: Buffer, at: number, tell: OnCharacter): void {
  const groups = font.readUInt32BE(at + 12)
  for (let group = at + 16; group < at + 16 + 12 * groups; group += 12) {
    const first = font.readUInt32BE(group)
    for (let code = first; code <= font.readUInt32BE(group + 4); code++)
      tell(code, font.readUInt32BE(group + 8) + code - first)
  }
}
