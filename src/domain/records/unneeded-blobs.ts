import sql from 'sql-template-tag'
import { LOCKS, takeLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/db.ts'
import type { Blobs } from '../ports/blob-store.ts'

/** A transaction that adds a row for some bytes and one that removes the bytes of the last row wait for each other. */
export async function lockBytes(tx: Db, companyId: number, digest: string, mode: 'keep' | 'remove'): Promise<void> {
  await takeLock(tx, LOCKS.bytes(companyId, digest), mode === 'remove' ? 'alone' : 'shared')
}

/** Removes bytes that no row needs. An infected file keeps its row but not its bytes. */
export function removeUnneeded(db: Db, blobs: Blobs, companyId: number, digest: string): Promise<boolean> {
  return db.transaction(async tx => {
    await lockBytes(tx, companyId, digest, 'remove')
    const needed = await tx.maybe(sql`
      select 1 from files where company_id = ${companyId} and digest = ${digest} and scan_state <> 'infected' limit 1`)
    return needed ? false : blobs.remove(companyId, digest)
  })
}
