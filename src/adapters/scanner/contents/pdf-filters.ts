import { inflateSync } from 'node:zlib'
import type { Allowance } from './allowance.ts'
import { Unreadable } from './unreadable.ts'

const PICTURES = ['DCTDecode', 'DCT', 'JPXDecode', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode']

/** Any letter of a name may be written as #xx. */
export function decodeNames(text: string): string {
  return text.replace(/#([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

/**
 * The bytes of a stream as a program gets them that opens it as a file; for a picture, those of the picture's own format.
 * `whole` continues past the word that should end the stream, as that could occur in the middle of packed bytes.
 */
export function decodeStream(bytes: Buffer, whole: Buffer, dictionary: string, allowance: Allowance): Buffer {
  let decoded = bytes
  let isCounted = false
  for (const [index, filter] of readFilters(dictionary).entries()) {
    if (PICTURES.includes(filter)) break
    if (filter === 'FlateDecode' || filter === 'Fl') {
      const unpacked = inflate(decoded, index === 0 ? whole : decoded, allowance)
      decoded = undoPredictor(unpacked, dictionary)
      isCounted = true
    } else if (filter === 'ASCIIHexDecode' || filter === 'AHx') decoded = decodeHex(decoded)
    else if (filter === 'ASCII85Decode' || filter === 'A85') decoded = decode85(decoded)
    else throw new Unreadable('Unsupported')
  }
  return isCounted ? decoded : allowance.spend(decoded)
}

function readFilters(dictionary: string): string[] {
  const places = [...dictionary.matchAll(/\/Filter(?![A-Za-z])/g)]
  if (places.length === 0) return []
  // Programs differ in which of two they use.
  if (places.length > 1) throw new Unreadable('Unsupported')
  const behind = dictionary.slice((places[0]?.index ?? 0) + '/Filter'.length).trimStart()
  // Given elsewhere: packed streams nearly always use this filter, and if not it shows.
  if (/^\d{1,10}\s{1,8}\d{1,5}\s{1,8}R/.test(behind)) return ['FlateDecode']
  const [, list, single] = /^(?:\[([^\]%]{0,400})\]|\/(\w{1,40}))/.exec(behind) ?? []
  if (single !== undefined) return [single]
  if (list === undefined) throw new Unreadable('Unsupported')
  return list
    .split('/')
    .slice(1)
    .map(filter => filter.trim())
}

function inflate(packed: Buffer, whole: Buffer, allowance: Allowance): Buffer {
  try {
    return allowance.inflate(inflateSync, packed)
  } catch (error) {
    if (!(error instanceof Unreadable) || error.obstacle !== 'Broken' || whole.length === packed.length) throw error
    return allowance.inflate(inflateSync, whole)
  }
}

/** The PNG predictors: rows are written as differences, each preceded by the number of its predictor. */
function undoPredictor(bytes: Buffer, dictionary: string): Buffer {
  if (/\/(DecodeParms|DP)\s{0,8}\d/.test(dictionary)) throw new Unreadable('Unsupported')
  const predictor = readNumber(dictionary, 'Predictor', 1)
  if (predictor === 1) return bytes
  if (predictor < 10) throw new Unreadable('Unsupported')
  const [columns, colors, bits] = [
    readNumber(dictionary, 'Columns', 1),
    readNumber(dictionary, 'Colors', 1),
    readNumber(dictionary, 'BitsPerComponent', 8),
  ]
  const pixel = Math.max(1, (colors * bits) >> 3)
  const row = Math.ceil((columns * colors * bits) / 8)
  const rows = Math.floor(bytes.length / (row + 1))
  const plain = Buffer.alloc(rows * row)
  for (let y = 0; y < rows; y++) undoRow(bytes, y * (row + 1), plain, y * row, row, pixel)
  return plain
}

function undoRow(from: Buffer, source: number, to: Buffer, target: number, row: number, pixel: number): void {
  const way = from[source]
  for (let x = 0; x < row; x++) {
    const left = x < pixel ? 0 : (to[target + x - pixel] as number)
    const up = target < row ? 0 : (to[target + x - row] as number)
    const corner = x < pixel || target < row ? 0 : (to[target + x - row - pixel] as number)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][way ?? 0] ?? 0
    to[target + x] = (from[source + 1 + x] as number) + guess
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** If a number is given twice, or somewhere else, it is unclear which one programs use. */
function readNumber(dictionary: string, key: string, otherwise: number): number {
  const values = [...dictionary.matchAll(new RegExp(`/${key}\\s{0,8}(\\d{1,6})(\\s{1,8}\\d{1,5}\\s{1,8}R)?`, 'g'))]
  const numbers = new Set(values.map(([, value]) => Number(value)))
  if (numbers.size > 1 || values.some(([, , reference]) => reference)) throw new Unreadable('Unsupported')
  return [...numbers][0] ?? otherwise
}

function decodeHex(bytes: Buffer): Buffer {
  const digits = (bytes.toString('latin1').split('>', 1)[0] ?? '').replace(/[^\da-f]/gi, '')
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
}

function decode85(bytes: Buffer): Buffer {
  const text = (bytes.toString('latin1').split('~', 1)[0] ?? '').replace(/z/g, '!!!!!').replace(/[^!-u]/g, '')
  const padded = text.padEnd(Math.ceil(text.length / 5) * 5, 'u')
  const decoded = Buffer.alloc((padded.length / 5) * 4)
  for (let at = 0; at < padded.length; at += 5) {
    let value = 0
    for (let digit = 0; digit < 5; digit++) value = value * 85 + padded.charCodeAt(at + digit) - 33
    decoded.writeUInt32BE(value % 0x100000000, (at / 5) * 4)
  }
  return decoded.subarray(0, decoded.length - (padded.length - text.length))
}
