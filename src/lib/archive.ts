import { gunzipSync, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { isZip, readZip, Unreadable } from './zip.ts'

/** What was taken out of a container. All but a `view` and a `macro` may be containers themselves. */
export interface Member {
  name: string
  part: 'file' | 'view' | 'stream' | 'macro' | 'object'
  bytes: Buffer
}

const MIB = 1024 * 1024
const MEMBER_MAX_BYTES = 64 * MIB
const TOTAL_MAX_BYTES = 128 * MIB
/** Up to here no ratio is absurd: an empty picture of 10 MB packs to 10 KB. */
const UNSUSPICIOUS_BYTES = 16 * MIB
const ABSURD_RATIO = 100
const MAX_MEMBERS = 1_000

/** What may be unpacked out of one upload, however its archives are nested. */
export class Allowance {
  private bytes = 0
  private members = 0
  private readonly limitBytes: number

  constructor(uploadBytes: number) {
    this.limitBytes = Math.min(TOTAL_MAX_BYTES, Math.max(UNSUSPICIOUS_BYTES, ABSURD_RATIO * uploadBytes))
  }

  get membersLeft(): number {
    return MAX_MEMBERS - this.members
  }

  spend(bytes: Buffer): Buffer {
    this.bytes += bytes.length
    this.members += 1
    if (this.bytes > this.limitBytes || bytes.length > MEMBER_MAX_BYTES) throw new Unreadable('Bomb')
    if (this.members > MAX_MEMBERS) throw new Unreadable('TooMany')
    return bytes
  }

  inflate(unpack: (packed: Buffer, options: ZlibOptions) => Buffer, packed: Buffer): Buffer {
    // One more than is left, so that what fills the allowance exactly is still unpacked.
    const maxOutputLength = Math.min(MEMBER_MAX_BYTES, this.limitBytes - this.bytes) + 1
    const chunkSize = Math.min(MIB, Math.max(1024, packed.length * 4))
    try {
      return this.spend(unpack(packed, { maxOutputLength, chunkSize }))
    } catch (error) {
      if (error instanceof Unreadable) throw error
      throw new Unreadable((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'Bomb' : 'Broken')
    }
  }
}

/** The members of whatever containers these bytes are: a file can be two at once, and a program opens the one it knows. */
export function* openArchive({ bytes, name }: Member, allowance: Allowance): Generator<Member> {
  if (isZip(bytes)) yield* openZip(bytes, allowance)
  if (isGzip(bytes)) yield openGzip(bytes, name, allowance)
  if (isTar(bytes)) yield* openTar(bytes, allowance)
  if (isCompoundFile(bytes)) yield* openCompoundFile(bytes, allowance)
}

function* openZip(bytes: Buffer, allowance: Allowance): Generator<Member> {
  for (const { name, method, encrypted, packed } of readZip(bytes, allowance.membersLeft)) {
    if (encrypted) throw new Unreadable('Encrypted')
    if (method !== 0 && method !== 8) throw new Unreadable('Unsupported')
    const unpacked = method === 8 ? allowance.inflate(inflateRawSync, packed) : allowance.spend(packed)
    yield { name, part: 'file', bytes: unpacked }
  }
}

const isGzip = (bytes: Buffer) => bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0x1f8b08

function openGzip(bytes: Buffer, name: string, allowance: Allowance): Member {
  const inner = name.replace(/\.tgz$/i, '.tar').replace(/\.gz$/i, '')
  return { name: inner, part: 'file', bytes: allowance.inflate(gunzipSync, bytes) }
}

const BLOCK = 512

function isTar(bytes: Buffer): boolean {
  return bytes.length >= BLOCK && (bytes.toString('latin1', 257, 262) === 'ustar' || hasChecksum(bytes))
}

function hasChecksum(header: Buffer): boolean {
  const stated = Number.parseInt(header.toString('latin1', 148, 156).trim(), 8)
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] as number)
  return sum === stated
}

/** Blocks of zeros end a tar, but some programs read on: so does this. */
function* openTar(bytes: Buffer, allowance: Allowance): Generator<Member> {
  let longName: string | undefined
  let longSize: number | undefined
  for (let at = 0; at < bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    at += BLOCK
    if (header.every(byte => byte === 0)) continue
    if (header.length < BLOCK || !hasChecksum(header)) throw new Unreadable('Broken')
    const type = String.fromCharCode(header[156] as number)
    const size = longSize ?? readTarSize(header)
    const content = bytes.subarray(at, at + size)
    // Programs disagree on whether a link or a folder that claims to have bytes has them.
    if (content.length < size || ('123456'.includes(type) && size > 0)) throw new Unreadable('Broken')
    if (type === 'S') throw new Unreadable('Unsupported')
    at += Math.ceil(size / BLOCK) * BLOCK
    if (type === 'L') longName = content.toString('utf8').replace(/\0.*$/s, '')
    else if (type === 'x') {
      longName = readPax(content, 'path') ?? longName
      longSize = readPaxSize(content)
    } else if (!'Kg'.includes(type)) {
      yield { name: longName ?? readTarName(header), part: 'file', bytes: allowance.spend(content) }
      longName = longSize = undefined
    }
  }
}

const readTarName = (header: Buffer) => header.toString('utf8', 0, 100).replace(/\0.*$/s, '')

