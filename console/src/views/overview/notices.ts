import type { Counts } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { clockIn } from '../../parts/local-clock.ts'
import { useOverviewWords } from './words.ts'

const DAY_MS = 86_400_000

export interface Notice {
  text: string
  /** Where it is put right, if the reader may go there. */
  to: string | false
}

/** What somebody should decide about, and where. Nothing, on most days. */
export function useNotices(of: Counts): Notice[] {
  const t = useOverviewWords()
  const { id } = useCompany()
  const { may, zone } = useStanding()
  const base = `/companies/${id}`
  const yesterday = clockIn(zone, new Date(Date.now() - DAY_MS)).slice(0, 10)
  const webhooks = may('listWebhooks') && `${base}/webhooks`
  const scans = may('listScannedFiles') && `${base}/scans`
  const audit = may('listAuditEntries') && `${base}/audit?outcome=denied&from=${yesterday}`
  const keys = may('listKeys') && `${base}/keys`
  const all: [number, (n: number) => string, string | false][] = [
    [of.denials, t.denials, audit],
    [of.expiring_keys, t.expiringKeys, keys],
    [of.failing_webhooks, t.failingWebhooks, webhooks],
    [of.switched_off_webhooks, t.switchedOff, webhooks],
    [of.files.infected, t.infectedFiles, scans && `${scans}?state=infected`],
    [of.files.failed, t.failedScans, scans && `${scans}?state=failed`],
  ]
  return all.filter(([count]) => count > 0).map(([count, text, to]) => ({ text: text(count), to }))
}
