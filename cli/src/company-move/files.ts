import type { Db } from '../../../src/db/db.ts'
import { DamagedBlob } from '../../../src/domain/ports/blob-store.ts'
import { inParallel } from '../frame/in-parallel.ts'
import type { Cells } from './cells.ts'

interface Content {
  company_id: number
  digest: string
}

/** What has been copied so far, over all rounds. */
export interface CopiedFiles {
  /** Contents that the target has, and that were read back there. */
  verified: Set<string>
  bytes: number
  /** Contents that are not whole in the source either. */
  damaged: Set<string>
}

export const noFiles = (): CopiedFiles => ({ verified: new Set(), bytes: 0, damaged: new Set() })

const nameOf = ({ company_id, digest }: Content) => `${company_id}/${digest}`

/** Copies the bytes of the company's files that the target does not have yet. What is written is read back and compared. */
export async function copyFiles({ source, target }: Cells, ids: number[], copied: CopiedFiles): Promise<void> {
  await inParallel(await contentsOf(source.db, ids), async content => {
    const { company_id, digest } = content
    const name = nameOf(content)
    if (copied.damaged.has(name)) return
    // The upkeep of the target removes bytes that have no row after a while.
    if (copied.verified.has(name) && (await target.blobs.has(company_id, digest))) return
    try {
      const bytes = await source.blobs.read(company_id, digest)
      if (!(await isWhole(target.blobs, content))) {
        await target.blobs.put(company_id, digest, bytes)
        await target.blobs.read(company_id, digest)
        copied.bytes += bytes.length
      }
      copied.verified.add(name)
    } catch (error) {
      if (!(error instanceof DamagedBlob) || (await isWhole(source.blobs, content))) throw error
      copied.damaged.add(name)
    }
  })
}

async function isWhole(blobs: Cells['source']['blobs'], { company_id, digest }: Content): Promise<boolean> {
  return blobs.read(company_id, digest).then(
    () => true,
    error => {
      if (error instanceof DamagedBlob) return false
      throw error
    },
  )
}

function contentsOf(db: Db, ids: number[]): Promise<Content[]> {
  return db.raw<Content>(
    `select distinct company_id, digest from files
     where company_id = any ($1::bigint[]) and digest is not null and scan_state <> 'infected'`,
    [ids],
  )
}
