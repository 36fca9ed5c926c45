import type { Allowance, Member } from './allowance.ts'
import { Unreadable } from './unreadable.ts'
import { readMacros } from './vba-source.ts'

const HEADER = 512
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Sector numbers above this are marks: free, end of chain, part of the table itself. */
const LAST_SECTOR = 0xfffffffa
const DIRECTORY_ENTRY = 128

export const isCompoundFile = (bytes: Buffer) => bytes.length >= HEADER && bytes.subarray(0, 8).equals(COMPOUND_FILE)

/** The streams of an old Office document or of a `vbaProject.bin`, and the source of its macros. */
export function* openCompoundFile({ bytes }: Member, allowance: Allowance): Generator<Member> {
  const streams = [...listStreams(bytes)]
  if (streams.some(({ name }) => name === 'EncryptedPackage')) throw new Unreadable('Encrypted')
  const sources: Buffer[] = []
  for (const { name, read } of streams) {
    const stream = allowance.spend(read())
    yield { name, part: 'stream', bytes: stream }
    for (const source of readMacros(stream, allowance)) sources.push(source)
  }
  if (sources.length > 0) yield { name: 'macros', part: 'macro', bytes: Buffer.concat(sources) }
}

/** A compound file is a small file system: a table chains sectors into streams, and short streams share one stream. */
function* listStreams(bytes: Buffer): Generator<{ name: string; read: () => Buffer }> {
  const sectorSize = 1 << bytes.readUInt16LE(30)
  if (sectorSize !== 512 && sectorSize !== 4096) throw new Unreadable('Broken')
  const sector = (index: number) => bytes.subarray((index + 1) * sectorSize, (index + 2) * sectorSize)
  const table = Buffer.concat(listTableSectors(bytes, sectorSize, sector).map(sector))
  // No further than requested: many short streams may lead into one long chain.
  const read = (start: number, sizeBytes = Infinity) =>
    Buffer.concat(followChain(start, table, Math.ceil(sizeBytes / sectorSize)).map(sector))

  const directory = read(bytes.readUInt32LE(48))
  if (directory.length < DIRECTORY_ENTRY) throw new Unreadable('Broken')
  const shortBelow = bytes.readUInt32LE(56)
  const shortTable = read(bytes.readUInt32LE(60))
  const shorts = read(directory.readUInt32LE(116))
  const short = (index: number) => shorts.subarray(index * 64, (index + 1) * 64)
  const readShort = (start: number, sizeBytes: number) =>
    Buffer.concat(followChain(start, shortTable, Math.ceil(sizeBytes / 64)).map(short))

  for (let at = 0; at + DIRECTORY_ENTRY <= directory.length; at += DIRECTORY_ENTRY) {
    const isStream = directory[at + 66] === 2
    const size = directory.readUInt32LE(at + 120)
    if (!isStream || size === 0) continue
    const start = directory.readUInt32LE(at + 116)
    const nameBytes = Math.min(62, Math.max(0, directory.readUInt16LE(at + 64) - 2))
    const readWhole = () => {
      const stream = (size < shortBelow ? readShort(start, size) : read(start, size)).subarray(0, size)
      if (stream.length < size) throw new Unreadable('Broken')
      return stream
    }
    yield { name: directory.toString('utf16le', at, at + nameBytes), read: readWhole }
  }
}

function listTableSectors(bytes: Buffer, sectorSize: number, sector: (index: number) => Buffer): number[] {
  const listed: number[] = []
  const list = (from: Buffer, start: number, end: number) => {
    for (let at = start; at < end; at += 4) if (from.readUInt32LE(at) <= LAST_SECTOR) listed.push(from.readUInt32LE(at))
  }
  list(bytes, 76, HEADER)
  for (let next = bytes.readUInt32LE(68); next <= LAST_SECTOR; next = sector(next).readUInt32LE(sectorSize - 4)) {
    if (sector(next).length < sectorSize) throw new Unreadable('Broken')
    const before = listed.length
    list(sector(next), 0, sectorSize - 4)
    // A circular list, or one that yields no sectors, would never end.
    if (listed.length === before || listed.length * sectorSize > bytes.length) throw new Unreadable('Broken')
  }
  return listed
}

function followChain(start: number, table: Buffer, longest: number): number[] {
  const chain = new Set<number>()
  for (let index = start; index <= LAST_SECTOR && chain.size < longest; index = table.readUInt32LE(index * 4)) {
    if (chain.has(index) || index * 4 + 4 > table.length) throw new Unreadable('Broken')
    chain.add(index)
  }
  return [...chain]
}
