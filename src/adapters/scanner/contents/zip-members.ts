import { inflateRawSync, type ZlibOptions } from 'node:zlib'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import type { Allowance, Member } from './allowance.ts'
import { attempt, MAX_OBSTACLES, Unreadable } from './unreadable.ts'
import { findEnds, readListed, readLocal, type ZipEntry } from './zip.ts'

const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1')

/**
 * Everything that some program would unpack: what each directory lists, wherever in the file it is, and unlisted data in
 * between. This includes a zip after a picture or before other bytes, two zips in a row, and one that was cut short. Obstacles
 * are thrown at the end, when everything else has been examined.
 */
export function* openZip({ bytes }: Member, allowance: Allowance): Generator<Member> {
  const obstacles: Obstacle[] = []
  const { entries, isListed } = readDirectories(bytes, allowance, obstacles)
  for (const entry of entries) {
    const unpacked = attempt(obstacles, () => unpack(entry, allowance).unpacked)
    if (unpacked) yield { name: entry.name, part: 'file', bytes: unpacked }
    if (allowance.isSpent) break
  }
  yield* openUnlisted(bytes, isListed, allowance, obstacles)
  const isCutShort = !isListed && bytes.indexOf(LOCAL_SIGNATURE) === 0
  const obstacle = obstacles[0] ?? (isCutShort ? 'Broken' : undefined)
  if (obstacle) throw new Unreadable(obstacle)
}

/** The entries, and for each byte whether a directory lists it; the latter is undefined when there is no directory. */
function readDirectories(bytes: Buffer, allowance: Allowance, obstacles: Obstacle[]) {
  const entries: ZipEntry[] = []
  let isListed: Uint8Array | undefined
  let listedBytes = 0
  for (const end of findEnds(bytes)) {
    if (obstacles.length === MAX_OBSTACLES) break
    // One inside an entry belongs to a zip in the zip, which comes later.
    if (isListed?.[end]) continue
    const listed = attempt(obstacles, () => readListed(bytes, end, allowance.membersLeft - entries.length))
    if (!listed) continue
    isListed ??= new Uint8Array(bytes.length)
    for (const entry of listed.entries) entries.push(entry)
    for (const { start, end } of listed.ranges) {
      isListed.fill(1, start, end)
      listedBytes += end - start
    }
    // Directories that list the same bytes over and over.
    if (listedBytes > 4 * bytes.length) throw allowance.exceeded('Bomb')
  }
  return { entries, isListed }
}

function* openUnlisted(
  bytes: Buffer,
  isListed: Uint8Array | undefined,
  allowance: Allowance,
  obstacles: Obstacle[],
): Generator<Member> {
  let limit = 0
  let at = bytes.indexOf(LOCAL_SIGNATURE)
  for (; at >= 0 && !allowance.isSpent && obstacles.length < MAX_OBSTACLES; at = bytes.indexOf(LOCAL_SIGNATURE, at)) {
    if (isListed?.[at]) {
      at = orEnd(isListed.indexOf(0, at), bytes)
      continue
    }
    if (at >= limit) limit = orEnd(isListed?.indexOf(1, at) ?? -1, bytes)
    const entry = readLocal(bytes, at, limit)
    at += LOCAL_SIGNATURE.length
    if (!entry) continue
    const dataStart = entry.packed.byteOffset - bytes.byteOffset
    const found = attempt(obstacles, () => unpack(entry, allowance))
    if (found) yield { name: entry.name, part: 'file', bytes: found.unpacked }
    if ((entry.end ?? 0) > limit) obstacles.push('Broken')
    // Without a size, only the packed bytes tell where they end.
    else at = entry.end ?? dataStart + (found && entry.method === 8 ? found.usedBytes : 0)
  }
}

const orEnd = (at: number, bytes: Buffer) => (at < 0 ? bytes.length : at)

function unpack({ method, encrypted, packed }: ZipEntry, allowance: Allowance) {
  if (encrypted) throw new Unreadable('Encrypted')
  if (method !== 0 && method !== 8) throw new Unreadable('Unsupported')
  if (method === 0) return { unpacked: allowance.spend(packed), usedBytes: packed.length }
  return allowance.inflateSome(inflateRaw, packed)
}

function inflateRaw(packed: Buffer, options: ZlibOptions): { buffer: Buffer; usedBytes: number } {
  const { buffer, engine } = inflateRawSync(packed, { ...options, info: true }) as unknown as {
    buffer: Buffer
    engine: { bytesWritten: number }
  }
  return { buffer, usedBytes: engine.bytesWritten }
}
