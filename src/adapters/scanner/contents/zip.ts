import { Unreadable } from './unreadable.ts'

export interface ZipEntry {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  encrypted: boolean
  packed: Buffer
}

/** Bytes from `start` up to `end`. */
interface Range {
  start: number
  end: number
}

type ListedEntry = ZipEntry & Range

interface Directory extends Range {
  /** Modulo 65,536 when the archive is not Zip64. */
  count: number
  /** How many bytes precede the archive: its offsets do not count them. */
  prefix: number
}

export interface ListedZip {
  entries: ZipEntry[]
  /** The entries, and the directory with its end. */
  ranges: Range[]
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const END_SIZE = 22

/** Where directories may end, the last first: programs differ in which of several they use. */
export function* findEnds(bytes: Buffer): Generator<number> {
  for (let at = bytes.lastIndexOf(END_SIGNATURE); at >= 0; at = bytes.lastIndexOf(END_SIGNATURE, at - 1)) {
    if (at + END_SIZE <= bytes.length) yield at
    if (at === 0) return
  }
}

/**
 * The entries of the directory that ends there; undefined when there is none, and the signature is there by chance. A directory
 * that contradicts itself is `Broken`, and one whose entries share bytes, which turns a few megabytes into petabytes, is a
 * `Bomb`.
 */
export function readListed(bytes: Buffer, end: number, maximumEntries: number): ListedZip | undefined {
  const directory = findDirectory(bytes, end)
  if (!directory) return undefined
  const entries: ListedEntry[] = []
  let at = directory.start
  while (at < directory.end) {
    if (entries.length === maximumEntries) throw new Unreadable('TooMany')
    if (at + 46 > directory.end || bytes.readUInt32LE(at) !== CENTRAL) throw new Unreadable('Broken')
    entries.push(readEntry(bytes, at, directory))
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  if (at !== directory.end || entries.length % 0x10000 !== directory.count % 0x10000) throw new Unreadable('Broken')
  requireApart(entries)
  return { entries, ranges: [...entries, { start: directory.start, end: end + END_SIZE }] }
}

function findDirectory(bytes: Buffer, end: number): Directory | undefined {
  const own = {
    end,
    count: bytes.readUInt16LE(end + 10),
    size: bytes.readUInt32LE(end + 12),
    offset: bytes.readUInt32LE(end + 16),
  }
  const { count, size, offset, end: directoryEnd } = findZip64End(bytes, own) ?? own
  const isDirectoryAt = (at: number) =>
    at >= 0 && at + size <= directoryEnd && (size === 0 || (size >= 46 && bytes.readUInt32LE(at) === CENTRAL))
  // Its place if nothing is between it and its end, where only a signature may be.
  const start = [directoryEnd - size, offset].find(isDirectoryAt)
  if (start === undefined) return undefined
  if (start < offset) throw new Unreadable('Broken')
  return { start, end: start + size, count, prefix: start - offset }
}

function findZip64End(bytes: Buffer, own: { end: number; count: number; size: number; offset: number }) {
  const locator = own.end - 20
  if (locator < 56 || bytes.readUInt32LE(locator) !== LOCATOR_64) return undefined
  const end = locator - 56
  if (bytes.readUInt32LE(end) !== END_64) throw new Unreadable('Broken')
  const [count, size, offset] = [32, 40, 48].map(place => readUInt64(bytes, end + place)) as [number, number, number]
  const agree =
    [count, 0xffff].includes(own.count) &&
    [size, 0xffffffff].includes(own.size) &&
    [offset, 0xffffffff].includes(own.offset)
  if (!agree) throw new Unreadable('Broken')
  return { end, count, size, offset }
}

function readEntry(bytes: Buffer, at: number, directory: Directory): ListedEntry {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  if (extraEnd > directory.end) throw new Unreadable('Broken')
  const { size, offset } = readPlace(bytes, at, bytes.subarray(nameEnd, extraEnd))
  const start = directory.prefix + offset
  if (start + 30 > directory.start || bytes.readUInt32LE(start) !== LOCAL) throw new Unreadable('Broken')
  if (bytes.readUInt16LE(start + 8) !== method) throw new Unreadable('Broken')
  const dataStart = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
  const end = dataStart + size
  if (end > directory.start) throw new Unreadable('Broken')
  const encrypted = ((flags | bytes.readUInt16LE(start + 6)) & 1) === 1
  const name = bytes.toString('utf8', at + 46, nameEnd)
  return { start, end, name, method, encrypted, packed: bytes.subarray(dataStart, end) }
}

/** Numbers that do not fit are in the Zip64 field instead, in this order. */
function readPlace(bytes: Buffer, at: number, extra: Buffer): { size: number; offset: number } {
  const numbers = [24, 20, 42].map(place => bytes.readUInt32LE(at + place))
  if (numbers.includes(0xffffffff)) {
    const field = findExtra(extra, 0x0001)
    let read = 0
    numbers.forEach((value, index) => {
      if (value !== 0xffffffff) return
      if (!field || read + 8 > field.length) throw new Unreadable('Broken')
      numbers[index] = readUInt64(field, read)
      read += 8
    })
  }
  return { size: numbers[1] as number, offset: numbers[2] as number }
}

function findExtra(extra: Buffer, wanted: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  }
  return undefined
}

function requireApart(entries: Range[]): void {
  const inOrder = [...entries].sort((a, b) => a.start - b.start)
  inOrder.forEach(({ end }, index) => {
    const next = inOrder[index + 1]
    if (next && next.start < end) throw new Unreadable('Bomb')
  })
}

/**
 * An entry by its own header, for programs that read from the front or repair; undefined when the signature is there by chance.
 * Without a size, the entry continues until its packed bytes end.
 */
export function readLocal(bytes: Buffer, at: number, limit: number): (ZipEntry & { end?: number }) | undefined {
  const dataStart = at + 30 > limit ? Infinity : at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  if (dataStart > limit || (bytes[at + 4] as number) >= 128) return undefined
  const name = bytes.subarray(at + 30, at + 30 + bytes.readUInt16LE(at + 26))
  if (name.length === 0 || name.includes(0)) return undefined
  const size = bytes.readUInt32LE(at + 18)
  const isSizeKnown = size !== 0xffffffff && (size > 0 || (bytes.readUInt16LE(at + 6) & 8) === 0)
  return {
    name: name.toString('utf8'),
    method: bytes.readUInt16LE(at + 8),
    encrypted: (bytes.readUInt16LE(at + 6) & 1) === 1,
    packed: bytes.subarray(dataStart, isSizeKnown ? Math.min(limit, dataStart + size) : limit),
    ...(isSizeKnown && { end: dataStart + size }),
  }
}

function readUInt64(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Unreadable('Broken')
  return Number(value)
}
