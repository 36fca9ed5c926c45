/** Glyphs that a font draws instead of others, wherever it may do so. */
export interface Substitution {
  from: number[]
  to: number[]
  /** Where in the table the first glyph of `to` is written, if it is written there. */
  at?: number
}

const SINGLE = 1
const MULTIPLE = 2
const LIGATURE = 4
const EXTENSION = 7

/** All substitutions of a table `GSUB`. The lookups that say where one applies refer to these and have none of their own. */
export function substitutionsOf(table: Buffer): Substitution[] {
  const u16 = (at: number) => table.readUInt16BE(at)
  const list = (at: number, count: number) => Array.from({ length: count }, (_, index) => u16(at + 2 * index))

  /** The glyphs to which a lookup applies. */
  function coverage(at: number): number[] {
    const count = u16(at + 2)
    if (u16(at) === 1) return list(at + 4, count)
    return Array.from({ length: count }, (_, range) => {
      const [first = 0, last = 0] = list(at + 4 + 6 * range, 2)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    }).flat()
  }

  function ofSubtable(type: number, at: number): Substitution[] {
    if (type === EXTENSION) return ofSubtable(u16(at + 2), at + table.readUInt32BE(at + 4))
    if (type !== SINGLE && type !== MULTIPLE && type !== LIGATURE) return []
    return coverage(at + u16(at + 2)).flatMap((glyph, index): Substitution[] => {
      if (type === SINGLE && u16(at) === 1)
        return [{ from: [glyph], to: [(glyph + table.readInt16BE(at + 4)) & 0xffff] }]
      if (type === SINGLE) return [{ from: [glyph], to: [u16(at + 6 + 2 * index)], at: at + 6 + 2 * index }]
      const found = at + u16(at + 6 + 2 * index)
      if (type === MULTIPLE) return [{ from: [glyph], to: list(found + 2, u16(found)), at: found + 2 }]
      return list(found + 2, u16(found)).map(offset => {
        const ligature = found + offset
        const others = list(ligature + 4, u16(ligature + 2) - 1)
        return { from: [glyph, ...others], to: [u16(ligature)], at: ligature }
      })
    })
  }

  const lookups = u16(8)
  return list(lookups + 2, u16(lookups)).flatMap(offset => {
    const lookup = lookups + offset
    return list(lookup + 6, u16(lookup + 4)).flatMap(subtable => ofSubtable(u16(lookup), lookup + subtable))
  })
}
