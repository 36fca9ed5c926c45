import { hex } from './content-text.ts'
import { putTogether, type TakenApart, takeApart } from './font-tables.ts'
import { between, type PdfObjects } from './pdf-objects.ts'
import { takeText, withParts } from './text-in-outline.ts'

/** A glyph of a drawing, moved by so many units of the font. */
export interface Part {
  code: number
  right: number
  up: number
}

const LATIN = /^\p{Script=Latin}/u
const MOST_GLYPHS = 0xffff
const NO_OUTLINE = Buffer.alloc(0)

/**
 * A lettered font as it is embedded in a PDF, to which glyphs can be added. The code of a glyph in the contents of a page is its
 * number in the font.
 */
export class EmbeddedFont {
  readonly #pdf: PdfObjects
  readonly #places: { letters: number; widths: number; file: number }
  readonly #font: TakenApart
  readonly #texts: Map<number, string>
  readonly #widths: Map<number, number>
  readonly #characters = new Map<number, readonly string[]>()
  readonly #added = new Map<string, number>()
  readonly unitsPerEm: number
  #mostParts = 0

  constructor(pdf: PdfObjects, number: number) {
    const widths = pdf.follow(number, 'DescendantFonts')
    const file = pdf.follow(pdf.follow(widths, 'FontDescriptor'), 'FontFile2')
    this.#pdf = pdf
    this.#places = { letters: pdf.follow(number, 'ToUnicode'), widths, file }
    this.#font = takeApart(pdf.stream(file))
    this.unitsPerEm = (this.#font.tables.get('head') as Buffer).readUInt16BE(18)
    this.#widths = readWidths(pdf.dictionary(widths))
    this.#texts = readLetters(pdf.stream(this.#places.letters).toString('latin1'))
    const lettered = this.#font.glyphs.map(outline => takeText(outline, code => this.isBlank(code)))
    for (const [code, { outline, text }] of lettered.entries()) {
      this.#font.glyphs[code] = outline
      if (text !== undefined) this.#texts.set(code, text)
    }
  }

  textOf(code: number): string {
    return this.#texts.get(code) ?? ''
  }

  /** Its characters from left to right, which is the last one first unless they are Latin. */
  charactersOf(code: number): readonly string[] {
    const known = this.#characters.get(code)
    if (known) return known
    const text = this.textOf(code)
    const characters = LATIN.test(text) ? [text] : [...text].reverse()
    this.#characters.set(code, characters)
    return characters
  }

  /** True for a glyph of one character that takes room. */
  isLetter(code: number): boolean {
    return this.widthOf(code) > 0 && this.charactersOf(code).length === 1
  }

  /** In thousandths of the font's size. */
  widthOf(code: number): number {
    return this.#widths.get(code) ?? 0
  }

  isBlank(code: number): boolean {
    return this.#font.glyphs[code]?.length === 0
  }

  /** The code of a glyph that draws nothing, takes no room and stands for a text. */
  silent(text: string): number {
    return this.#add(text, () => ({ outline: NO_OUTLINE, text, width: 0 }))
  }

  /** The code of a glyph that draws several. */
  drawing(parts: Part[], text: string, width: number): number {
    const key = `${text} ${width} ${parts.map(({ code, right, up }) => `${code},${right},${up}`).join(' ')}`
    return this.#add(key, () => ({ outline: this.#composed(parts), text, width }))
  }

  #add(key: string, make: () => { outline: Buffer; text: string; width: number }): number {
    const known = this.#added.get(key)
    if (known !== undefined) return known
    const code = this.#font.glyphs.length
    if (code >= MOST_GLYPHS) throw new Error('The document has too many combinations of letters and marks')
    const { outline, text, width } = make()
    const bearing = outline.length === 0 ? 0 : outline.readInt16BE(2)
    this.#font.glyphs.push(outline)
    this.#font.metrics.push({ advance: Math.round((width * this.unitsPerEm) / 1000), bearing })
    this.#texts.set(code, text)
    this.#widths.set(code, width)
    this.#added.set(key, code)
    return code
  }

