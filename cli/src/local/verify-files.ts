import sql from 'sql-template-tag'
import type { Config } from '../../../src/config.ts'
import type { Db } from '../../../src/db/db.ts'
import { type Blobs, DamagedBlob } from '../../../src/domain/ports/blob-store.ts'
import { counted } from '../../../src/lib/counted.ts'
import { createLog, openDatabase } from '../../../src/parts.ts'
import { openBlobs } from '../../../src/storage.ts'

interface Upload {
  company_id: number
  id: number
  ref: string
  digest: string
  size_bytes: number
}

const PAGE = 500

/** Compares every upload with its bytes, and every stored content with its uploads. Fails when bytes are missing or wrong. */
export async function verifyFiles(config: Config): Promise<void> {
  const database = await openDatabase(config, createLog(config))
  try {
    const blobs = await openBlobs(config)
    const { checked, faults } = await checkUploads(database.db, blobs)
    const orphans = await countOrphans(database.db, blobs)
    for (const fault of faults) process.stdout.write(`${fault}\n`)
    process.stdout.write(
      `${counted(checked, 'file')} checked, ${faults.length} without their bytes, ${counted(orphans, 'content')} without a file\n`,
    )
    if (faults.length > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
}

async function checkUploads(db: Db, blobs: Blobs): Promise<{ checked: number; faults: string[] }> {
  const faults: string[] = []
  let checked = 0
  for await (const upload of uploads(db)) {
    checked++
    const problem = await problemOf(blobs, upload)
    if (problem) faults.push(`${upload.ref} of company ${upload.company_id}: ${problem} (${upload.digest})`)
  }
  return { checked, faults }
}

async function* uploads(db: Db): AsyncGenerator<Upload> {
  for (let last = 0, page: Upload[] = []; ; last = page.at(-1)?.id as number) {
    page = await db.many<Upload>(sql`
      select company_id, id, ref, digest, size_bytes from files
      where digest is not null and scan_state <> 'infected' and id > ${last} order by id limit ${PAGE}`)
    yield* page
    if (page.length < PAGE) return
  }
}

const PROBLEMS = { missing: 'its bytes are missing', changed: 'its bytes are not what was uploaded' }

async function problemOf(blobs: Blobs, { company_id, digest, size_bytes }: Upload): Promise<string | undefined> {
  try {
    const { length } = await blobs.read(company_id, digest)
    return length === size_bytes ? undefined : `it has ${length} bytes and should have ${size_bytes}`
  } catch (error) {
    if (error instanceof DamagedBlob) return PROBLEMS[error.damage]
    return `its bytes cannot be read: ${(error as Error).message}`
  }
}

async function countOrphans(db: Db, blobs: Blobs): Promise<number> {
  let orphans = 0
  for await (const { companyId, digest } of blobs.list()) {
    const owner = await db.maybe(
      sql`select 1 from files where company_id = ${companyId} and digest = ${digest} and scan_state <> 'infected' limit 1`,
    )
    if (!owner) orphans++
  }
  return orphans
}
