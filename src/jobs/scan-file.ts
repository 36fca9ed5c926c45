import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { JobPayloads } from '../domain/jobs.ts'
import { notify } from '../domain/notifications.ts'
import type { Verdict } from '../domain/scanner.ts'
import type { WorkerParts } from './parts.ts'

interface Pending {
  id: number
  ref: string
  name: string
  project_id: number
  digest: string
  uploaded_by: number
}

type ScanParts = Pick<WorkerParts, 'db' | 'jobs' | 'blobs' | 'scanner'>
type Payload = JobPayloads['scan-file']

/** Asks the engine about a pending file. When the engine cannot say, it throws: the file stays pending, and is tried again. */
export async function scanFile(
  { db, jobs, blobs, scanner }: ScanParts,
  { company_id, file_id }: Payload,
): Promise<void> {
  const file = await db.maybe<Pending>(sql`
    select id, ref, name, project_id, digest, uploaded_by from files
    where company_id = ${company_id} and id = ${file_id} and scan_state in ('pending', 'failed')`)
  if (!file) return
  const verdict = await scanner.scan(await blobs.read(company_id, file.digest), file.name)
  await db.transaction(async tx => {
    const isNoted = await note(tx, company_id, file, verdict)
    if (!isNoted || verdict.outcome === 'clean') return
    await jobs.enqueue(tx, 'remove-bytes', [{ company_id, digest: file.digest }])
    await notify(tx, jobs.enqueue, company_id, file.uploaded_by, {
      kind: 'file_infected',
      subject: { type: 'file', id: file.ref, title: file.name, project_id: file.project_id },
      audience: sql`select ${file.uploaded_by}::bigint as id`,
    })
  })
}

async function note(tx: Db, companyId: number, file: Pending, { outcome, engine, finding }: Verdict): Promise<boolean> {
  const changed = await tx.run(sql`
    update files set scan_state = ${outcome}, scan_engine = ${engine}, scan_finding = ${finding}, scanned_at = now()
    where company_id = ${companyId} and id = ${file.id} and scan_state in ('pending', 'failed')`)
  return changed === 1
}

/** The engine was asked as often as it may be and never answered. Still not downloadable; an administrator can ask again. */
export async function giveUpScan({ db }: Pick<WorkerParts, 'db'>, { company_id, file_id }: Payload): Promise<void> {
  await db.run(
    sql`update files set scan_state = 'failed' where company_id = ${company_id} and id = ${file_id} and scan_state = 'pending'`,
  )
}