/** Octal, or binary when the highest bit says so. */
function readTarSize(header: Buffer): number {
  const text = header.toString('latin1', 124, 136).replace(/\0.*$/s, '').trim()
  const size = (header[124] as number) & 0x80 ? header.readUIntBE(130, 6) : text === '' ? 0 : Number.parseInt(text, 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new Unreadable('Broken')
  return size
}

function readPax(content: Buffer, key: string): string | undefined {
  return new RegExp(`^\\d+ ${key}=(.*)$`, 'm').exec(content.toString('utf8'))?.[1]
}

function readPaxSize(content: Buffer): number | undefined {
  const text = readPax(content, 'size')
  if (text !== undefined && !/^\d{1,15}$/.test(text)) throw new Unreadable('Broken')
  return text === undefined ? undefined : Number(text)
}

const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Sector numbers above it are marks: free, end of chain, part of the table itself. */
const LAST_SECTOR = 0xfffffffa
const DIRECTORY_ENTRY = 128

const isCompoundFile = (bytes: Buffer) => bytes.length >= BLOCK && bytes.subarray(0, 8).equals(COMPOUND_FILE)

/** The streams of an old Office document or of a `vbaProject.bin`, and the source of its macros. */
function* openCompoundFile(bytes: Buffer, allowance: Allowance): Generator<Member> {
  const streams = [...listStreams(bytes)]
  if (streams.some(({ name }) => name === 'EncryptedPackage')) throw new Unreadable('Encrypted')
  const sources: Buffer[] = []
  for (const { name, read } of streams) {
    const stream = allowance.spend(read())
    yield { name, part: 'stream', bytes: stream }
    for (const source of readMacros(stream)) sources.push(allowance.spend(source))
  }
  if (sources.length > 0) yield { name: 'macros', part: 'macro', bytes: Buffer.concat(sources) }
}

/** A compound file is a small file system: a table chains sectors to streams, and short streams share a stream of their own. */
function* listStreams(bytes: Buffer): Generator<{ name: string; read: () => Buffer }> {
  const sectorSize = 1 << bytes.readUInt16LE(30)
  if (sectorSize !== 512 && sectorSize !== 4096) throw new Unreadable('Broken')
  const sector = (index: number) => bytes.subarray((index + 1) * sectorSize, (index + 2) * sectorSize)
  const table = Buffer.concat(listTableSectors(bytes, sectorSize, sector).map(sector))
  const read = (start: number) => Buffer.concat(followChain(start, table).map(sector))

  const directory = read(bytes.readUInt32LE(48))
  if (directory.length < DIRECTORY_ENTRY) throw new Unreadable('Broken')
  const shortBelow = bytes.readUInt32LE(56)
  const shortTable = read(bytes.readUInt32LE(60))
  const shorts = read(directory.readUInt32LE(116))
  const short = (index: number) => shorts.subarray(index * 64, (index + 1) * 64)
  const readShort = (start: number) => Buffer.concat(followChain(start, shortTable).map(short))

  for (let at = 0; at + DIRECTORY_ENTRY <= directory.length; at += DIRECTORY_ENTRY) {
    const isStream = directory[at + 66] === 2
    const size = directory.readUInt32LE(at + 120)
    if (!isStream || size === 0) continue
    const start = directory.readUInt32LE(at + 116)
    const nameBytes = Math.min(62, Math.max(0, directory.readUInt16LE(at + 64) - 2))
    const readWhole = () => {
      const stream = (size < shortBelow ? readShort(start) : read(start)).subarray(0, size)
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
  list(bytes, 76, BLOCK)
  for (let next = bytes.readUInt32LE(68); next <= LAST_SECTOR; next = sector(next).readUInt32LE(sectorSize - 4)) {
    if (sector(next).length < sectorSize) throw new Unreadable('Broken')
    const before = listed.length
    list(sector(next), 0, sectorSize - 4)
    // A list that goes round in a circle, or gives no sectors, would never end.
    if (listed.length === before || listed.length * sectorSize > bytes.length) throw new Unreadable('Broken')
  }
  return listed
}

function followChain(start: number, table: Buffer): number[] {
  const chain: number[] = []
  for (let index = start; index <= LAST_SECTOR; index = table.readUInt32LE(index * 4)) {
    chain.push(index)
    if (index * 4 + 4 > table.length || chain.length * 4 > table.length) throw new Unreadable('Broken')
  }
  return chain
}

/**
 * The source of a macro stands packed behind its compiled form and ends with the stream: it begins wherever a run of chunks
 * leads exactly to the end. That finds it without believing the project's own list, which a hostile document may have bent.
 */
function* readMacros(stream: Buffer): Generator<Buffer> {
  const leadsToEnd = new Uint8Array(stream.length + 1)
  leadsToEnd[stream.length] = 1
  for (let at = stream.length - 3; at >= 0; at--) {
    const header = stream.readUInt16LE(at)
    if ((header & 0x7000) === 0x3000) leadsToEnd[at] = leadsToEnd[at + (header & 0xfff) + 3] ?? 0
  }
  for (let at = stream.length - 4; at >= 0; at--) {
    if (stream[at] === 1 && leadsToEnd[at + 1] === 1) yield unpackMacro(stream, at + 1)
  }
}

function unpackMacro(stream: Buffer, start: number): Buffer {
  const chunks: Buffer[] = []
  for (let at = start; at < stream.length; ) {
    const header = stream.readUInt16LE(at)
    const chunk = stream.subarray(at + 2, at + (header & 0xfff) + 3)
    chunks.push(header & 0x8000 ? unpackChunk(chunk) : chunk)
    at += (header & 0xfff) + 3
  }
  return Buffer.concat(chunks)
}

/** Eight tokens at a time, told apart by the bits of the byte before them: a letter, or a copy of what came before. */
function unpackChunk(packed: Buffer): Buffer {
  const unpacked = Buffer.alloc(4096)
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
  return unpacked.subarray(0, length)
}
