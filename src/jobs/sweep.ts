import { forgetOldCounts } from '../domain/access/call-counts.ts'
import { forgetOldEntries } from '../domain/audit.ts'
import { forgetEndedSessions } from '../domain/console-sessions.ts'
import { foldCounts } from '../domain/counts.ts'
import { forgetOldChanges } from '../domain/feed.ts'
import { forgetOldAnswers } from '../domain/idempotency.ts'
import { removeUnneeded } from '../domain/unneeded-blobs.ts'
import { forgetOldDeliveries } from '../domain/webhooks.ts'
import type { WorkerParts } from './parts.ts'
import { removeClosedCompanies } from './remove-companies.ts'

// An upload stores its bytes before its row: bytes younger than this may still get their row.
const ORPHAN_AFTER_MS = 3_600_000

/**
 * Clean-up that no request triggers: old answers, old entries of the audit and of the feed, old counts of calls, old
 * deliveries, ended sessions, half-written bytes, bytes whose upload never got its row, and closed companies.
 */
export async function sweep(parts: Pick<WorkerParts, 'db' | 'blobs' | 'log'>): Promise<void> {
  const { db, blobs, log } = parts
  await forgetOldAnswers(db)
  await forgetOldEntries(db)
  await forgetOldCounts(db)
  await forgetOldChanges(db)
  await forgetOldDeliveries(db)
  await forgetEndedSessions(db)
  await foldCounts(db)
  await blobs.removeAbandoned()
  for await (const { companyId, digest, storedAt } of blobs.list()) {
    if (Date.now() - storedAt < ORPHAN_AFTER_MS) continue
    if (await removeUnneeded(db, blobs, companyId, digest))
      log.info({ company: companyId, digest }, 'Orphaned bytes were removed')
  }
  await removeClosedCompanies(parts)
}
