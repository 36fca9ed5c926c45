/** The font of a text where nothing calls for another. */
export type BaseFont = 'latin' | 'arabic' | 'mono'

interface FontRun {
  /** Undefined for the base font. */
  font?: string
  text: string
}

export type FontChooser = (text: string, base: BaseFont) => FontRun[]

export interface FontFamily {
  name: string
  /** 1 at the index of each code point that all faces of the family have. */
  characters: Uint8Array
}

/** Shown for a character that no font has. */
const REPLACEMENT = '\ufffd'

/** A character with what is attached to it. */
const UNIT = /(?:[^\p{M}\p{Cf}]|^)[\p{M}\p{Cf}]*/gu
// They are not drawn, so no font needs to have them.
const UNDRAWN = /[\p{Default_Ignorable_Code_Point}\n\t]/u
// An emoji by itself, or because of the mark that asks for one.
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
const LETTER = /\p{L}/u
const SPACE = /[\p{Zs}\u2028\u2029]/u
const CONTROL = /(?![\n\t])\p{Cc}/gu

interface Unit {
  text: string
  /** A bit for each family that can set it. */
  families: number
  isLetter: boolean
}

/**
 * Splits text into runs of one font each, so that Typst never has to look for a font: it would use those of the machine, and
 * fails on some characters that it cannot find. The first families are the three base fonts; among the others, the first that
 * has a character sets it.
 */
export function createFontChooser(
  families: Record<BaseFont, FontFamily> & { others: FontFamily[]; emoji: FontFamily },
): FontChooser {
  const all = [families.latin, families.arabic, ...families.others, families.emoji, families.mono]
  const bitOf = (family: FontFamily) => 1 << all.indexOf(family)
  const bits = { latin: bitOf(families.latin), arabic: bitOf(families.arabic), mono: bitOf(families.mono) }
  const emojiBit = bitOf(families.emoji)
  const names = new Map(all.map(family => [bitOf(family), family.name]))

  /** By code point, a bit for each family that has it. */
  const having = new Uint16Array(families.latin.characters.length)
  for (const [index, { characters }] of all.entries())
    for (let code = 0; code < having.length; code++)
      having[code] = (having[code] as number) | ((characters[code] as number) << index)

  /** Every family that has all characters of a unit. */
  function familiesFor(text: string): number {
    let found = -1
    for (const character of text)
      if (!UNDRAWN.test(character)) found &= having[character.codePointAt(0) as number] as number
    return found & emojiBit && EMOJI.test(text) ? emojiBit : found
  }

  function toUnit(text: string): Unit {
    const found = familiesFor(text)
    if (found !== 0) return { text, families: found, isLetter: LETTER.test(text) }
    const shown = SPACE.test(text) ? ' ' : REPLACEMENT
    return { text: shown, families: familiesFor(shown), isLetter: false }
  }

  /** A letter is set in the first font that has it, what is between two letters in their font, and the rest in the base font. */
  function choose(units: Unit[], base: number): number[] {
    const first = (found: number) => (base === bits.mono && found & base ? base : found & -found)
    const following: number[] = Array(units.length).fill(base)
    let next = base
    for (let index = units.length - 1; index >= 0; index--) {
      const unit = units[index] as Unit
      if (unit.isLetter) next = first(unit.families)
      following[index] = next
    }
    let before = base
    return units.map(({ families, isLetter }, index) => {
      if (isLetter) before = first(families)
      if (isLetter) return before
      const wanted = before === following[index] ? before : base
      return [wanted, base].find(bit => families & bit) ?? first(families)
    })
  }

  return (text, base) => {
    const units = (text.toWellFormed().replace(CONTROL, '').match(UNIT) ?? []).map(toUnit)
    const runs: FontRun[] = []
    let current: number | undefined
    for (const [index, bit] of choose(units, bits[base]).entries()) {
      const unit = units[index] as Unit
      const run = runs.at(-1)
      if (run && bit === current) run.text += unit.text
      else runs.push(bit === bits[base] ? { text: unit.text } : { font: names.get(bit) as string, text: unit.text })
      current = bit
    }
    return runs
  }
}
