import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { type NamedKind, notify } from '../domain/people/notifications.ts'
import type { JobPayloads } from '../domain/ports/job-queue.ts'
import { obstruction, type Verdict } from '../domain/ports/virus-scanner.ts'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import type { WorkerParts } from './parts.ts'

interface Pending {
  id: number
  ref: string
  name: string
  project_id: number
  digest: string
  uploaded_by: number
}

/** Waiting, or given up without an answer. A finding stands until an administrator asks for another scan. */
const WANTED = sql`(scan_state = 'pending' or (scan_state = 'failed' and scanned_at is null))`

/** The consequences of a verdict: what happens to the bytes, and what the person who uploaded them is told. */
const CONSEQUENCES: Record<Verdict['outcome'], { removesBytes?: true; tells?: NamedKind }> = {
  clean: {},
  infected: { removesBytes: true, tells: 'file_infected' },
  failed: { tells: 'file_unscanned' },
}

type ScanParts = Pick<WorkerParts, 'db' | 'jobs' | 'blobs' | 'scanner'>
type ScanPayload = JobPayloads['scan-file']

/**
 * Has the engine scan a pending file. A file that cannot be examined has failed, and its bytes are kept. When the engine does
 * not answer, this throws: the file stays pending, and is tried again.
 */
export async function scanFile(parts: ScanParts, { company_id, file_id }: ScanPayload): Promise<void> {
  const { db, jobs, blobs, scanner } = parts
  const file = await findUnscanned(db, company_id, file_id)
  if (!file) return
  const verdict = await scanner.scan(await blobs.read(company_id, file.digest), file.name)
  await db.transaction(async tx => {
    if (!(await storeVerdict(tx, company_id, file, verdict))) return
    const { removesBytes, tells } = CONSEQUENCES[verdict.outcome]
    if (removesBytes) await jobs.enqueue(tx, 'remove-bytes', [{ company_id, digest: file.digest }])
    if (tells) await notifyUploader(tx, jobs, company_id, file, tells)
  })
}

function findUnscanned(db: Db, companyId: number, fileId: number): Promise<Pending | undefined> {
  return db.maybe<Pending>(sql`
    select f.id, f.ref, f.name, f.project_id, f.digest, f.uploaded_by from files f
    where f.company_id = ${companyId} and f.id = ${fileId} and ${WANTED} and ${isInPlace}`)
}

async function storeVerdict(tx: Db, companyId: number, file: Pending, verdict: Verdict): Promise<boolean> {
  const { outcome, engine, finding } = verdict
  const message = outcome === 'clean' ? null : obstruction(outcome, finding).en
  const changed = await tx.run(sql`
    update files set scan_state = ${outcome}, scan_engine = ${engine}, scan_finding = ${finding},
      scan_message = ${message}, scanned_at = now()
    where company_id = ${companyId} and id = ${file.id} and ${WANTED}`)
  return changed === 1
}

function notifyUploader(
  tx: Db,
  jobs: ScanParts['jobs'],
  companyId: number,
  file: Pending,
  kind: NamedKind,
): Promise<void> {
  return notify(tx, jobs.enqueue, companyId, file.uploaded_by, {
    kind,
    subject: { type: 'file', id: file.ref, title: file.name, project_id: file.project_id },
    recipients: [file.uploaded_by],
  })
}

/**
 * The engine never answered, and there are no attempts left. The file still cannot be downloaded; an administrator can ask
 * again.
 */
export async function giveUpScan(
  { db, jobs }: Pick<WorkerParts, 'db' | 'jobs'>,
  { company_id, file_id }: ScanPayload,
): Promise<void> {
  await db.transaction(async tx => {
    const file = await findUnscanned(tx, company_id, file_id)
    const changed = await tx.run(sql`
      update files set scan_state = 'failed', scan_finding = null, scan_message = ${obstruction('failed', null).en}
      where company_id = ${company_id} and id = ${file_id} and scan_state = 'pending'`)
    if (file && changed === 1) await notifyUploader(tx, jobs, company_id, file, 'file_unscanned')
  })
}
