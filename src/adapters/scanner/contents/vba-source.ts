import type { Allowance } from './allowance.ts'

/**
 * The source of a macro is packed after its compiled form and ends with the stream: it begins wherever a run of chunks leads
 * exactly to the end. That finds it without trusting the project's own list, which a hostile document may have altered. Runs
 * with the same end share its chunks, and each chunk is unpacked once: the work grows with the stream, not its square.
 */
export function* readMacros(stream: Buffer, allowance: Allowance): Generator<Buffer> {
  const leadsToEnd = new Uint8Array(stream.length + 1)
  leadsToEnd[stream.length] = 1
  for (let at = stream.length - 3; at >= 0; at--) {
    const header = stream.readUInt16LE(at)
    if ((header & 0x7000) === 0x3000) leadsToEnd[at] = leadsToEnd[at + (header & 0xfff) + 3] ?? 0
  }
  for (let at = 0; at < stream.length - 3; at++) {
    if (stream[at] === 1 && leadsToEnd[at + 1] === 1) yield unpackMacro(stream, at + 1, leadsToEnd, allowance)
  }
}

function unpackMacro(stream: Buffer, start: number, leadsToEnd: Uint8Array, allowance: Allowance): Buffer {
  const chunks: Buffer[] = []
  for (let at = start; at < stream.length && leadsToEnd[at] === 1; ) {
    leadsToEnd[at] = 0
    const header = stream.readUInt16LE(at)
    const chunk = stream.subarray(at + 2, at + (header & 0xfff) + 3)
    chunks.push(allowance.spendPiece(header & 0x8000 ? unpackChunk(chunk) : chunk))
    at += (header & 0xfff) + 3
  }
  return Buffer.concat(chunks)
}

const scratch = Buffer.alloc(4096)

/** Eight tokens at a time; the bits of the byte before them tell whether each is a letter or a copy of earlier output. */
function unpackChunk(packed: Buffer): Buffer {
  const unpacked = scratch
  let length = 0
  for (let at = 0, token = 0, flags = 0; at < packed.length && length < unpacked.length; token = (token + 1) % 8) {
    if (token === 0) flags = packed[at++] ?? 0
    if (at >= packed.length) break
    if (((flags >> token) & 1) === 0) {
      unpacked[length++] = packed[at++] as number
      continue
    }
    const copy = packed.subarray(at, at + 2)
    at += 2
    const lengthBits = 16 - Math.max(4, Math.ceil(Math.log2(length)))
    const distance = copy.length < 2 ? length + 1 : (copy.readUInt16LE(0) >> lengthBits) + 1
    if (distance > length) break
    const copyEnd = length + (copy.readUInt16LE(0) & ((1 << lengthBits) - 1)) + 3
    for (; length < Math.min(copyEnd, unpacked.length); length++)
      unpacked[length] = unpacked[length - distance] as number
  }
  return Buffer.from(unpacked.subarray(0, length))
}
