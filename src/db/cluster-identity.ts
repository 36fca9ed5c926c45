import { randomBytes } from 'node:crypto'
import { open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// Where PostgreSQL 18 keeps the identifier of a cluster: at the beginning of the control file, where a checksum covers it, and
// in the header of every WAL segment.
const IDENTIFIER_BYTES = 8
const CONTROL_FILE_CHECKSUM = 292
const IN_LOG = 24

/**
 * Clusters that are copies of one another have the same identifier, so whatever uses it to tell databases apart (the cursors of
 * the feed) would confuse them. A new copy gets its own identifier before it is first opened.
 */
export async function giveOwnIdentity(folder: string): Promise<void> {
  const controlFile = join(folder, 'global/pg_control')
  const control = await readFile(controlFile)
  if (control.readUInt32LE(CONTROL_FILE_CHECKSUM) !== crc32c(control.subarray(0, CONTROL_FILE_CHECKSUM)))
    throw new Error('The control file of the new database is not one of PostgreSQL 18')
  control.writeBigUInt64LE(newIdentifier())
  control.writeUInt32LE(crc32c(control.subarray(0, CONTROL_FILE_CHECKSUM)), CONTROL_FILE_CHECKSUM)
  await writeFile(controlFile, control)

  const logFolder = join(folder, 'pg_wal')
  const pieces = (await readdir(logFolder, { withFileTypes: true })).filter(entry => entry.isFile())
  for (const { name } of pieces) await writeAt(join(logFolder, name), IN_LOG, control.subarray(0, IDENTIFIER_BYTES))
}

async function writeAt(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write(bytes, 0, bytes.length, position)
  } finally {
    await file.close()
  }
}

/** Built as initdb does it: the time in seconds in the upper half, and a value unique within that second in the lower half. */
function newIdentifier(): bigint {
  return (BigInt(Math.floor(Date.now() / 1000)) << 32n) | BigInt(randomBytes(4).readUInt32LE())
}

const CASTAGNOLI = 0x82f63b78

/** CRC-32C, which PostgreSQL uses; zlib implements only another polynomial. */
function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CASTAGNOLI : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
