import { deflateSync, inflateSync } from 'node:zlib'

const STREAM = '>>\nstream\n'

/** The objects of a PDF with a classic table, as Typst writes it: numbered, one after the other, none of them nested in another. */
export class PdfObjects {
  readonly #objects: Map<number, Buffer>
  readonly #header: Buffer
  readonly #trailer: string

  constructor(pdf: Buffer) {
    const tail = pdf.toString('latin1', pdf.lastIndexOf('trailer\n'))
    const [trailer = '', table = ''] = tail.split('startxref\n')
    const xref = Number.parseInt(table, 10)
    // The table is `xref`, a line with the first number (0) and the count, and 20 bytes for each object.
    const entries = pdf.indexOf('\n', xref + 'xref\n'.length) + 1
    const count = Math.floor((pdf.lastIndexOf('trailer\n') - entries) / 20)
    const places = Array.from({ length: count }, (_, number) => {
      const entry = pdf.toString('latin1', entries + 20 * number, entries + 20 * number + 18)
      return { number, at: Number.parseInt(entry, 10), isUsed: entry.endsWith('n') }
    })
    const used = places.filter(({ isUsed }) => isUsed).sort((one, other) => one.at - other.at)
    this.#objects = new Map(
      used.map(({ number, at }, index) => [number, pdf.subarray(at, used[index + 1]?.at ?? xref)]),
    )
    this.#header = pdf.subarray(0, used[0]?.at ?? xref)
    this.#trailer = trailer
  }

  /** The number of the object that an entry of a dictionary, or of the trailer, refers to. Names of entries are ours and Typst's. */
  follow(from: number | 'trailer', entry: string): number {
    const text = from === 'trailer' ? this.#trailer : this.dictionary(from)
    const number = Number.parseInt(text.slice(after(text, `/${entry} `)).replace('[', ''), 10)
    if (!this.#objects.has(number)) throw new Error(`The PDF has no ${entry}`)
    return number
  }

  /** The text of an object up to its stream. */
  dictionary(number: number): string {
    const object = this.#object(number)
    const stream = object.indexOf(STREAM)
    return object.toString('latin1', 0, stream < 0 ? object.length : stream)
  }

  changeDictionary(number: number, change: (dictionary: string) => string): void {
    this.#objects.set(number, Buffer.from(change(this.dictionary(number)), 'latin1'))
  }

  /** The contents of a compressed stream. */
  stream(number: number): Buffer {
    const object = this.#object(number)
    const start = after(object, STREAM)
    const length = Number.parseInt(this.dictionary(number).slice(after(this.dictionary(number), '/Length ')), 10)
    return inflateSync(object.subarray(start, start + length))
  }

  setStream(number: number, contents: Buffer, entries = ''): void {
    const compressed = deflateSync(contents)
    const start = `${number} 0 obj\n<<\n  /Length ${compressed.length}\n  /Filter /FlateDecode${entries}\n${STREAM}`
    this.#objects.set(number, Buffer.concat([Buffer.from(start), compressed, Buffer.from('\nendstream\nendobj\n\n')]))
  }

  toBuffer(): Buffer {
    const parts = [this.#header]
    const places = new Map<number, number>()
    let at = this.#header.length
    for (const [number, object] of this.#objects) {
      places.set(number, at)
      parts.push(object)
      at += object.length
    }
    const count = Math.max(...places.keys()) + 1
    const entries = Array.from({ length: count }, (_, number) => {
      const place = places.get(number)
      return place === undefined ? '0000000000 65535 f\r\n' : `${String(place).padStart(10, '0')} 00000 n\r\n`
    })
    parts.push(Buffer.from(`xref\n0 ${count}\n${entries.join('')}${this.#trailer}startxref\n${at}\n%%EOF`, 'latin1'))
    return Buffer.concat(parts)
  }

  #object(number: number): Buffer {
    const object = this.#objects.get(number)
    if (!object) throw new Error(`The PDF has no object ${number}`)
    return object
  }
}

/** The place behind the first mark. */
function after(text: string | Buffer, mark: string): number {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`The PDF has no ${mark.trim()}`)
  return at + mark.length
}

/** What stands between two marks, of which the text has each. */
export function between(text: string, start: string, end: string): string {
  const from = after(text, start)
  return text.slice(from, text.indexOf(end, from))
}
