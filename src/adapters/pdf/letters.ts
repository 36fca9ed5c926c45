import { type ShownText, writeShownText } from './content-text.ts'
import type { EmbeddedFont } from './embedded-font.ts'

/** A glyph on the page. Places and widths are in thousandths of the font's size. */
interface Glyph {
  code: number
  x: number
  y: number
  width: number
  /** What it stands for, from left to right. */
  characters: readonly string[]
}

/** A letter with what is attached to it: what is drawn, and what it tells. */
interface Letter {
  glyphs: Glyph[]
  x: number
  y: number
  width: number
  text: string
  /** The characters of its marks, the last one first. */
  marks: string[]
  /** A space, which may carry marks. */
  isBlank: boolean
}

/** Differences that come from rounding. */
const SAME_PLACE = 0.05
/** The farthest that a letter may be from the pen and still belong to the same line. */
const SAME_LINE = 100
/** No letter that means anything has more. */
const MOST_ATTACHED = 32
/** What is left of a space in front of a letter with marks. */
const NARROW_SPACE = 90
/** Of two equal marks that are nearer, poppler drops one: it takes them for bold type. */
const MARKS_APART = 120

/** Moves that no program takes for a gap. */
const HARDLY_MOVED = 30

/** True for text that is nothing but letters, one glyph each. Most text is. */
export function isInLetters({ pieces }: ShownText, font: EmbeddedFont): boolean {
  return pieces.every(piece =>
    typeof piece === 'number'
      ? Math.abs(piece) <= HARDLY_MOVED
      : piece.every(code => font.isLetter(code) && mirrored(font.charactersOf(code)) === font.charactersOf(code)),
  )
}

/** Text in one font as the lines that show it, in which every letter is one glyph and begins where the one before it ends. */
export function inLetters(shown: ShownText[], font: EmbeddedFont, size: number): string[] {
  const letters = lettersOf(glyphsOf(shown, font, size), font)
  return rowsOf(letters).flatMap(row => {
    const [first] = row as [Letter]
    const codes = row.map((letter, index) => codesOf(letter, first.y, font, index > 0))
    const written = writeShownText(placed(row, codes, size))
    return first.marks.length === 0 ? written : [...written, ...toldAfter(first, font, size)]
  })
}

function glyphsOf(shown: ShownText[], font: EmbeddedFont, size: number): Glyph[] {
  const glyphs = shown.flatMap(({ x, y, pieces }) => {
    const codes = pieces.flatMap(piece => (typeof piece === 'number' ? [] : piece))
    const isNumber =
      codes.some(code => DIGIT.test(font.textOf(code))) && !codes.some(code => LETTER.test(font.textOf(code)))
    let pen = (x / size) * 1000
    return pieces.flatMap(piece => {
      if (typeof piece === 'number') pen -= piece
      if (typeof piece === 'number') return []
      return piece.map((code): Glyph => {
        const characters = isNumber ? font.charactersOf(code) : mirrored(font.charactersOf(code))
        const glyph = { code, x: pen, y: (-y / size) * 1000, width: font.widthOf(code), characters }
        pen += glyph.width
        return glyph
      })
    })
  })
  // Characters that are not seen, as those that isolate a phrase, are drawn as a space that takes no room.
  return glyphs.filter(({ code, x, y }, index) => {
    const next = glyphs[index + 1]
    return !font.isBlank(code) || !next || Math.abs(next.x - x) >= SAME_PLACE || Math.abs(next.y - y) >= SAME_PLACE
  })
}

const DIGIT = /\p{Nd}/u
const LETTER = /\p{L}/u
const MIRRORED = new Map([...'()[]{}<>«»‹›≤≥'].map((one, index, all) => [one, all[index ^ 1] as string]))

/** From right to left, an opening bracket is drawn by the glyph of a closing one. Numbers run from left to right. */
function mirrored(characters: readonly string[]): readonly string[] {
  const other = characters.length === 1 ? MIRRORED.get(characters[0] as string) : undefined
  return other === undefined ? characters : [other]
}

/** What is attached to a letter comes before it: the glyphs stand from left to right, and Arabic is read from the right. */
function lettersOf(glyphs: Glyph[], font: EmbeddedFont): Letter[] {
  const letters: Letter[] = []
  let attached: Glyph[] = []
  for (const glyph of glyphs) {
    attached.push(glyph)
    const isAttached = glyph.width === 0 || glyph.characters.length === 0
    if (isAttached && attached.length <= MOST_ATTACHED) continue
    letters.push(letterOf(attached, font))
    attached = []
  }
  return [...letters, ...attached.map(glyph => letterOf([glyph], font))]
}

function letterOf(glyphs: Glyph[], font: EmbeddedFont): Letter {
  const letter = glyphs.at(-1) as Glyph
  const wide = glyphs.filter(({ width }) => width > 0)
  const characters = glyphs.flatMap(glyph => glyph.characters)
  return {
    glyphs,
    x: Math.min(...(wide.length > 0 ? wide : [letter]).map(({ x }) => x)),
    y: letter.y,
    width: wide.reduce((sum, { width }) => sum + width, 0),
    text: characters.pop() ?? '',
    marks: characters,
    isBlank: font.isBlank(letter.code),
  }
}

