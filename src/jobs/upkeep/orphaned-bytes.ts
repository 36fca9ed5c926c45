import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { StoredBlob } from '../../domain/ports/blob-store.ts'
import { removeUnneeded } from '../../domain/records/unneeded-blobs.ts'
import type { WorkerParts } from '../parts.ts'

/** An upload stores its bytes before its row: bytes younger than this may still get their row. */
const ORPHAN_AFTER_MS = 3_600_000
const COMPARED_AT_ONCE = 500

/**
 * Removes half-written bytes, and bytes that no row needs. Batches are compared with the rows; what seems to be unneeded is
 * looked up once more under its lock. What cannot be removed keeps nothing else from it.
 */
export async function* removeOrphanedBytes({
  db,
  blobs,
  log,
}: Pick<WorkerParts, 'db' | 'blobs' | 'log'>): AsyncGenerator<number> {
  await blobs.removeAbandoned()
  let failure: unknown
  for await (const stored of inBatches(blobs.list())) {
    let removed = 0
    for (const { companyId, digest } of await withoutRow(db, stored)) {
      try {
        if (!(await removeUnneeded(db, blobs, companyId, digest))) continue
        removed += 1
        log.info({ company: companyId, digest }, 'Orphaned bytes were removed')
      } catch (error) {
        log.warn({ err: error, company: companyId, digest }, 'Orphaned bytes could not be removed')
        failure ??= error
        yield 0
      }
    }
    yield removed
  }
  if (failure) throw failure
}

async function* inBatches(blobs: AsyncIterable<StoredBlob>): AsyncGenerator<StoredBlob[]> {
  let batch: StoredBlob[] = []
  for await (const blob of blobs) {
    if (Date.now() - blob.storedAt >= ORPHAN_AFTER_MS) batch.push(blob)
    if (batch.length < COMPARED_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function withoutRow(db: Db, stored: StoredBlob[]): Promise<Pick<StoredBlob, 'companyId' | 'digest'>[]> {
  return db.many(sql`
    select s.company_id as "companyId", s.digest
    from unnest(${stored.map(({ companyId }) => companyId)}::bigint[], ${stored.map(({ digest }) => digest)}::text[]) as s (company_id, digest)
    where not exists (
      select from files f where f.company_id = s.company_id and f.digest = s.digest and f.scan_state <> 'infected')`)
}
