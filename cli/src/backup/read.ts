import { constants } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'
import { Check } from 'typebox/value'
import { Failure } from '../frame/command.ts'
import { sumLine } from './archive.ts'
import { FORMAT, FORMAT_VERSION, MANIFEST, Manifest, SUMS } from './manifest.ts'
import { DamagedTar, readTar, type TarEntry } from './tar.ts'

const gunzip = promisify(gunzipWithCallback)

/**
 * The limit for what is read into memory in one piece: parts of tables, single files. Anything larger is not ours: a part was one
 * string when it was written, and no character of it has more than three bytes.
 */
const LARGEST_BYTES = 3 * constants.MAX_STRING_LENGTH

export interface Entry {
  name: string
  sizeBytes: number
  bytes(): Promise<Buffer>
  /** The SHA-256 of its bytes. */
  digest(): Promise<string>
}

/** What is done with a backup while it is read. */
export interface Reader {
  onManifest(manifest: Manifest): Promise<void>
  onEntry(entry: Entry): Promise<void>
  /** Called when everything is known to be as it was written. Until then nothing that was read can be trusted. */
  onEnd(): Promise<void>
}

/** Reads a backup from its first byte to its last. Fails unless every byte is as it was written. */
export async function readBackup(path: string, reader: Reader): Promise<void> {
  const file = await open(path, 'r')
  try {
    await readEntries(file, reader)
    await reader.onEnd()
  } catch (error) {
    if (error instanceof DamagedTar || error instanceof Unusable)
      throw new Failure(`${path} cannot be restored: ${error.message}`)
    throw error
  } finally {
    await file.close()
  }
}

/** A fault of the backup itself. */
export class Unusable extends Error {}

async function readEntries(file: FileHandle, { onManifest, onEntry }: Reader): Promise<void> {
  const sums = createHash('sha256')
  let isFirst = true
  let isEnded = false
  for await (const tarEntry of readTar(file)) {
    const entry = openEntry(tarEntry)
    if (isEnded) throw new Unusable(`there is something behind ${SUMS}`)
    if (isFirst !== (entry.name === MANIFEST)) throw new Unusable(`it does not begin with ${MANIFEST}`)
    if (entry.name === SUMS) {
      isEnded = true
      if ((await entry.digest()) !== sums.digest('hex')) throw new Unusable('it was changed: the sums do not match')
      continue
    }
    if (isFirst) await onManifest(parseManifest(await entry.bytes()))
    else await onEntry(entry)
    sums.update(sumLine(await entry.digest(), entry.name))
    isFirst = false
  }
  if (!isEnded) throw new Unusable('it ends too early')
}

/** Its bytes are read only once, if they are asked for in time. */
function openEntry({ name, sizeBytes, content }: TarEntry): Entry {
  let digest: string | undefined
  async function read(onPiece: (piece: Buffer) => void): Promise<string> {
    const hash = createHash('sha256')
    for await (const piece of content()) {
      hash.update(piece)
      onPiece(piece)
    }
    return hash.digest('hex')
  }
  return {
    name,
    sizeBytes,
    async bytes() {
      if (sizeBytes > LARGEST_BYTES) throw new Unusable(`${name} is too large`)
      const pieces: Buffer[] = []
      digest = await read(piece => pieces.push(piece))
      return Buffer.concat(pieces)
    },
    async digest() {
      digest ??= await read(() => {})
      return digest
    },
  }
}

function parseManifest(bytes: Buffer): Manifest {
  const manifest = parseJson<Record<string, unknown> | null>(bytes.toString(), MANIFEST)
  if (manifest?.format !== FORMAT) throw new Unusable('it is not a backup of Diwan')
  if (manifest.format_version !== FORMAT_VERSION)
    throw new Unusable(`it was taken by Diwan ${manifest.version}, in a format that this version does not know`)
  if (!Check(Manifest, manifest)) throw new Unusable(`${MANIFEST} is not complete`)
  return manifest
}

export function parseJson<T>(text: string, name: string): T {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unusable(`${name} cannot be read`)
  }
}

/** The rows in a part of a table. */
export async function rowsIn({ name, bytes }: Entry): Promise<string[]> {
  try {
    const text = (await gunzip(await bytes(), { maxOutputLength: LARGEST_BYTES })).toString()
    return text.slice(0, -1).split('\n')
  } catch (error) {
    if (error instanceof Unusable || error instanceof DamagedTar) throw error
    throw new Unusable(`${name} cannot be unpacked`)
  }
}
