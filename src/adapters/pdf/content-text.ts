/** What a line of a page's contents does, as far as text is concerned. */
export interface ShownText {
  /** The start of its base line, in points. */
  x: number
  y: number
  /** Codes of glyphs, and moves between them in thousandths of the font's size, to the left. */
  pieces: (number[] | number)[]
}

const PLACE = /^1 0 0 -1 (\S+) (\S+) Tm$/

/** Reads the four lines by which Typst shows text in one place; undefined for others. */
export function readShownText(lines: string[], at: number): ShownText | undefined {
  if (lines[at] !== 'BT' || lines[at + 3] !== 'ET') return undefined
  const place = PLACE.exec(lines[at + 1] as string)
  const shown = lines[at + 2] as string
  if (!place || !shown.startsWith('[') || !shown.endsWith('] TJ')) return undefined
  return { x: Number(place[1]), y: Number(place[2]), pieces: piecesOf(shown.slice(1, -4)) }
}

export function writeShownText({ x, y, pieces }: ShownText): string[] {
  const written = pieces.map(piece => (typeof piece === 'number' ? rounded(piece) : `<${hex(piece)}>`))
  return ['BT', `1 0 0 -1 ${rounded(x)} ${rounded(y)} Tm`, `[${written.join(' ')}] TJ`, 'ET']
}

function rounded(number: number): string {
  return String(Math.round(number * 1e5) / 1e5)
}

export function hex(codes: number[]): string {
  return codes.map(code => code.toString(16).padStart(4, '0')).join('')
}

/** Strings in brackets or in hexadecimal digits, and numbers. */
function piecesOf(source: string): (number[] | number)[] {
  const pieces: (number[] | number)[] = []
  let at = 0
  while (at < source.length) {
    const character = source[at] as string
    if (character === '(') {
      const { bytes, end } = bracketed(source, at + 1)
      pieces.push(pairs(bytes))
      at = end
    } else if (character === '<') {
      const end = source.indexOf('>', at)
      pieces.push(pairs([...Buffer.from(source.slice(at + 1, end), 'hex')]))
      at = end + 1
    } else if (character === ' ') at++
    else {
      const start = at
      while (at < source.length && !' (<'.includes(source[at] as string)) at++
      pieces.push(Number(source.slice(start, at)))
    }
  }
  return pieces
}

function pairs(bytes: number[]): number[] {
  return Array.from(
    { length: bytes.length / 2 },
    (_, index) => ((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number),
  )
}

const ESCAPED: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** The bytes of a string up to its closing bracket. Brackets in it are escaped or come in pairs. */
function bracketed(source: string, start: number): { bytes: number[]; end: number } {
  const bytes: number[] = []
  let depth = 1
  let at = start
  for (; at < source.length; at++) {
    const character = source[at] as string
    if (character === '(') depth++
    if (character === ')' && --depth === 0) break
    if (character !== '\\') {
      bytes.push(character.charCodeAt(0))
      continue
    }
    const escaped = source[++at] as string
    if (escaped < '0' || escaped > '7') bytes.push(ESCAPED[escaped] ?? escaped.charCodeAt(0))
    else {
      // Three octal digits, always.
      bytes.push(Number.parseInt(source.slice(at, at + 3), 8))
      at += 2
    }
  }
  return { bytes, end: at + 1 }
}
