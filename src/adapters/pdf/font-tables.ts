/** A TrueType font taken apart: its tables, and glyph by glyph what they say about outlines and widths. */
export interface TakenApart {
  tables: Map<string, Buffer>
  glyphs: Buffer[]
  /** In the units of the font. */
  metrics: { advance: number; bearing: number }[]
}

const LONG_OFFSETS = 1
const PADDING = Buffer.alloc(3)

export function takeApart(font: Buffer): TakenApart {
  const tables = new Map<string, Buffer>()
  for (let entry = 12; entry < 12 + 16 * font.readUInt16BE(4); entry += 16) {
    const at = font.readUInt32BE(entry + 8)
    tables.set(font.toString('latin1', entry, entry + 4), font.subarray(at, at + font.readUInt32BE(entry + 12)))
  }
  const { head, hhea, hmtx, loca, glyf, maxp } = requiredTables(tables)
  const hasLongOffsets = head.readUInt16BE(50) === LONG_OFFSETS
  const offset = (glyph: number) => (hasLongOffsets ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph))
  const withAdvance = hhea.readUInt16BE(34)
  const all = Array.from({ length: maxp.readUInt16BE(4) }, (_, glyph) => glyph)
  return {
    tables,
    glyphs: all.map(glyph => glyf.subarray(offset(glyph), offset(glyph + 1))),
    metrics: all.map(glyph => ({
      advance: hmtx.readUInt16BE(4 * Math.min(glyph, withAdvance - 1)),
      bearing: hmtx.readInt16BE(glyph < withAdvance ? 4 * glyph + 2 : 4 * withAdvance + 2 * (glyph - withAdvance)),
    })),
  }
}

export function putTogether({ tables, glyphs, metrics }: TakenApart): Buffer {
  const changed = new Map([...tables].map(([name, table]) => [name, Buffer.from(table)]))
  const { head, hhea, maxp } = requiredTables(changed)
  head.writeUInt16BE(LONG_OFFSETS, 50)
  hhea.writeUInt16BE(glyphs.length, 34)
  maxp.writeUInt16BE(glyphs.length, 4)
  const padded = glyphs.map(aligned)
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  let end = 0
  for (const [glyph, { length }] of padded.entries()) {
    end += length
    loca.writeUInt32BE(end, 4 * (glyph + 1))
  }
  const hmtx = Buffer.alloc(4 * glyphs.length)
  for (const [glyph, { advance, bearing }] of metrics.entries()) {
    hmtx.writeUInt16BE(advance, 4 * glyph)
    hmtx.writeInt16BE(bearing, 4 * glyph + 2)
  }
  return joined(changed.set('glyf', Buffer.concat(padded)).set('loca', loca).set('hmtx', hmtx))
}

type Required = 'head' | 'hhea' | 'hmtx' | 'loca' | 'glyf' | 'maxp'

function requiredTables(tables: Map<string, Buffer>): Record<Required, Buffer> {
  const table = (name: Required): Buffer => {
    const found = tables.get(name)
    if (!found) throw new Error(`The font has no table ${name}`)
    return found
  }
  return {
    head: table('head'),
    hhea: table('hhea'),
    hmtx: table('hmtx'),
    loca: table('loca'),
    glyf: table('glyf'),
    maxp: table('maxp'),
  }
}

/** The file: its directory, then each table. */
function joined(tables: Map<string, Buffer>): Buffer {
  const names = [...tables.keys()].sort()
  const largest = 2 ** Math.floor(Math.log2(names.length))
  const directory = Buffer.alloc(12 + 16 * names.length)
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(names.length, 4)
  directory.writeUInt16BE(16 * largest, 6)
  directory.writeUInt16BE(Math.log2(largest), 8)
  directory.writeUInt16BE(16 * (names.length - largest), 10)
  const parts: Buffer[] = [directory]
  let at = directory.length
  for (const [index, name] of names.entries()) {
    const table = tables.get(name) as Buffer
    // The sum over the whole file is kept in this table, which is summed up without it.
    if (name === 'head') table.writeUInt32BE(0, 8)
    const entry = 12 + 16 * index
    directory.write(name, entry, 'latin1')
    directory.writeUInt32BE(checksum(table), entry + 4)
    directory.writeUInt32BE(at, entry + 8)
    directory.writeUInt32BE(table.length, entry + 12)
    const padded = aligned(table)
    parts.push(padded)
    at += padded.length
  }
  const font = Buffer.concat(parts)
  const head = directory.readUInt32BE(12 + 16 * names.indexOf('head') + 8)
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, head + 8)
  return font
}

function aligned(bytes: Buffer): Buffer {
  const missing = -bytes.length & 3
  return missing === 0 ? bytes : Buffer.concat([bytes, PADDING.subarray(0, missing)])
}

function checksum(table: Buffer): number {
  const bytes = aligned(table)
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) | 0
  return sum >>> 0
}
