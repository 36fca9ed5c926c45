import type { FileHandle } from 'node:fs/promises'

// Archives in the format that every `tar` reads (POSIX ustar): names of at most 100 bytes, files of less than 8 GiB, and
// nothing else. What is read must match, to the byte, what would be written here, so any damage or addition is noticed.

const BLOCK_BYTES = 512
const NAME_BYTES = 100
const LARGEST_BYTES = 8 * 1024 ** 3
/** Two empty blocks. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES)
const PIECE_BYTES = 256 * 1024

export interface TarFacts {
  name: string
  sizeBytes: number
  /** Seconds since 1970. */
  writtenAt: number
}

/** What precedes the bytes of a file. */
export function tarHeader({ name, sizeBytes, writtenAt }: TarFacts): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`The name ${name} is too long for an archive`)
  if (sizeBytes >= LARGEST_BYTES) throw new Error(`${name} is too large for an archive`)
  const header = Buffer.alloc(BLOCK_BYTES)
  const put = (text: string, at: number) => header.write(text, at)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(name, 0)
  put(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  put(`${octal(sizeBytes, 11)}\0${octal(writtenAt, 11)}\0`, 124)
  put('        0', 148)
  put('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 6)}\0 `, 148)
  return header
}

/** What follows the bytes of a file: the next header begins at a block boundary. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES)
}

export interface TarEntry extends TarFacts {
  content(): AsyncIterable<Buffer>
}

/** Not an archive that was written here, or no longer complete. */
export class DamagedTar extends Error {}

/** The files of an archive, in order. Throws `DamagedTar` unless the archive is complete. */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry> {
  const { size } = await file.stat()
  let at = 0
  for (;;) {
    const header = await readExactly(file, at, BLOCK_BYTES)
    if (header.every(byte => byte === 0)) break
    const facts = readHeader(header)
    const contentAt = at + BLOCK_BYTES
    const endsAt = contentAt + facts.sizeBytes
    const padding = tarPadding(facts.sizeBytes)
    at = endsAt + padding.length
    if (at > size) throw new DamagedTar('it ends too early')
    yield { ...facts, content: () => pieces(file, contentAt, endsAt) }
    if (!(await readExactly(file, endsAt, padding.length)).equals(padding))
      throw new DamagedTar(`there is something behind ${facts.name}`)
  }
  if (size !== at + TAR_END.length || !(await readExactly(file, at, TAR_END.length)).equals(TAR_END))
    throw new DamagedTar('it does not end as it should')
}

function readHeader(header: Buffer): TarFacts {
  const text = (from: number, bytes: number) => header.toString('utf8', from, from + bytes)
  const name = text(0, NAME_BYTES).split('\0', 1)[0] as string
  const facts = { name, sizeBytes: octalIn(text(124, 11)), writtenAt: octalIn(text(136, 11)) }
  if (!/^[\x21-\x7e]+$/.test(name) || !tarHeader(facts).equals(header))
    throw new DamagedTar('it is not a backup of Diwan, or it was changed')
  return facts
}

function octalIn(text: string): number {
  return /^[0-7]{11}$/.test(text) ? Number.parseInt(text, 8) : 0
}

async function* pieces(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += PIECE_BYTES) yield readExactly(file, at, Math.min(PIECE_BYTES, to - at))
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) throw new DamagedTar('it ends too early')
    read += bytesRead
  }
  return bytes
}
