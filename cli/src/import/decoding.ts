import { isUtf8 } from 'node:buffer'
import { Failure } from '../frame/command.ts'
import { harmless } from '../frame/output.ts'
import type { Encoding } from './choices.ts'

/** What Excel and older programs write Arabic in. */
const USUAL_IN_ARABIC: Encoding = 'windows-1256'
const NEWLINE = 0x0a
/** How much of a line is shown, and how much of that before the first letter that is not ASCII. */
const [SHOWN, BEFORE] = [60, 20]

/**
 * The text of a file, a portion at a time. What is not in the encoding ends it: replaced by question marks, every name would be
 * wrong, and nobody would know which encoding is the right one.
 */
export function createDecoder(file: string, encoding: Encoding) {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 0
  /** The bytes of the line that the next portion goes on with, as far as they may be shown. */
  let begun = Buffer.alloc(0)

  function decode(bytes?: Buffer): string {
    try {
      const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
      if (bytes) note(bytes)
      return text
    } catch (error) {
      if (error instanceof TypeError) throw notUtf8(file, lines, Buffer.concat([begun, bytes ?? Buffer.alloc(0)]))
      throw error
    }
  }

  function note(bytes: Buffer): void {
    const [first = bytes, ...more] = linesOf(bytes)
    lines += more.length
    // A copy: a slice would keep the whole portion in memory.
    begun = Buffer.from((more.at(-1) ?? Buffer.concat([begun, first])).subarray(0, 4 * SHOWN))
  }

  return { decode }
}

/** Says how the first line that is not UTF-8 would read in the usual encoding, so that one can see whether it is that one. */
function notUtf8(file: string, before: number, bytes: Buffer): Failure {
  const lines = linesOf(bytes)
  const n = lines.findIndex(line => !isUtf8(line))
  const line = lines[n] ?? bytes
  const first = Math.max(0, line.findIndex(byte => byte > 0x7f) - BEFORE)
  const shown = new TextDecoder(USUAL_IN_ARABIC).decode(line.subarray(first, first + SHOWN)).trim()
  return new Failure(
    `${file} is not UTF-8. With --encoding ${USUAL_IN_ARABIC}, line ${before + n + 1} reads ${harmless(JSON.stringify(shown))}. If that is right, use this option; if not, save the file as UTF-8`,
  )
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...lines, bytes.subarray(start)]
}