/** Letters that follow one another. */
function rowsOf(letters: Letter[]): Letter[][] {
  const rows: Letter[][] = []
  let end = { x: 0, y: 0 }
  for (const letter of letters) {
    const isNear = Math.abs(letter.x - end.x) < SAME_LINE && Math.abs(letter.y - end.y) < SAME_LINE
    const row = rows.at(-1)
    if (row && isNear) row.push(letter)
    else rows.push([letter])
    end = { x: letter.x + letter.width, y: row && isNear ? end.y : letter.y }
  }
  return rows.map(row => withMarksApart(withRoomForMarks(withoutGaps(row))))
}

/** So that a letter which is as wide in two places is one glyph. */
function rounded(width: number): number {
  return Math.round(width * 10) / 10
}

/** A letter is as wide as the way to the next. */
function withoutGaps(row: Letter[]): Letter[] {
  for (const [index, letter] of row.entries()) {
    const width = rounded((row[index + 1]?.x ?? 0) - letter.x)
    if (width > 0 && Math.abs(width - letter.width) > 2 * SAME_PLACE) letter.width = width
  }
  return row
}

/**
 * pdf.js does not ask where a mark stands, and therefore sees a second space between a mark that follows one and its letter. It
 * does not if the letter before the space is wide enough to come near; poppler then still sees the narrow one that is left.
 */
function withRoomForMarks(row: Letter[]): Letter[] {
  const isSeen = ({ isBlank, marks }: Letter) => !isBlank || marks.length > 0
  const first = row.findIndex(isSeen)
  const last = row.findLastIndex(isSeen)
  // The marks of the first letter are told after the row. Spaces around it are not seen, and would come between them.
  const shown = (row[first]?.marks.length ?? 0) > 0 ? row.slice(first, last + 1) : row
  let before = 0
  for (const [index, letter] of shown.entries()) {
    if (letter.isBlank) continue
    const spaces = shown.slice(before + 1, index)
    if (letter.marks.length > 0 && spaces.length > 0) narrow(shown[before] as Letter, spaces, letter.x)
    before = index
  }
  return shown
}

function narrow(before: Letter, spaces: Letter[], end: number): void {
  const width = NARROW_SPACE / spaces.length
  for (const [index, space] of spaces.entries()) {
    space.x = end - width * (spaces.length - index)
    space.width = width
  }
  before.width = rounded((spaces[0] as Letter).x - before.x)
}

/** Some letters are joined above others and take hardly any room: there the mark of the next is moved aside. */
function withMarksApart(row: Letter[]): Letter[] {
  for (const [index, letter] of row.entries()) {
    const next = row[index + 1]
    const missing = MARKS_APART - letter.width
    if (!next || missing <= 0 || next.width <= missing || !letter.marks.some(mark => next.marks.includes(mark)))
      continue
    letter.width += missing
    next.x += missing
    next.width -= missing
  }
  return row
}

/** Codes that draw a letter and, in front of it, tell its marks. */
function codesOf(letter: Letter, baseLine: number, font: EmbeddedFont, tellsMarks: boolean): number[] {
  const units = (thousandths: number) => Math.round((thousandths * font.unitsPerEm) / 1000)
  const { x, text, marks, width } = letter
  const parts = letter.glyphs.map(glyph => ({
    code: glyph.code,
    right: units(glyph.x - x),
    up: units(glyph.y - baseLine),
  }))
  const [only, ...others] = parts as [(typeof parts)[number]]
  const isPlain =
    others.length === 0 &&
    only.right === 0 &&
    only.up === 0 &&
    text === font.textOf(only.code) &&
    width === font.widthOf(only.code)
  const drawn = isPlain
    ? only.code
    : font.drawing(
        parts.filter(({ code }) => !font.isBlank(code)),
        text,
        width,
      )
  return [...(tellsMarks ? marks.map(mark => font.silent(mark)) : []), drawn]
}

function placed(row: Letter[], codes: number[][], size: number): ShownText {
  const [first] = row as [Letter]
  const pieces: ShownText['pieces'] = []
  let pen = first.x
  for (const [index, { x, width }] of row.entries()) {
    const own = codes[index] as number[]
    const last = pieces.at(-1)
    const isThere = Math.abs(x - pen) <= SAME_PLACE
    if (!isThere) pieces.push(pen - x)
    if (isThere && typeof last === 'object') last.push(...own)
    else pieces.push(own)
    pen = (isThere ? pen : x) + width
  }
  return { x: (first.x * size) / 1000, y: (-first.y * size) / 1000, pieces }
}

/**
 * The marks of the first letter on the left, which is the last to be read, in a place of their own: pdf.js would take marks at
 * the beginning of a row for the end of the row before.
 */
function toldAfter({ x, y, marks }: Letter, font: EmbeddedFont, size: number): string[] {
  const place = { x: ((x - 1) * size) / 1000, y: (-y * size) / 1000 }
  return ['/Span BMC', ...writeShownText({ ...place, pieces: [marks.map(mark => font.silent(mark))] }), 'EMC']
}
