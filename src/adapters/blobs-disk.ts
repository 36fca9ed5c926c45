import { randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Blobs } from '../domain/blobs.ts'

const ABANDONED_AFTER_MS = 3_600_000

/** Bytes in a folder: `<company>/<first two characters>/<digest>`. A name exists only once all of its bytes are on the disk. */
export async function openDiskBlobs(folder: string): Promise<Blobs> {
  const drafts = join(folder, 'drafts')
  await mkdir(drafts, { recursive: true })
  await removeAbandoned(drafts)
  const pathOf = (companyId: number, digest: string) => join(folder, String(companyId), digest.slice(0, 2), digest)

  return {
    async put(companyId, digest, bytes) {
      const path = pathOf(companyId, digest)
      const draft = join(drafts, randomUUID())
      await writeThrough(draft, bytes)
      await makeFolder(dirname(path), folder)
      await rename(draft, path)
      await syncFolder(dirname(path))
    },

    has: (companyId, digest) =>
      access(pathOf(companyId, digest)).then(
        () => true,
        () => false,
      ),

    read: (companyId, digest) => readFile(pathOf(companyId, digest)),

    async stream(companyId, digest, range) {
      const file = await open(pathOf(companyId, digest))
      return file.createReadStream(range)
    },

    remove: (companyId, digest) => rm(pathOf(companyId, digest), { force: true }),

    async *list() {
      for (const company of await readdir(folder)) {
        if (!/^\d+$/.test(company)) continue
        for (const shelf of await readdir(join(folder, company))) {
          for (const digest of await readdir(join(folder, company, shelf))) {
            const { mtimeMs } = await stat(join(folder, company, shelf, digest))
            yield { companyId: Number(company), digest, storedAt: mtimeMs }
          }
        }
      }
    },
  }
}

/** What a killed process was writing never got its name, and nobody waits for it. Another process may still be writing. */
async function removeAbandoned(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
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

/** A new folder is safe only when the folder that names it is. */
async function makeFolder(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= root.length; made = dirname(made)) await syncFolder(made)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