  /** An outline that refers to others: a number of contours of -1, the box around it, and its parts. */
  #composed(drawn: Part[]): Buffer {
    if (drawn.length === 0) return NO_OUTLINE
    this.#mostParts = Math.max(this.#mostParts, drawn.length)
    const header = Buffer.alloc(10)
    const boxes = drawn.map(({ code, right, up }) => {
      const box = this.#font.glyphs[code] as Buffer
      const at = (side: number, move: number) => box.readInt16BE(2 + 2 * side) + move
      return [at(0, right), at(1, up), at(2, right), at(3, up)] as const
    })
    header.writeInt16BE(-1, 0)
    header.writeInt16BE(Math.min(...boxes.map(([left]) => left)), 2)
    header.writeInt16BE(Math.min(...boxes.map(([, bottom]) => bottom)), 4)
    header.writeInt16BE(Math.max(...boxes.map(([, , right]) => right)), 6)
    header.writeInt16BE(Math.max(...boxes.map(([, , , top]) => top)), 8)
    return withParts(
      header,
      drawn.map(({ code, right, up }) => ({ glyph: code, right, up })),
    )
  }

  /** Writes the font, its widths and its letters back into the PDF. */
  save(): void {
    const { letters, widths, file } = this.#places
    const maxp = Buffer.from(this.#font.tables.get('maxp') as Buffer)
    raiseLimits(maxp, this.#mostParts)
    const font = putTogether({ ...this.#font, tables: new Map([...this.#font.tables, ['maxp', maxp]]) })
    this.#pdf.setStream(file, font, `\n  /Length1 ${font.length}`)
    this.#pdf.setStream(letters, Buffer.from(writeLetters(this.#texts)), '\n  /Type /CMap\n  /WMode 0')
    const list = [...this.#widths].map(([code, width]) => `${code} [${Math.round(width * 1e3) / 1e3}]`)
    this.#pdf.changeDictionary(widths, dictionary =>
      dictionary.replace(between(dictionary, '/W [', ']'), list.join(' ')),
    )
  }
}

/** What a program that draws the font makes room for: points and contours in a drawing, its parts, and drawings in drawings. */
function raiseLimits(maxp: Buffer, parts: number): void {
  if (parts === 0) return
  const raise = (at: number, to: number) =>
    maxp.writeUInt16BE(Math.min(0xffff, Math.max(maxp.readUInt16BE(at), to)), at)
  for (const [simple, composed] of [
    [6, 10],
    [8, 12],
  ] as const)
    raise(composed, parts * Math.max(maxp.readUInt16BE(simple), maxp.readUInt16BE(composed)))
  raise(28, parts)
  raise(30, maxp.readUInt16BE(30) + 1)
}

/** As Typst writes it: the first and last of several glyphs, and their width. */
function readWidths(dictionary: string): Map<number, number> {
  const numbers = between(dictionary, '/W [', ']').split(' ').map(Number)
  const widths = new Map<number, number>()
  for (let at = 0; at + 2 < numbers.length; at += 3)
    for (let code = numbers[at] as number; code <= (numbers[at + 1] as number); code++)
      widths.set(code, numbers[at + 2] as number)
  return widths
}

function readLetters(map: string): Map<number, string> {
  return new Map(
    [...map.matchAll(/^<([0-9A-F]{4})> <([0-9A-F]{4,400})>$/gm)].map(([, code = '', text = '']) => [
      Number.parseInt(code, 16),
      Buffer.from(text, 'hex').swap16().toString('utf16le'),
    ]),
  )
}

/** A list has at most 100 entries. */
const MOST_ENTRIES = 100

function writeLetters(texts: Map<number, string>): string {
  const entries = [...texts]
    .filter(([, text]) => text !== '')
    .map(([code, text]) => `<${hex([code])}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>\n`)
  const lists = Array.from({ length: Math.ceil(entries.length / MOST_ENTRIES) }, (_, index) => {
    const list = entries.slice(index * MOST_ENTRIES, (index + 1) * MOST_ENTRIES)
    return `${list.length} beginbfchar\n${list.join('')}endbfchar\n`
  })
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${lists.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
}
