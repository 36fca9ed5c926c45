import { createHash, type Hash, randomUUID } from 'node:crypto'
import { access, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Blobs, DamagedBlob } from '../domain/ports/blob-store.ts'
import type { Condition } from '../domain/ports/condition.ts'
import { retold } from '../domain/sentences/retold.ts'
import { say } from '../domain/sentences/sentences.ts'
import { flush, makeFolder } from '../lib/flush.ts'
import { humanSize } from '../lib/size.ts'
import { createUtf8Check } from '../lib/utf8.ts'
import { isEverythingKept, keepEverything } from './blobs-kept.ts'

const ABANDONED_AFTER_MS = 3_600_000
const PIECE_BYTES = 256 * 1024
const LITTLE_ROOM_BYTES = 1024 ** 3

/** Bytes in a folder: `<company>/<first two characters>/<digest>`. A name exists only once all of its bytes are on disk. */
export async function openDiskBlobs(folder: string): Promise<Blobs> {
  const drafts = join(folder, 'drafts')
  await makeFolder(drafts)
  await removeAbandoned(drafts)
  const pathOf = (companyId: number, digest: string) => join(folder, String(companyId), digest.slice(0, 2), digest)

  return {
    async put(companyId, digest, bytes) {
      const path = pathOf(companyId, digest)
      const draft = join(drafts, randomUUID())
      try {
        await writeThrough(draft, bytes)
        await mkdir(dirname(path), { recursive: true })
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      // All the way up, even if the folders existed: whoever has just created them may not have flushed them yet.
      await Promise.all([dirname(path), dirname(dirname(path)), folder].map(flush))
    },

    has: (companyId, digest) =>
      access(pathOf(companyId, digest)).then(
        () => true,
        () => false,
      ),

    async read(companyId, digest) {
      const bytes = await readFile(pathOf(companyId, digest)).catch(orMissing(companyId, digest))
      requireDigest(createHash('sha256').update(bytes), companyId, digest)
      return bytes
    },

    async isUtf8(companyId, digest) {
      const file = await open(pathOf(companyId, digest)).catch(orMissing(companyId, digest))
      const text = createUtf8Check()
      try {
        await requireUnchanged(file, companyId, digest, text.take)
      } finally {
        await file.close()
      }
      return text.end()
    },

    async stream(companyId, digest, range) {
      const file = await open(pathOf(companyId, digest)).catch(orMissing(companyId, digest))
      try {
        await requireUnchanged(file, companyId, digest)
      } catch (error) {
        await file.close()
        throw error
      }
      return file.createReadStream(range)
    },

    signedAddress: async () => undefined,

    async remove(companyId, digest, held) {
      if (await isEverythingKept(folder)) return false
      await held?.confirm()
      await rm(pathOf(companyId, digest), { force: true })
      return true
    },

    async removeAll(companyId) {
      if (await isEverythingKept(folder)) return
      await rm(join(folder, String(companyId)), { recursive: true, force: true })
    },

    keepEverything: () => keepEverything(folder),

    async *list() {
      for (const company of await readdir(folder)) {
        if (!/^\d+$/.test(company)) continue
        for (const shelf of await namesIn(join(folder, company))) {
          for (const digest of await namesIn(join(folder, company, shelf))) {
            const storedAt = await writtenAt(join(folder, company, shelf, digest))
            // Undefined if it has been removed in the meantime.
            if (storedAt !== undefined) yield { companyId: Number(company), digest, storedAt }
          }
        }
      }
    },

    removeAbandoned: () => removeAbandoned(drafts),
    check: () => checkFolder(drafts),
  }
}

/**
 * What a killed process was writing never got its name, and nobody waits for it. Another process may still be writing its own.
 */
async function removeAbandoned(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const begunAt = await writtenAt(path)
    if (begunAt !== undefined && Date.now() - begunAt > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}

/** Only a write shows that a folder is writable. */
async function checkFolder(drafts: string): Promise<Condition> {
  const draft = join(drafts, randomUUID())
  try {
    await writeThrough(draft, Buffer.from('check'))
  } finally {
    await rm(draft, { force: true })
  }
  const { bavail, bsize } = await statfs(drafts)
  const freeBytes = bavail * bsize
  const size = retold(humanSize(freeBytes))
  if (freeBytes >= LITTLE_ROOM_BYTES) return { state: 'ok', message: say('{size} free.', { size }) }
  return {
    state: 'degraded',
    message: say('Only {size} free.', { size }),
    advice: 'Make room on the disk of DATA_DIR.',
  }
}

/** None if the folder has been removed in the meantime. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

async function writtenAt(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}

async function writeThrough(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

function orMissing(companyId: number, digest: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? new DamagedBlob('missing', companyId, digest) : error
  }
}

/** Comparing costs little next to sending, and no memory: the file is read piece by piece. */
async function requireUnchanged(
  file: FileHandle,
  companyId: number,
  digest: string,
  onPiece = (_piece: Uint8Array) => {},
): Promise<void> {
  const hash = createHash('sha256')
  for await (const piece of file.createReadStream({ start: 0, autoClose: false, highWaterMark: PIECE_BYTES })) {
    hash.update(piece)
    onPiece(piece)
  }
  requireDigest(hash, companyId, digest)
}

function requireDigest(hash: Hash, companyId: number, digest: string): void {
  if (hash.digest('hex') !== digest) throw new DamagedBlob('changed', companyId, digest)
}
