import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sql from 'sql-template-tag'
import type { Db } from '../../../src/db/db.ts'
import { type Blobs, DamagedBlob } from '../../../src/domain/ports/blob-store.ts'
import { isInPlace } from '../../../src/domain/records/deleted-folders.ts'
import { extensionOf } from '../../../src/lib/file-name.ts'
import type { ProgressLine } from '../frame/progress.ts'

interface Stored {
  id: number
  ref: string
  name: string
  digest: string
}

const AT_ONCE = 500

/** Writes the bytes of every file that can be downloaded. Returns the refs of those whose bytes are missing or changed. */
export async function writeContents(
  db: Db,
  blobs: Blobs,
  companyId: number,
  folder: string,
  progress: ProgressLine,
): Promise<{ count: number; missing: string[] }> {
  const missing: string[] = []
  let count = 0
  for await (const file of downloadable(db, companyId)) {
    try {
      await writeContent(blobs, companyId, file.digest, join(folder, nameOf(file)))
      count++
      progress.show(() => `Exporting the contents of files: ${count.toLocaleString('en')}`)
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error
      missing.push(file.ref)
    }
  }
  return { count, missing }
}

/** The ref, which works on every file system, and the extension if it is a plain one. */
function nameOf({ ref, name }: Stored): string {
  const extension = extensionOf(name)
  return /^[a-z0-9]{1,10}$/.test(extension) ? `${ref}.${extension}` : ref
}

async function writeContent(blobs: Blobs, companyId: number, digest: string, path: string): Promise<void> {
  const bytes = await blobs.stream(companyId, digest, { start: 0, end: Number.MAX_SAFE_INTEGER })
  const file = await open(path, 'wx')
  await pipeline(bytes, file.createWriteStream({ flush: true }))
}

async function* downloadable(db: Db, companyId: number): AsyncGenerator<Stored> {
  for (let last = 0, files: Stored[] = []; ; last = files.at(-1)?.id as number) {
    files = await db.many<Stored>(sql`
      select f.id, f.ref, f.name, f.digest from files f
      join projects p on p.company_id = f.company_id and p.id = f.project_id and p.deleted_at is null
      where f.company_id = ${companyId} and f.digest is not null and f.scan_state = 'clean' and ${isInPlace} and f.id > ${last}
      order by f.id limit ${AT_ONCE}`)
    yield* files
    if (files.length < AT_ONCE) return
  }
}
