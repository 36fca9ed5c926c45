import sql from 'sql-template-tag'
import { LOCKS, takeLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/db.ts'
import { withDeadline } from '../../lib/deadline.ts'
import type { Blobs } from '../ports/blob-store.ts'

// A transaction that adds a row for some bytes and one that removes the bytes of the last row wait for each other.

/**
 * The storage may take this long while the lock is held. PostgreSQL ends a session that has been idle in a transaction for 8
 * seconds, and its lock with it.
 */
const HELD_FOR_MS = 3_000
/** For the storage to say by itself that it was too late. */
const GRACE_MS = 500

/** Until the transaction ends nobody removes these bytes. If they were removed before, they are stored again. */
export async function keepBytes(tx: Db, blobs: Blobs, companyId: number, digest: string, bytes: Buffer): Promise<void> {
  await takeLock(tx, LOCKS.bytes(companyId, digest), 'shared')
  await inTime(async ended => {
    if (!(await blobs.has(companyId, digest, ended))) await blobs.put(companyId, digest, bytes, ended)
  })
}

/** Removes bytes that no row needs. An infected file keeps its row but not its bytes. */
export function removeUnneeded(db: Db, blobs: Blobs, companyId: number, digest: string): Promise<boolean> {
  return db.transaction(async tx => {
    await takeLock(tx, LOCKS.bytes(companyId, digest))
    const needed = await tx.maybe(sql`
      select 1 from files where company_id = ${companyId} and digest = ${digest} and scan_state <> 'infected' limit 1`)
    if (needed) return false
    return inTime(ended => {
      const confirm = async () => {
        ended.throwIfAborted()
        // It fails when the session has ended, and the lock with it.
        await tx.run(sql`select`)
      }
      return blobs.remove(companyId, digest, { signal: ended, confirm })
    })
  })
}

function inTime<T>(work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(HELD_FOR_MS, work, { graceMs: GRACE_MS })
}
